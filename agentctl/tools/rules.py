"""Which rules apply to a call of a tool, and what of a rule could never apply to one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from agentctl.domain.rule import Effect, Rule
from agentctl.errors import did_you_mean
from agentctl.tools.base import ToolType


def find_rule(
    rules: Iterable[Rule], effect: Effect, tool: str, action: str | None, arguments: Mapping[str, Any]
) -> Rule | None:
    """The first rule of this effect that applies to a call."""
    found = (rule for rule in rules if rule.effect == effect and applies(rule, tool, action, arguments))
    return next(found, None)


def applies(rule: Rule, tool: str, action: str | None, arguments: Mapping[str, Any]) -> bool:
    """Whether a rule applies to a call with these arguments, completed.

    One that cannot be compared with them applies where it restricts, and does not where it allows.
    """
    if rule.tool != tool:
        return False
    held = _compare(rule.action, rule.where, action, arguments, allows=rule.effect == "allow")
    return held is True if rule.effect == "allow" else held is not False


def permits(
    named: str | None, where: Mapping[str, Any], action: str | None, arguments: Mapping[str, Any]
) -> bool:
    """Whether a permission for this tool, for an action `named` or for all, covers a call."""
    return _compare(named, where, action, arguments, allows=True) is True


def _compare(
    named: str | None,
    where: Mapping[str, Any],
    action: str | None,
    arguments: Mapping[str, Any],
    *,
    allows: bool,
) -> bool | None:
    if named is not None and action is not None and named != action:
        return False
    unknown = named is not None and action is None
    if not where:
        return None if unknown else True
    # Only rules with conditions pay for the matcher.
    from agentctl.tools.matching import matches

    held = matches(where, arguments, every=allows)
    return None if unknown and held else held


def complete(tool: ToolType, parameters: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call as it runs with them: checked, with defaults, None for those left out.

    `parameters` is their JSON Schema. Where they do not hold, what was given stays as it is.
    """
    properties = parameters.get("properties", {})
    whole = {name: shape.get("default") for name, shape in properties.items()} | dict(arguments)
    try:
        values, faults = tool.check(arguments)
    except Exception:
        return whole  # a type of a package that cannot check them: no call of it runs
    if faults:
        return whole
    if is_dataclass(values):
        values = {field.name: getattr(values, field.name) for field in fields(values)}
    if isinstance(values, Mapping):
        whole |= {name: item for name, item in values.items() if name in properties}
    return whole


def find_dead_parts(
    action: str | None, where: Mapping[str, Any], tool: ToolType, parameters: Mapping[str, Any]
) -> Iterator[tuple[str | None, str]]:
    """What calls of this tool never have: the path of an argument (None: the action), and what is wrong."""
    properties = parameters.get("properties", {})
    if action is not None:
        choices = properties.get("action", {}).get("enum", ())
        if not tool.has_actions():
            yield None, f"the type {tool.type} has no actions, so none can be named"
        elif choices and action not in choices:
            yield None, f'there is no action "{action}"{did_you_mean(action, choices)}'
    if parameters.get("additionalProperties", True):
        return
    for path in where:
        name = path.partition(".")[0]
        if name not in properties:
            yield path, f'there is no argument "{name}"{did_you_mean(name, properties)}'
