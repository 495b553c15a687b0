"""Attached images and documents as parts of a message."""

from __future__ import annotations

from typing import Any

from agentctl.domain.message import File, Message, Text
from agentctl.errors import UsageError
from agentctl.providers.wire.files import as_data_url, describe_missing


def build_content(message: Message, *, is_newest: bool) -> str | list[dict[str, Any]]:
    """What a user said: text, or parts in their order where files came along.

    A file of an earlier message that this protocol cannot carry becomes a note, so that the conversation can
    go on. Raises UsageError for one of the newest message.
    """
    if not message.files:
        return message.text
    parts: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, Text) and part.text.strip():
            parts.append({"type": "text", "text": part.text})
        elif isinstance(part, File):
            parts.append(_build_file(part, is_newest=is_newest))
    return parts


def _build_file(file: File, *, is_newest: bool) -> dict[str, Any]:
    data = as_data_url(file)
    if data and file.kind == "pdf":
        return {"type": "file", "file": {"filename": file.name, "file_data": data}}
    address = data or file.url
    if address and file.kind == "image":
        return {"type": "image_url", "image_url": {"url": address}}
    if is_newest:
        raise UsageError(
            f"{file.name}: this provider cannot fetch a PDF from a URL",
            hint="Download it and attach the file: -a FILE.",
        )
    return {"type": "text", "text": describe_missing(file)}
