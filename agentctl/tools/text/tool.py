"""What the tool type `text` takes, and how a call of it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any, Literal

from agentctl.domain.tool import ToolContext
from agentctl.domain.value import value
from agentctl.tools.base import ToolType

SECONDS = 10.0
MEGABYTES = 512


@value
class TextArguments:
    """What to do with which text."""

    action: Literal["count", "lines", "dedupe", "sort", "diff"] = field(
        metadata={
            "description": "count characters, words and lines; take some lines; remove lines that came "
            "before; sort lines; show the differences to another text."
        }
    )
    text: str = field(metadata={"description": "The text.", "max_length": 1_000_000})
    other: str | None = field(
        default=None, metadata={"description": 'For "diff": the new text.', "max_length": 1_000_000}
    )
    first: int = field(
        default=1,
        metadata={"description": 'For "lines": from this line on; -10 takes the last ten.'},
    )
    last: int = field(
        default=-1, metadata={"description": 'For "lines": up to this line; -1 is the last one.'}
    )
    numbered: bool = field(
        default=False, metadata={"description": 'For "lines": put its number before each line.'}
    )
    order: Literal["natural", "numeric", "text"] = field(
        default="natural",
        metadata={
            "description": 'For "sort": natural (file2 before file10, case and accents ignored), numeric (by '
            "the first number of each line) or text (by character code)."
        },
    )
    reverse: bool = field(default=False, metadata={"description": 'For "sort": the last one first.'})
    ignore_case: bool = field(
        default=False, metadata={"description": 'For "dedupe": upper and lower case are the same.'}
    )
    context: int = field(
        default=3,
        metadata={"description": 'For "diff": equal lines around each change.', "minimum": 0, "maximum": 100},
    )


class Text(ToolType):
    """Counts, takes apart and compares text. A million characters take a while: it runs guarded."""

    type = "text"
    description = (
        "Works on a text: counts its characters, words and lines, takes some lines, removes duplicate lines, "
        "sorts lines, compares two texts. "
        'Examples: {"action": "count", "text": "one two"}, '
        '{"action": "diff", "text": "old", "other": "new"}.'
    )
    Arguments = TextArguments

    def find_action(self, arguments: Mapping[str, Any]) -> str | None:
        """What `action` says."""
        return arguments.get("action")

    async def run(self, arguments: TextArguments, context: ToolContext) -> dict[str, Any]:
        """For "count" the counts; else `text`, for "dedupe" with `removed`, for "diff" with both numbers."""
        from agentctl.tools.guard.client import run_guarded

        target = "agentctl.tools.text.actions:perform"
        result: dict[str, Any] = await run_guarded(
            target, asdict(arguments), timeout=SECONDS, memory=MEGABYTES
        )
        return result
