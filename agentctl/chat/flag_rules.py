"""The rules that flags give: read, and checked against the tools that there are."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence

from agentctl.chat.toolbox import AgentsTool
from agentctl.domain.rule import ALLOW_FLAG, DENY_FLAG, TARGET, Effect, Rule
from agentctl.errors import UsageError, did_you_mean

_PLACES: dict[Effect, str] = {"allow": ALLOW_FLAG, "deny": DENY_FLAG}
FORM = 'Write TOOL, TOOL:ACTION or "TOOL argument=pattern", e.g. {flag} "fetch_md url=https://docs.python.org/**".'


def read_flag_rules(allow: Sequence[str], deny: Sequence[str]) -> tuple[Rule, ...]:
    """The rules of `--allow` and `--deny`: `TOOL[:ACTION]`, then ` argument=pattern` as often as needed.

    Quotes keep spaces together. Raises UsageError that says what is wrong with one.
    """
    texts: tuple[tuple[Effect, Sequence[str]], ...] = (("allow", allow), ("deny", deny))
    return tuple(_read(effect, text) for effect, given in texts for text in given)


def check_flag_rules(rules: Iterable[Rule], declared: Collection[str], tools: Iterable[AgentsTool]) -> None:
    """Raise UsageError for a rule about a tool that is not `declared`, or that never applies to its tool."""
    usable = {tool.ready.slug: tool for tool in tools}
    for rule in rules:
        if rule.tool not in declared:
            guess = did_you_mean(rule.tool, declared)
            raise UsageError(f'{rule.place} {rule.target}: there is no tool "{rule.tool}"{guess}')
        for fault in _find_faults(rule, usable.get(rule.tool)):
            raise UsageError(
                f"{rule.place} {rule.target}: {fault}", hint=f"See agentctl tools show {rule.tool}."
            )


def _find_faults(rule: Rule, tool: AgentsTool | None) -> Iterator[str]:
    if tool is not None:
        from agentctl.tools.rules import find_dead_parts

        for _, fault in find_dead_parts(rule.action, rule.where, tool.ready.instance, tool.ready.parameters):
            yield fault


def _read(effect: Effect, text: str) -> Rule:
    flag = _PLACES[effect]
    target, *words = _split(flag, text) or [""]
    found = TARGET.match(target)
    if found is None:
        raise _no_rule(flag, text, f'"{target}" is neither TOOL nor TOOL:ACTION')
    where: dict[str, str] = {}
    for word in words:
        path, equals, pattern = word.partition("=")
        if not path or not equals:
            raise _no_rule(flag, text, f'"{word}" is not argument=pattern')
        if path in where:
            raise _no_rule(flag, text, f'"{path}" stands there twice')
        where[path] = pattern
    _check_patterns(flag, text, where, allows=effect == "allow")
    return Rule(effect, found["tool"], found["action"], where=where, place=flag)


def _check_patterns(flag: str, text: str, where: dict[str, str], *, allows: bool) -> None:
    if not where:
        return
    from agentctl.tools.conditions import check_condition

    for path, pattern in where.items():
        fault = check_condition(pattern, allows=allows)
        if fault:
            raise _no_rule(flag, text, f"{path}: {fault}")


def _split(flag: str, text: str) -> list[str]:
    words = shlex.shlex(text, posix=True, punctuation_chars=False)
    words.whitespace_split, words.commenters, words.escape = True, "", ""
    try:
        return list(words)
    except ValueError as error:
        raise _no_rule(flag, text, str(error).lower()) from None


def _no_rule(flag: str, text: str, why: str) -> UsageError:
    return UsageError(f"{flag} {text}: {why}", hint=FORM.format(flag=flag))
