"""What a tool gives as JSON that can be stored, and what it raises in words."""

from __future__ import annotations

import json

from agentctl.tools.failure import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Bytes of a result.
LARGEST = 20_000_000


def encode(data: Any) -> bytes:
    """A result as JSON. Raises ToolError where it is none or too large, MemoryError for want of room."""
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    except MemoryError:
        raise
    except Exception as error:
        raise ToolError(f"the tool gave a result that is no JSON ({name_error(error)})") from None
    if len(text) > LARGEST:
        raise ToolError(f"the result is larger than {LARGEST // 1_000_000} MB")
    return text


def name_error(error: BaseException) -> str:
    """The class and the words of an error, whose own methods may fail."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__
