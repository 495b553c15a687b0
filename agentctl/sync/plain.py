"""Domain values as they would stand in YAML: keys in their usual order, defaults left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from agentctl.domain.agent import Agent, AgentMemory, AgentTool
from agentctl.domain.durations import write_duration
from agentctl.domain.limits import Limits
from agentctl.domain.model import Model, Provider
from agentctl.domain.rule import Rule
from agentctl.domain.tool import Tool
from agentctl.sync.fields import SECTIONS

Thing = Provider | Model | Tool | Agent

_TYPES: Mapping[str, type[Thing]] = {"providers": Provider, "models": Model, "tools": Tool, "agents": Agent}
# What every value has and no file says.
_UNSAID = frozenset({"id", "source"})

DEFAULTS: Mapping[type[Thing], Mapping[str, Any]] = {
    kind: {
        each.name: each.default if each.default_factory is MISSING else each.default_factory()
        for each in fields(kind)
        if each.name not in _UNSAID
    }
    for kind in _TYPES.values()
}
KEYS: Mapping[type[Thing], tuple[str, ...]] = {kind: tuple(SECTIONS[name]) for name, kind in _TYPES.items()}


def plain(thing: Thing) -> dict[str, Any]:
    """`thing` as a mapping; reading it back gives the same thing."""
    defaults = DEFAULTS[type(thing)]
    values = {key: getattr(thing, key) for key in KEYS[type(thing)]}
    return {key: plain_value(key, value) for key, value in values.items() if value != defaults[key]}


def plain_value(key: str, value: Any) -> Any:
    """One field: tuples become lists, a single model a text, tools what they look like in a file."""
    if isinstance(value, AgentMemory | Limits):
        return value.as_dict()
    if not isinstance(value, tuple):
        return dict(value) if isinstance(value, Mapping) else value
    if key == "tools":
        return [_plain_tool(tool, index) for index, tool in enumerate(value)]
    if key == "approvals":
        return [_plain_rule(rule) for rule in value]
    if key == "default_model" and len(value) < 2:
        return value[0] if value else None
    return [plain_value("", item) for item in value]


def _plain_rule(rule: Rule) -> dict[str, Any]:
    said = rule.said()
    return said if rule.expires is None else {**said, "expires": write_duration(rule.expires)}


def _plain_tool(tool: AgentTool, index: int) -> Any:
    """The bare slug where nothing else is said about the tool."""
    said: dict[str, Any] = {}
    if tool.needs_approval is not None:
        said["needs_approval"] = tool.needs_approval
    if tool.sort_order != index:
        said["sort_order"] = tool.sort_order
    if tool.config:
        said["config"] = dict(tool.config)
    return {"slug": tool.slug, **said} if said else tool.slug
