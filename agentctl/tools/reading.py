"""What a model reads of a result: text of bounded length, with a note where something was left out."""

from __future__ import annotations

import json
from typing import Any

from agentctl.domain.surrogates import mend
from agentctl.domain.tool import ToolResult


def model_text(result: ToolResult, limit: int) -> str:
    """The result as text of at most `limit` characters (never less than its note, if one is needed).

    An object whose only key is `text` reads as that text, other data as JSON, a failure as `Error: ...`. What
    is too long loses its middle: the start says what it is, and errors and totals tend to stand at the end.
    """
    text = plain_text(result.data) if result.success else f"Error: {result.error}"
    # Pairs of surrogates become characters first, so that no cut can part one.
    return cut_middle(mend(text), limit)


def cut_middle(text: str, limit: int) -> str:
    """`text` if it fits into `limit` characters, else its start and end around a note with a count."""
    if len(text) <= limit:
        return text
    room = max(0, limit - len(_note(len(text))))
    tail = room // 3
    head = room - tail
    return text[:head] + _note(len(text) - room) + text[len(text) - tail :]


def _note(count: int) -> str:
    return f"\n[... {count:,} characters left out ...]\n"


def plain_text(data: Any) -> str:
    """Data as text: an object whose only key is `text` as that text, text as it is, all else as JSON."""
    if isinstance(data, str):
        return data
    if isinstance(data, dict) and list(data) == ["text"] and isinstance(data["text"], str):
        return data["text"]
    return json.dumps(data, ensure_ascii=False)
