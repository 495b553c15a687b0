"""Requests and answers of models that are not asked over HTTP, as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from agentctl.domain.message import Message, Usage
from agentctl.domain.parts import part_as_dict
from agentctl.providers.base import Delta, Fault, ModelRequest, Notice, Reply, StreamItem, WireCall


def request_as_dict(request: ModelRequest) -> dict[str, Any]:
    """All of a request that the answer may depend on."""
    return {
        "model": request.model.name,
        "purpose": request.purpose,
        "system": request.system,
        "messages": [_message(message) for message in request.messages],
        "tools": [asdict(tool) for tool in request.tools],
        "options": dict(request.options),
        "thinking": request.thinking,
        "max_output": request.max_output,
        "schema": request.schema,
    }


def item_as_list(item: StreamItem) -> list[Any]:
    """`[kind, ...]` for one item of a stream."""
    match item:
        case Delta(kind, text):
            return [kind, text]
        case Notice(kind, message):
            return ["notice", kind, message]
        case Reply():
            return ["reply", asdict(item)]


def item_from_list(data: list[Any]) -> StreamItem:
    """The item behind a list. Raises KeyError, TypeError, ValueError and IndexError."""
    match data:
        case ["text" | "reasoning" as kind, str() as text]:
            return Delta(kind, text)
        case ["notice", str() as kind, str() as message]:
            return Notice(kind, message)
        case ["reply", dict() as reply]:
            return _reply(reply)
    raise ValueError("unknown item")


def _message(message: Message) -> dict[str, Any]:
    return {"role": message.role, "parts": [part_as_dict(part) for part in message.parts]}


def _reply(data: dict[str, Any]) -> Reply:
    nested = {
        "calls": tuple(WireCall(**call) for call in data["calls"]),
        "usage": Usage(**data["usage"]) if data["usage"] else None,
        "fault": Fault(**data["fault"]) if data["fault"] else None,
    }
    return Reply(**{**data, **nested})
