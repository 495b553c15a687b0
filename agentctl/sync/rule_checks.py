"""Holds declared rules against the tools they are about: do names mean something, are examples true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agentctl.domain.rule import Rule
from agentctl.errors import did_you_mean
from agentctl.sync.entries import Entry
from agentctl.sync.report import Report
from agentctl.sync.state import State

if TYPE_CHECKING:
    from agentctl.tools.base import ToolType

# The type of a tool, and its config.
Made = tuple[str, Mapping[str, Any]]


def check_rules(entries: Sequence[Entry], state: State) -> None:
    """Report rules about tools that there are not, arguments and actions that those never have, and examples
    that a rule applies to otherwise than is said.
    """
    if not any(entry.sound.get("approvals") for entry in entries):
        return
    tools: dict[str, Made] = {slug: (tool.type, tool.config) for slug, tool in state.tools.items()}
    for entry in entries:
        if entry.section == "tools" and entry.slug and "type" in entry.sound:
            tools[entry.slug] = entry.sound["type"], entry.sound.get("config", {})
    for entry in entries:
        for item, rule in _rules(entry):
            made = tools.get(rule.tool)
            if made is None:
                message = f'approvals: unknown tool "{rule.tool}"{did_you_mean(rule.tool, tools)}'
                entry.report.at_value(item, rule.effect, message)
            else:
                _check(entry.report, item, rule, made)


def _rules(entry: Entry) -> Iterator[tuple[dict[str, Any], Rule]]:
    """Each rule with the mapping that says it, where all of them are sound."""
    rules = entry.sound.get("approvals") or ()
    if rules and len(rules) == len(entry.raw["approvals"]):
        yield from zip(entry.raw["approvals"], rules, strict=True)


def _check(report: Report, item: dict[str, Any], rule: Rule, made: Made) -> None:
    from agentctl.tools.rules import find_dead_parts

    tool = _make(*made)
    if tool is None:
        return
    parameters = tool.arguments_schema()
    faults = list(find_dead_parts(rule.action, rule.where, tool, parameters))
    for path, fault in faults:
        place, key = (item, rule.effect) if path is None else (item["where"], path)
        report.at_value(place, key, f"approvals: {rule.tool}: {fault}")
    if not faults:
        _try_examples(report, item, rule, tool, parameters)


def _try_examples(
    report: Report, item: dict[str, Any], rule: Rule, tool: ToolType, parameters: Mapping[str, Any]
) -> None:
    from agentctl.tools.rules import applies, complete

    for key, examples, expected in (("match", rule.match, True), ("not_match", rule.not_match, False)):
        for index, example in enumerate(examples):
            arguments = complete(tool, parameters, example)
            odd = sorted(arguments.keys() - parameters.get("properties", arguments).keys())
            if odd:
                guess = did_you_mean(odd[0], parameters["properties"])
                message = f'{rule.tool} has no argument "{odd[0]}"{guess}'
            elif applies(rule, rule.tool, tool.find_action(arguments), arguments) is expected:
                continue
            else:
                message = f"the rule {'does not apply' if expected else 'applies'} to this example"
            report.at_value(item[key], index, f"approvals: {key}: {message}")


def _make(kind: str, config: Mapping[str, Any]) -> ToolType | None:
    """The tool, for its arguments and actions; None where it cannot be made, which is reported elsewhere."""
    from agentctl.tools import load_type
    from agentctl.tools.base import Services
    from agentctl.tools.config import read_config

    try:
        tool_class = load_type(kind)
        settings, faults = read_config(tool_class, config)
        services = Services(find_user=lambda _: None, locale="en", time_zone="UTC")
        return None if faults else tool_class(settings, services)
    except Exception:
        return None  # unknown, or of a package that fails
