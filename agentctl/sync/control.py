"""The control plane as commands use it: YAML files on one side, one database on the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.domain.plan import Plan
    from agentctl.sync.declared import Declared


class ControlPlane:
    """Relative paths count from `folder`. Only what reads YAML loads a parser for it."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store = store
        self._folder = folder

    def read(self, files: Sequence[str]) -> Declared:
        """What YAML files declare, checked against each other and the database; raises ConfigError."""
        from agentctl.sync.schema import read_declared
        from agentctl.sync.state import read_state

        return read_declared(files, self._folder, read_state(self._store))

    def plan(self, declared: Declared, *, prune: bool) -> Plan:
        """What an apply would do now."""
        from agentctl.sync.apply import make_plan

        return make_plan(self._store, declared, prune=prune)

    def apply(self, declared: Declared, *, prune: bool, confirmed: Plan | None) -> Plan:
        """Carry it out; `confirmed` is the plan a person saw."""
        from agentctl.sync.apply import apply_plan

        return apply_plan(self._store, declared, prune=prune, confirmed=confirmed)

    def export(self) -> str:
        """The configuration as one YAML document."""
        from agentctl.sync.export import export

        return export(self._store)

    def export_files(self, folder: str, *, replace_files: bool) -> list[Path]:
        """The configuration as agents.yaml and tools.yaml in `folder`."""
        from agentctl.sync.export import export_files
        from agentctl.sync.templates import write_files

        return write_files(self._folder / folder, export_files(self._store), replace_files=replace_files)

    def write_templates(self, folder: str, *, replace_files: bool) -> list[Path]:
        """Commented files to start from."""
        from agentctl.sync.templates import write_templates

        return write_templates(self._folder / folder, replace_files=replace_files)
