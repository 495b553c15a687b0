"""Attached images and documents as parts of a message."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from agentctl.domain.message import File, Message, Text
from agentctl.errors import UsageError


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
    if file.data is not None:
        address = f"data:{file.media_type};base64,{b64encode(file.data).decode()}"
        if file.kind == "pdf":
            return {"type": "file", "file": {"filename": file.name, "file_data": address}}
        return {"type": "image_url", "image_url": {"url": address}}
    if file.url and file.kind == "image":
        return {"type": "image_url", "image_url": {"url": file.url}}
    if is_newest:
        raise UsageError(
            f"{file.name}: this provider cannot fetch a PDF from a URL",
            hint="Download it and attach the file: -a FILE.",
        )
    return {"type": "text", "text": f"[{file.name} was attached here, but cannot be shown again.]"}
