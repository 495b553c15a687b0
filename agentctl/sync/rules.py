"""The `approvals` of agents and tools in YAML: rules, and examples that show what they apply to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from agentctl.domain.rule import EFFECTS, TARGET, Rule
from agentctl.errors import did_you_mean
from agentctl.sync.entries import Entry
from agentctl.sync.fields import Field, make_table
from agentctl.sync.kinds import ENTRIES, FILLED, JSON, Kind, describe
from agentctl.sync.limits import DURATION, read_seconds
from agentctl.tools.matching import check_condition
from agentctl.tools.rules import applies


def _target(value: Any) -> str | None:
    if isinstance(value, str) and TARGET.match(value):
        return None
    return f"expected a tool, or tool:action, got {describe(value)}"


_SLUG = "[a-z0-9_-]{1,50}"
TARGET_TEXT = Kind(_target, {"type": "string", "pattern": f"^{_SLUG}(:{_SLUG})?$"})
RULE = make_table(
    Field("allow", TARGET_TEXT, "Calls of this tool (or tool:action) run without a question."),
    Field("ask", TARGET_TEXT, "Calls of this tool (or tool:action) need a person's yes."),
    Field("deny", TARGET_TEXT, "Calls of this tool (or tool:action) never run."),
    Field("where", JSON, "Arguments, and what each must be: text with * and **, {re:}, {lt:} or a list."),
    Field("expires", DURATION, "How long a question of this rule waits (default 24h)."),
    Field("reason", FILLED, "Why; the model and the person read it."),
    Field("match", ENTRIES, "Arguments that this rule must apply to; checked by plan and apply."),
    Field("not_match", ENTRIES, "Arguments that this rule must not apply to."),
)


def read_rules(entry: Entry, owner: str) -> tuple[Rule, ...]:
    """The rules under `approvals` of an agent or tool; what is wrong with them is reported."""
    items = entry.raw["approvals"]
    rules = (_read_rule(entry, items, index, owner) for index in range(len(items)))
    return tuple(rule for rule in rules if rule is not None)


def check_targets(entry: Entry, tools: Collection[str]) -> None:
    """Report rules about tools that there are not; a slip of the pen in a deny rule would deny nothing."""
    items = entry.raw.get("approvals", ()) if "approvals" in entry.sound else ()
    for rule, item in ((rule, item) for rule in entry.sound.get("approvals", ()) for item in items):
        if item.get(rule.effect) == rule.target and rule.tool not in tools:
            message = f'approvals: unknown tool "{rule.tool}"{did_you_mean(rule.tool, tools)}'
            entry.report.at_value(item, rule.effect, message)


def _read_rule(entry: Entry, items: list[Any], index: int, owner: str) -> Rule | None:
    item = items[index]
    if not isinstance(item, dict):
        message = f"approvals: expected a mapping with allow, ask or deny, got {describe(item)}"
        entry.report.at_value(items, index, message)
        return None
    sound = entry.report.fields(item, RULE)
    said = [effect for effect in EFFECTS if effect in item]
    if len(said) != 1:
        entry.report.at_start(item, "approvals: a rule has one of allow, ask and deny")
        return None
    effect = said[0]
    if effect not in sound or not _check_where(entry, item, sound.get("where", {})):
        return None
    found = TARGET.match(sound[effect])
    assert found is not None
    rule = Rule(
        effect,
        found["tool"],
        found["action"],
        where=sound.get("where", {}),
        expires=read_seconds(sound["expires"]) if "expires" in sound else None,
        reason=sound.get("reason"),
        match=tuple(sound.get("match", ())),
        not_match=tuple(sound.get("not_match", ())),
        place=f"rule {index + 1} of {owner} in {entry.report.document.name}",
    )
    if entry.section == "tools" and entry.slug and rule.tool != entry.slug:
        entry.report.at_value(item, effect, f'approvals: a rule of tool "{entry.slug}" is about {entry.slug}')
    _try_examples(entry, item, rule)
    return rule


def _check_where(entry: Entry, item: dict[str, Any], where: Mapping[str, Any]) -> bool:
    faults = {path: fault for path, condition in where.items() if (fault := check_condition(condition))}
    for path, fault in faults.items():
        entry.report.at_value(item["where"], path, f"approvals: where: {fault}")
    return not faults


def _try_examples(entry: Entry, item: dict[str, Any], rule: Rule) -> None:
    """An action is taken from the example where it has one: tools with actions call that argument so."""
    for key, examples, expected in (("match", rule.match, True), ("not_match", rule.not_match, False)):
        for index, example in enumerate(examples):
            if not isinstance(example, Mapping):
                message = f"approvals: {key}: expected arguments, got {describe(example)}"
                entry.report.at_value(item[key], index, message)
                continue
            action = example.get("action", rule.action)
            if applies(rule, rule.tool, action, example) is not expected:
                word = "does not apply" if expected else "applies"
                entry.report.at_value(item[key], index, f"approvals: {key}: the rule {word} to this example")
