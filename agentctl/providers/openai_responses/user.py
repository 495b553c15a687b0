"""What a user said and attached, as an input item."""

from __future__ import annotations

from typing import Any

from agentctl.domain.message import File, Message, Text
from agentctl.providers.wire.files import as_data_url, describe_missing


def build_content(message: Message) -> str | list[dict[str, Any]]:
    """Text, or parts in their order where files came along; "" where there is nothing."""
    if not message.files:
        return message.text if message.text.strip() else ""
    parts: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, Text) and part.text.strip():
            parts.append({"type": "input_text", "text": part.text})
        elif isinstance(part, File):
            parts.append(_build_file(part))
    return parts


def _build_file(file: File) -> dict[str, Any]:
    data = as_data_url(file)
    address = data or file.url
    if not address:
        return {"type": "input_text", "text": describe_missing(file)}
    if file.kind == "image":
        # Not all servers know what a missing detail means.
        return {"type": "input_image", "image_url": address, "detail": "auto"}
    if data:
        return {"type": "input_file", "filename": file.name, "file_data": data}
    return {"type": "input_file", "file_url": address}
