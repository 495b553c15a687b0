"""The rules of one run: those of the agent, of the tool, and of its flags; which of them decides a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agentctl.domain.grant import Grant
from agentctl.domain.rule import EFFECTS, TARGET, Effect, Rule
from agentctl.errors import UsageError


def find_rule(
    rules: Iterable[Rule], effect: Effect, tool: str, action: str | None, arguments: Mapping[str, Any]
) -> Rule | None:
    """The first rule of this effect that applies to a call.

    One that cannot be compared with odd arguments applies where it restricts, and does not where it allows.
    """
    return next(
        (rule for rule in rules if rule.effect == effect and applies(rule, tool, action, arguments)), None
    )


def applies(rule: Rule, tool: str, action: str | None, arguments: Mapping[str, Any]) -> bool:
    """Whether a rule applies to a call."""
    if rule.tool != tool or (rule.action is not None and rule.action != action):
        return False
    return _hold(rule.where, arguments, allows=rule.effect == "allow")


def grant_applies(grant: Grant, action: str | None, arguments: Mapping[str, Any]) -> bool:
    """Whether a grant for this tool allows a call."""
    if grant.action is not None and grant.action != action:
        return False
    return _hold(grant.conditions, arguments, allows=True)


def _hold(where: Mapping[str, Any], arguments: Mapping[str, Any], *, allows: bool) -> bool:
    if not where:
        return True
    # Only rules with conditions pay for the matcher.
    from agentctl.tools.matching import matches

    held = matches(where, arguments, every=allows)
    return held is True if allows else held is not False


def flag_rules(allow: Sequence[str], deny: Sequence[str]) -> tuple[Rule, ...]:
    """The rules of `--allow` and `--deny`: `TOOL[:ACTION]`, then ` argument=pattern` as often as needed.

    Raises UsageError for one that is none.
    """
    effects: tuple[tuple[Effect, Sequence[str]], ...] = (("allow", allow), ("deny", deny))
    return tuple(_flag_rule(effect, text) for effect, texts in effects for text in texts)


def _flag_rule(effect: Effect, text: str) -> Rule:
    assert effect in EFFECTS
    target, *conditions = text.split() or [""]
    found = TARGET.match(target)
    pairs = [condition.partition("=") for condition in conditions]
    if found is None or any(not path or not equals for path, equals, _ in pairs):
        raise UsageError(
            f'--{effect} "{text}" is no rule',
            hint=f'Write TOOL, TOOL:ACTION or "TOOL argument=pattern", e.g. --{effect} "fetch_md '
            'url=https://docs.python.org/**".',
        )
    where = {path: pattern for path, _, pattern in pairs}
    return Rule(effect, found["tool"], found["action"], where=where, place=f"--{effect}")
