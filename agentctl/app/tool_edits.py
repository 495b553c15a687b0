"""Tools that are made, changed and removed with commands; those of files belong to their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentctl.app.edits import TAKE_OUT, refuse_declared, take_away
from agentctl.domain.tool import Tool
from agentctl.errors import ConfigError, UsageError
from agentctl.store import Store
from agentctl.sync.by_hand import declare_by_hand
from agentctl.sync.plain import plain
from agentctl.sync.state import NOTHING
from agentctl.tools import TYPES

UNSETTABLE = ("name", "description", "needs_approval", "config")


class ToolEdits:
    """Changes to tools, by the rules of the YAML files."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def create(self, slug: str, fields: Mapping[str, Any]) -> None:
        """Add a tool. Raises UsageError where there is one, ConfigError for what YAML would refuse."""
        with self._store.transaction():
            if self._store.tools.get(slug):
                raise UsageError(
                    f'there is a tool "{slug}" already', hint=f"Change it with agentctl tools update {slug}."
                )
            self._put({"slug": slug, **fields})

    def update(self, slug: str, fields: Mapping[str, Any], unset: Iterable[str]) -> None:
        """Change what is given, the config key by key, and take away what is in `unset`.

        Raises NotFound, ConfigError for what YAML would refuse, UsageError for a tool that a file declares.
        """
        with self._store.transaction():
            values = plain(self._require(slug))
            config = {**values.get("config", {}), **fields.get("config", {})}
            values = {**values, **fields, "config": config}
            for name in unset:
                take_away(values, name, UNSETTABLE, {"config": "KEY"})
            self._put(values)

    def switch(self, slugs: Iterable[str], *, enabled: bool) -> None:
        """Give these tools to their agents, or to none. All or none of them; raises as `update`."""
        with self._store.transaction():
            for slug in dict.fromkeys(slugs):
                tool = self._require(slug, f"Set enabled: {'true' if enabled else 'false'}")
                self._store.tools.put(replace(tool, enabled=enabled))

    def describe_loss(self, slugs: Iterable[str]) -> Sequence[str]:
        """One line for each tool that would go: which agents lose it. Raises as `delete`."""
        agents = self._store.agents.list()
        lines = []
        for slug in dict.fromkeys(slugs):
            self._require(slug, TAKE_OUT)
            losers = [agent.slug for agent in agents if any(tool.slug == slug for tool in agent.tools)]
            lines.append(f"tool {slug}: {_losers(losers)}")
        return lines

    def delete(self, slugs: Iterable[str]) -> None:
        """Remove all of these or none. Raises NotFound, and UsageError for one that a file declares."""
        with self._store.transaction():
            for slug in dict.fromkeys(slugs):
                self._require(slug, TAKE_OUT)
                self._store.tools.delete(slug)

    def _put(self, fields: Mapping[str, Any]) -> None:
        try:
            declared = declare_by_hand("tools", fields, NOTHING).tools[0]
        except ConfigError as error:
            kind = fields.get("type")
            shown = f"agentctl tools types {kind}" if kind in TYPES else "agentctl tools types"
            error.hint = f"See {shown}."
            raise
        self._store.tools.put(replace(declared, source=None))

    def _require(self, slug: str, what: str = "Change it") -> Tool:
        """The tool; what a file declares is changed there, or the next apply would set it back."""
        tool = self._store.tools.require(slug)
        refuse_declared("tool", slug, tool.source, what)
        return tool


def _losers(agents: Sequence[str]) -> str:
    if not agents:
        return "no agent has it"
    return f"agent{'s' if len(agents) > 1 else ''} {', '.join(agents)} would lose it"
