"""The command `insert`."""

from __future__ import annotations

from typing import Any

from agentctl.tools.base import ToolError
from agentctl.tools.memory.operations import Call


def insert(call: Call) -> dict[str, Any]:
    """`id, text`; the lines of the text stand behind line `insert_line`."""
    arguments = call.arguments
    document = call.require(arguments.path)
    lines = document.text.split("\n")
    # A newline at the end begins no line of its own.
    count = len(lines) - (lines[-1] == "")
    at = arguments.insert_line or 0
    if not 0 <= at <= count:
        raise ToolError(
            f"Invalid `insert_line` parameter: {at}. "
            f"It should be within the range of lines of the file: [0, {count}]",
            data={"id": document.id},
        )
    new = (arguments.insert_text or "").removesuffix("\n").split("\n")
    call.rewrite(document, "\n".join([*lines[:at], *new, *lines[at:]]))
    return {"id": document.id, "text": f"The file {arguments.path} has been edited."}
