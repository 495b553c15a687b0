"""Tools that are made, changed and removed with commands; those of files belong to their files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentctl.domain.tool import Tool
from agentctl.errors import UsageError, did_you_mean
from agentctl.store import Store
from agentctl.sync.by_hand import declare_by_hand
from agentctl.sync.plain import plain
from agentctl.sync.state import NOTHING

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
            values = plain(self._require(slug, "Change it"))
            config = {**values.get("config", {}), **fields.get("config", {})}
            values = {**values, **fields, "config": config}
            for name in unset:
                _take_away(values, name)
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
            self._require(slug, "Take it out")
            losers = [agent.slug for agent in agents if any(tool.slug == slug for tool in agent.tools)]
            lines.append(f"tool {slug}: {_losers(losers)}")
        return lines

    def delete(self, slugs: Iterable[str]) -> None:
        """Remove all of these or none. Raises NotFound, and UsageError for one that a file declares."""
        with self._store.transaction():
            for slug in dict.fromkeys(slugs):
                self._require(slug, "Take it out")
                self._store.tools.delete(slug)

    def _put(self, fields: Mapping[str, Any]) -> None:
        declared = declare_by_hand("tools", fields, NOTHING).tools[0]
        self._store.tools.put(replace(declared, source=None))

    def _require(self, slug: str, what: str) -> Tool:
        """The tool; what a file declares is changed there, or the next apply would set it back."""
        tool = self._store.tools.require(slug)
        if tool.source and os.path.exists(tool.source):
            way = "agentctl apply --prune" if what == "Take it out" else "agentctl apply"
            raise UsageError(f"tool {slug} is declared in {tool.source}", hint=f"{what} there, then {way}.")
        return tool


def _losers(agents: Sequence[str]) -> str:
    if not agents:
        return "no agent has it"
    return f"agent{'s' if len(agents) > 1 else ''} {', '.join(agents)} would lose it"


def _take_away(values: dict[str, Any], name: str) -> None:
    """Remove a field, or with `config.KEY` one key of the config."""
    field, dot, key = name.partition(".")
    field = field.replace("-", "_")
    if field not in UNSETTABLE or (dot and field != "config"):
        hint = f"Fields: {', '.join(UNSETTABLE)}, config.KEY."
        guess = did_you_mean(field, UNSETTABLE)
        raise UsageError(f'--unset: there is no field "{name}" to take away{guess}', hint=hint)
    if not dot:
        values.pop(field, None)
    elif values["config"].pop(key, None) is None:
        raise UsageError(f'--unset: config has no "{key}"')
