"""A rule about tool calls: which are allowed, ask a person first, or are denied."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from agentctl.domain.value import value

Effect = Literal["allow", "ask", "deny"]
EFFECTS: tuple[Effect, ...] = ("allow", "ask", "deny")
# TOOL, or TOOL:ACTION.
TARGET = re.compile(r"(?P<tool>[a-z0-9_-]{1,50})(?::(?P<action>[a-z0-9_-]{1,50}))?\Z")


# Of rules that flags give: where they stand.
ALLOW_FLAG, DENY_FLAG = "--allow", "--deny"


@value
class Rule:
    """`where` maps the path of an argument (`url`, `headers.accept`) to what its value must be.

    A condition is text with `*` and `**`, a number or switch, `{re: ...}`, `{lt, lte, gt, gte: ...}`, or a
    list of conditions of which one must hold. `expires` are seconds: of an `ask` rule how long its question
    waits, of an `allow` rule how long after it was first applied it ends; `until` is that end (ms). `place`
    says where the rule stands, `match` and `not_match` hold arguments that it must and must not apply to.
    """

    effect: Effect
    tool: str
    action: str | None = None
    where: Mapping[str, Any] = field(default_factory=dict)
    expires: float | None = None
    reason: str | None = None
    match: tuple[Mapping[str, Any], ...] = ()
    not_match: tuple[Mapping[str, Any], ...] = ()
    # Neither makes it another rule.
    until: int | None = field(default=None, compare=False)
    place: str = field(default="", compare=False)

    @property
    def target(self) -> str:
        """`TOOL` or `TOOL:ACTION`."""
        return self.tool if self.action is None else f"{self.tool}:{self.action}"

    @property
    def hides(self) -> bool:
        """Whether the tool is denied altogether, so that the model need not see it."""
        return self.effect == "deny" and self.action is None and not self.where

    @property
    def is_permission(self) -> bool:
        """Whether it is what `--allow` says, which has a place of its own in the order."""
        return self.place == ALLOW_FLAG

    @property
    def text(self) -> str:
        """The rule in one line, without its place."""
        where = "".join(f" {path}={_shown(condition)}" for path, condition in self.where.items())
        return f"{self.effect} {self.target}{where}"

    def __str__(self) -> str:
        return f"{self.text} ({self.place})" if self.place else self.text

    def has_ended(self, now: int) -> bool:
        """Whether its time is over (ms)."""
        return self.until is not None and self.until <= now

    def said(self) -> dict[str, Any]:
        """The rule as YAML says it."""
        known = {
            self.effect: self.target,
            "where": dict(self.where),
            "expires": self.expires,
            "reason": self.reason,
            "match": [dict(example) for example in self.match],
            "not_match": [dict(example) for example in self.not_match],
        }
        return {key: item for key, item in known.items() if item not in (None, {}, [])}

    def as_dict(self) -> dict[str, Any]:
        """The rule as it is stored: as YAML says it, with its place and its end."""
        stored = {"until": self.until, "place": self.place}
        return {**self.said(), **{key: item for key, item in stored.items() if item}}


def read_rule(raw: Mapping[str, Any]) -> Rule:
    """The rule that `as_dict` stored."""
    effect = next(each for each in EFFECTS if each in raw)
    found = TARGET.match(raw[effect])
    assert found is not None
    return Rule(
        effect,
        found["tool"],
        found["action"],
        where=raw.get("where", {}),
        expires=raw.get("expires"),
        reason=raw.get("reason"),
        match=tuple(raw.get("match", ())),
        not_match=tuple(raw.get("not_match", ())),
        until=raw.get("until"),
        place=raw.get("place", ""),
    )


def _shown(condition: Any) -> str:
    import json

    return condition if isinstance(condition, str) else json.dumps(condition, ensure_ascii=False)
