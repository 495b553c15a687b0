"""Patterns are tried where a catastrophic one can be stopped."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from agentctl.domain.tool import ToolContext
from agentctl.tools.base import Services, ToolConfig
from agentctl.tools.executor import execute
from agentctl.tools.regex_tester.tool import RegexTester


def test_matches_have_spans(call: Any) -> None:
    assert call("regex-tester", pattern="[0-9]+", text="时1 b22").data == {
        "count": 2,
        "matches": [{"match": "1", "start": 1, "end": 2}, {"match": "22", "start": 4, "end": 6}],
    }


def test_groups_and_names_are_listed(call: Any) -> None:
    (match,) = call("regex-tester", pattern=r"(?P<year>\d+)-(x)?", text="2026-").data["matches"]
    assert match["groups"] == ["2026", None]
    assert match["named"] == {"year": "2026"}


@pytest.mark.parametrize(
    ("flags", "pattern", "text", "count"),
    [
        ("", "a", "A", 0),
        ("i", "a", "A", 1),
        ("m", "^b", "a\nb", 1),
        ("s", "a.b", "a\nb", 1),
        ("xi", "A # b", "a", 1),
        ("a", r"\w", "é", 0),
    ],
)
def test_flags_are_letters(call: Any, flags: str, pattern: str, text: str, count: int) -> None:
    assert call("regex-tester", pattern=pattern, text=text, flags=flags).data["count"] == count


def test_a_replacement_is_applied(call: Any) -> None:
    data = call("regex-tester", pattern="a(b)", text="ab ab", replacement=r"<\1>").data
    assert data["replaced"] == "<b> <b>"


def test_no_match_is_a_result(call: Any) -> None:
    assert call("regex-tester", pattern="x", text="").data == {"count": 0, "matches": []}


def test_many_matches_are_counted_and_the_first_listed(call: Any) -> None:
    data = call("regex-tester", pattern="x", text="x" * 100_000).data
    assert data["count"] == 100_000
    assert len(data["matches"]) == 100
    assert data["note"] == "only the first 100 matches are listed"


def test_a_long_match_is_cut_with_its_length(call: Any) -> None:
    (match,) = call("regex-tester", pattern="x+", text="x" * 5_000).data["matches"]
    assert match["match"] == "x" * 500 + "… (5,000 characters)"
    assert match["end"] == 5_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pattern": "("}, "the pattern is not valid: missing ), unterminated subpattern at character 1"),
        ({"pattern": "a{99999999999999}"}, "the pattern is not valid: the repetition number is too large"),
        ({"pattern": "a", "replacement": r"\2"}, "the replacement is not valid: invalid group reference 2"),
        ({"pattern": "a", "replacement": r"\g<n>"}, "the replacement is not valid: unknown group name"),
        ({"pattern": "a", "flags": "g"}, "wrong arguments: flags: must match"),
        ({"pattern": "a", "flags": "imi", "text": 1}, "wrong arguments: text: must be text"),
        ({"pattern": ""}, "wrong arguments: pattern: must not be empty"),
    ],
)
def test_what_is_not_valid_is_named(call: Any, arguments: dict[str, Any], message: str) -> None:
    assert call("regex-tester", **{"text": "a", **arguments}).error.startswith(message)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [("(a+)+$", "a" * 50 + "b"), ("(x|x)*y", "x" * 60), (r"^(\w+\s?)*\$", "word " * 20 + "!")],
)
def test_a_catastrophic_pattern_ends_in_a_clear_error(call: Any, pattern: str, text: str) -> None:
    started = time.monotonic()
    error = call("regex-tester", pattern=pattern, text=text).error
    assert error == (
        "the pattern took longer than 2 s on this text; repeats inside repeats, such as (a+)+, do that"
    )
    assert time.monotonic() - started < 20


def test_a_catastrophic_pattern_never_blocks_the_process(services: Services, context: ToolContext) -> None:
    async def main() -> int:
        tool = RegexTester(ToolConfig(), services)
        task = asyncio.create_task(execute(tool, {"pattern": "(a+)+$", "text": "a" * 50 + "b"}, context))
        ticks = 0
        while not task.done():
            await asyncio.sleep(0.05)
            ticks += 1
        return ticks

    assert asyncio.run(main()) >= 10


def test_an_expansion_that_would_fill_the_memory_ends_in_a_clear_error(call: Any) -> None:
    result = call("regex-tester", pattern="(?=(x*))", text="x" * 100_000, replacement=r"\1" * 300)
    assert not result.success
    assert "memory" in result.error or "took longer" in result.error
