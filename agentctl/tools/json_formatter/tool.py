"""The tool type `json-formatter`."""

from __future__ import annotations

from dataclasses import asdict, field
from typing import Any, Literal

from agentctl.domain.tool import ToolContext
from agentctl.domain.value import value
from agentctl.tools.base import ToolType

SECONDS = 5.0
MEGABYTES = 256
# Time and memory are linear in the text, times the indentation (200 levels of 8 at most): up to this size
# that is at most two megabytes and a few hundredths of a second, so it runs in place. Beyond, it is guarded.
SMALL = 2_000


@value
class JsonArguments:
    """What to do with which text."""

    text: str = field(metadata={"description": "The JSON.", "min_length": 1, "max_length": 1_000_000})
    action: Literal["format", "minify", "validate"] = field(
        default="format", metadata={"description": "What to do."}
    )
    indent: int = field(default=2, metadata={"description": "Spaces a level.", "minimum": 0, "maximum": 8})
    sort_keys: bool = field(default=False, metadata={"description": "Sort the keys of objects."})


class JsonFormatter(ToolType):
    """Formats, minifies or checks JSON."""

    type = "json-formatter"
    description = (
        "Formats, minifies or validates JSON text. "
        'Example: {"text": "{\\"a\\":1}", "action": "format"}. Errors name line and column.'
    )
    Arguments = JsonArguments

    async def run(self, arguments: JsonArguments, context: ToolContext) -> dict[str, Any]:
        """`text`; for "validate" `valid` with what the JSON is or the error's line and column."""
        request = asdict(arguments)
        if len(arguments.text) <= SMALL:
            from agentctl.tools.json_formatter.formatting import perform

            return perform(request)
        from agentctl.tools.guard.client import run_guarded

        target = "agentctl.tools.json_formatter.formatting:perform"
        result: dict[str, Any] = await run_guarded(target, request, timeout=SECONDS, memory=MEGABYTES)
        return result
