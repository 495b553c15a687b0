"""The `approvals` of agents and tools in YAML: rules, and examples that show what they apply to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agentctl.domain.ids import now_ms
from agentctl.domain.rule import EFFECTS, TARGET, Effect, Rule
from agentctl.sync.entries import Entry
from agentctl.sync.fields import Field, make_table
from agentctl.sync.kinds import ENTRIES, FILLED, JSON, Kind, describe
from agentctl.sync.limits import DURATION, read_seconds
from agentctl.sync.report import Report


def _target(value: Any) -> str | None:
    if isinstance(value, str) and TARGET.match(value):
        return None
    return f"expected a tool, or tool:action, got {describe(value)}"


def _example(value: Any) -> str | None:
    return None if isinstance(value, dict) else f"expected the arguments of a call, got {describe(value)}"


_SLUG = "[a-z0-9_-]{1,50}"
TARGET_TEXT = Kind(_target, {"type": "string", "pattern": f"^{_SLUG}(:{_SLUG})?$"})
EXAMPLES = Kind(
    ENTRIES.check, {"type": "array", "items": {"type": "object"}}, Kind(_example, {"type": "object"})
)
RULE = make_table(
    Field("allow", TARGET_TEXT, "Calls of this tool (or tool:action) run without a question."),
    Field("ask", TARGET_TEXT, "Calls of this tool (or tool:action) need a person's yes."),
    Field("deny", TARGET_TEXT, "Calls of this tool (or tool:action) never run."),
    Field("where", JSON, "Arguments, and what each must be: text with * and **, {re:}, {lt:} or a list."),
    Field(
        "expires",
        DURATION,
        "ask: how long the question waits (24h); allow: when it ends, once it is applied.",
    ),
    Field("reason", FILLED, "Why; the model and the person read it."),
    Field("match", EXAMPLES, "Arguments that this rule must apply to; tried by validate, plan and apply."),
    Field("not_match", EXAMPLES, "Arguments that this rule must not apply to."),
)


def read_rules(entry: Entry, owner: str) -> tuple[Rule, ...]:
    """The rules under `approvals` of an agent or tool; what is wrong with them is reported."""
    items = entry.raw["approvals"]
    rules = (_read_rule(entry, items, index, owner) for index in range(len(items)))
    return tuple(rule for rule in rules if rule is not None)


def said_rule(raw: Mapping[str, Any]) -> Rule | None:
    """The rule that a sound mapping says; None for one that is no rule."""
    effects: list[Effect] = [effect for effect in EFFECTS if effect in raw]
    found = TARGET.match(raw[effects[0]]) if len(effects) == 1 else None
    if found is None:
        return None
    return Rule(
        effects[0],
        found["tool"],
        found["action"],
        where=raw.get("where", {}),
        expires=read_seconds(raw["expires"]) if "expires" in raw else None,
        reason=raw.get("reason"),
        match=tuple(raw.get("match", ())),
        not_match=tuple(raw.get("not_match", ())),
    )


def _read_rule(entry: Entry, items: list[Any], index: int, owner: str) -> Rule | None:
    item, report = items[index], entry.report
    if not isinstance(item, dict):
        message = f"approvals: expected a mapping with allow, ask or deny, got {describe(item)}"
        report.at_value(items, index, message)
        return None
    sound = report.fields(item, RULE)
    if len([effect for effect in EFFECTS if effect in item]) != 1:
        report.at_start(item, "approvals: a rule has one of allow, ask and deny")
        return None
    rule = said_rule(sound)
    # With a part missing that is wrong it would be another rule.
    if rule is None or sound.keys() != item.keys() or not _is_sound(entry, item, rule):
        return None
    return _placed(rule, f"rule {index + 1} of {owner} in {report.document.name}")


def _placed(rule: Rule, place: str) -> Rule:
    ends = rule.effect == "allow" and rule.expires is not None
    until = now_ms() + round((rule.expires or 0) * 1000) if ends else None
    return replace(rule, place=place, until=until)


def _is_sound(entry: Entry, item: dict[str, Any], rule: Rule) -> bool:
    report, slug = entry.report, entry.slug
    if entry.section == "tools" and slug and rule.tool != slug:
        message = f'approvals: what stands at tool "{slug}" is about its own calls, not those of {rule.tool}'
        report.at_value(item, rule.effect, message)
        return False
    if rule.effect == "deny" and rule.expires is not None:
        report.at_key(item, "expires", "approvals: a deny rule does not end: only ask and allow expire")
        return False
    return _check_where(report, item, rule)


def _check_where(report: Report, item: dict[str, Any], rule: Rule) -> bool:
    if not rule.where:
        return True
    from agentctl.tools.conditions import check_condition

    allows = rule.effect == "allow"
    faults = {
        path: fault
        for path, condition in rule.where.items()
        if (fault := check_condition(condition, allows=allows))
    }
    for path, fault in faults.items():
        report.at_value(item["where"], path, f"approvals: {path}: {fault}")
    return not faults
