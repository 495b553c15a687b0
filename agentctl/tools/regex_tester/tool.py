"""The tool type `regex-tester`."""

from __future__ import annotations

from dataclasses import asdict, field
from typing import Any

from agentctl.domain.tool import ToolContext
from agentctl.domain.value import value
from agentctl.tools.base import ToolError, ToolType
from agentctl.tools.failure import ToolTimeoutError

SECONDS = 2.0
MEGABYTES = 256
_ADVICE = "repeats inside repeats, such as (a+)+, do that"


@value
class RegexArguments:
    """A pattern and what to try it on."""

    pattern: str = field(
        metadata={"description": "The pattern, in Python's syntax.", "min_length": 1, "max_length": 1_000}
    )
    text: str = field(metadata={"description": "The text to search.", "max_length": 100_000})
    flags: str = field(
        default="",
        metadata={
            "description": "Letters: i ignore case, m multiline, s dot matches newline, x verbose, a ASCII.",
            "pattern": "^[aimsx]*$",
            "max_length": 5,
        },
    )
    replacement: str | None = field(
        default=None,
        metadata={"description": "Replace every match with this; groups are \\1.", "max_length": 1_000},
    )


class RegexTester(ToolType):
    """Tries a regular expression. Nothing bounds what Python's engine may take, so it always runs guarded."""

    type = "regex-tester"
    description = (
        "Tries a regular expression (Python syntax) on a text and lists the matches. "
        'Example: {"pattern": "[0-9]+", "text": "a1 b22"}.'
    )
    Arguments = RegexArguments

    async def run(self, arguments: RegexArguments, context: ToolContext) -> dict[str, Any]:
        """`count`, `matches` with `match, start, end` (`groups`, `named`), and `replaced` if asked for."""
        from agentctl.tools.guard.client import run_guarded

        target = "agentctl.tools.regex_tester.matching:perform"
        try:
            result: dict[str, Any] = await run_guarded(
                target, asdict(arguments), timeout=SECONDS, memory=MEGABYTES
            )
        except ToolTimeoutError:
            raise ToolError(f"the pattern took longer than {SECONDS:g} s on this text; {_ADVICE}") from None
        return result
