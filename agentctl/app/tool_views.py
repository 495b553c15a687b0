"""What the `tools` commands show: the declared tools, one of them as a model sees it, and the types."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields
from typing import Any

from agentctl.domain.agent import AgentTool
from agentctl.domain.tool import Tool
from agentctl.errors import ConfigError, NotFound, did_you_mean
from agentctl.store import Store
from agentctl.tools import TYPES, load_type
from agentctl.tools.base import Services, ToolType
from agentctl.tools.ready import ReadyTool, make_ready
from agentctl.tools.schema import arguments_schema, config_schema

BUILT_IN = "built in"
BY_HAND = "by hand"


class ToolViews:
    """Tools and types as rows. `services` is what tools are made with."""

    def __init__(self, store: Store, services: Services) -> None:
        self._store = store
        self._services = services

    def rows(self) -> list[dict[str, Any]]:
        """Every declared tool; one that cannot be used says why in `detail`."""
        return [self._row(tool, AgentTool(tool.slug))[0] for tool in self._store.tools.list()]

    def describe(self, slug: str, agent: str | None) -> dict[str, Any]:
        """One tool with its config, the schema that models see and the agents that have it.

        With `agent` as that agent has it. Raises NotFound.
        """
        tool = self._store.tools.require(slug)
        row, ready = self._row(tool, find_association(self._store, slug, agent))
        names = [each.slug for each in self._store.agents.list() if _has(each.tools, slug)]
        return {
            **row,
            "name": tool.name,
            "agents": names,
            "config": _config(ready) if ready else dict(tool.config),
            "parameters": dict(ready.parameters) if ready else None,
        }

    def types(self) -> list[dict[str, Any]]:
        """Every type, those of installed packages last; one that cannot be used says why in `detail`."""
        # To list them is the one thing that has to look through what is installed.
        from agentctl.tools.installed import list_installed

        installed = [name for name in list_installed() if name not in TYPES]
        return [self._type_row(name) for name in (*TYPES, *installed)]

    def type(self, name: str) -> dict[str, Any]:
        """One type with the JSON Schemas of its config and arguments. Raises NotFound, ConfigError."""
        if name not in TYPES:
            from agentctl.tools.installed import list_installed

            known = [*TYPES, *list_installed()]
            if name not in known:
                raise NotFound(
                    f'no tool type "{name}"{did_you_mean(name, known)}', hint="See agentctl tools types."
                )
        cls = load_type(name)
        return {
            **self._type_row(name),
            "description": cls.description,
            "idempotent": cls.idempotent,
            "config": config_schema(cls.Config),
            "arguments": arguments_schema(cls.Arguments),
        }

    def _row(self, tool: Tool, association: AgentTool) -> tuple[dict[str, Any], ReadyTool | None]:
        ready, detail = None, None
        approval, risk, description = tool.needs_approval, None, tool.description
        with suppress(ConfigError):
            cls = load_type(tool.type)
            risk, description = cls.risk, description or cls.description
        try:
            ready = make_ready(tool, association.config, self._services)
            approval, description = ready.needs_approval, ready.description
            detail = "; ".join(ready.warnings) or None
            with suppress(Exception):  # a type of a package that cannot say it
                risk = ready.instance.find_risk()
        except ConfigError as error:
            detail = error.message.removeprefix(f'tool "{tool.slug}" is not ready: ')
        if association.needs_approval is not None:
            approval = association.needs_approval
        row = {
            "slug": tool.slug,
            "type": tool.type,
            "enabled": tool.enabled,
            "ready": ready is not None,
            "needs_approval": approval,
            "risk": risk,
            "detail": detail,
            "source": tool.source or BY_HAND,
            "description": description,
        }
        return row, ready

    def _type_row(self, name: str) -> dict[str, Any]:
        row = dict.fromkeys(("risk", "needs_approval", "source", "detail", "description"))
        try:
            cls = load_type(name)
            row.update(risk=cls.risk, needs_approval=cls.needs_approval, description=_sentence(cls))
        except ConfigError as error:
            row["detail"] = error.message
        if name in TYPES:
            row["source"] = BUILT_IN
        else:
            from agentctl.tools.installed import find_package

            row["source"] = find_package(name)
        return {"type": name, **row}


def find_association(store: Store, slug: str, agent: str | None) -> AgentTool:
    """The tool as `agent` has it, or as it is where none is named. Raises NotFound."""
    if agent is None:
        return AgentTool(slug)
    tools = store.agents.require(agent).tools
    found = next((tool for tool in tools if tool.slug == slug), None)
    if found is None:
        names = ", ".join(tool.slug for tool in tools) or "none"
        raise NotFound(f'agent {agent} does not have the tool "{slug}"', hint=f"Its tools: {names}.")
    return found


def _has(tools: tuple[AgentTool, ...], slug: str) -> bool:
    return any(tool.slug == slug for tool in tools)


def _config(ready: ReadyTool) -> dict[str, Any]:
    """Every key with the value that holds, defaults included."""
    config = ready.instance.config
    values = {field.name: getattr(config, field.name) for field in fields(config)}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


def _sentence(cls: type[ToolType]) -> str:
    """The first sentence of the description."""
    return " ".join(cls.description.split()).partition(". ")[0].rstrip(".") + "."
