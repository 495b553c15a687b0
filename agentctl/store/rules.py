"""Rules in a JSON column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentctl.store.json_columns import from_json, to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentctl.domain.rule import Rule


def rules_to_json(rules: Sequence[Rule]) -> str:
    """The text of the column."""
    return to_json([rule.as_dict() for rule in rules]) if rules else "[]"


def rules_from_json(text: str) -> tuple[Rule, ...]:
    """The rules of a column; most hold none, and pay for nothing."""
    if text == "[]":
        return ()
    from agentctl.domain.rule import read_rule

    return tuple(read_rule(raw) for raw in from_json(text))
