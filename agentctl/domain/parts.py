"""Message parts as JSON: the form in which they are stored and printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.message import File, Part, Reasoning, Text, ToolCall, ToolOutput


def part_as_dict(part: Part) -> dict[str, Any]:
    """The JSON object of a part; `type` says which it is."""
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Reasoning(text):
            return {"type": "reasoning", "text": text}
        case ToolCall(call_id, name, arguments, raw):
            call: dict[str, Any] = {"type": "tool_call", "call_id": call_id, "tool": name}
            if arguments is None:
                return {**call, "raw": raw}
            return {**call, "arguments": dict(arguments)}
        case ToolOutput(call_id, name, text, success):
            return {"type": "tool_output", "call_id": call_id, "tool": name, "success": success, "text": text}
        case File(name, media_type, url, size, sha256):
            file = {"name": name, "media_type": media_type, "url": url, "size": size, "sha256": sha256}
            return {"type": "file", **{key: value for key, value in file.items() if value is not None}}


def part_from_dict(data: Mapping[str, Any]) -> Part:
    """The part behind a JSON object made by `part_as_dict`."""
    match data["type"]:
        case "text":
            return Text(data["text"])
        case "reasoning":
            return Reasoning(data["text"])
        case "tool_call":
            return ToolCall(data["call_id"], data["tool"], data.get("arguments"), data.get("raw"))
        case "tool_output":
            return ToolOutput(data["call_id"], data["tool"], data["text"], data["success"])
        case "file":
            return File(
                data["name"], data["media_type"], data.get("url"), data.get("size"), data.get("sha256")
            )
    raise ValueError(f"unknown part {data['type']!r}")
