"""Builds the body of a request."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from agentctl.providers.base import ModelRequest
from agentctl.providers.openai_chat.messages import build_messages
from agentctl.providers.openai_chat.options import ChatOptions
from agentctl.providers.wire.effort import fill_places

_MAX_TOKENS = ("max_tokens", "max_completion_tokens")


def build_body(request: ModelRequest, options: ChatOptions, refused: Collection[str] = ()) -> dict[str, Any]:
    """The request as a JSON object, without the parameters that the model refused before."""
    chats = request.purpose == "chat"
    native = options.structured_output == "native" and "response_format" not in refused
    parameters = {
        "stream_options": {"include_usage": True},
        **_find_thinking(options, thinks=request.thinking and chats),
        **options.parameters,
    }
    if request.schema is not None and native:
        parameters["response_format"] = _build_format(request.schema)
    body: dict[str, Any] = {
        "model": request.model.name,
        "messages": build_messages(request, options, schema=None if native else request.schema),
        "stream": True,
    }
    if request.tools and chats:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": dict(tool.parameters),
                },
            }
            for tool in request.tools
        ]
    body.update(_select(parameters, request, options.max_tokens_field, refused))
    return body


def _find_thinking(options: ChatOptions, *, thinks: bool) -> Mapping[str, Any]:
    if not thinks:
        return options.thinking_off
    return fill_places(options.thinking_on, options.thinking_effort, options.thinking_budget)


def _build_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema, with `strict` where it keeps to the rules of that; any other is refused with it."""
    # Most requests want no schema.
    from agentctl.providers.wire.strict import is_strict

    strict = {"strict": True} if is_strict(schema) else {}
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema), **strict}}


def _select(
    parameters: dict[str, Any], request: ModelRequest, limit_field: str, refused: Collection[str]
) -> dict[str, Any]:
    """The parameters to send: none that is null or was refused, the limit under the name that is accepted."""
    given = {name: parameters.pop(name) for name in _MAX_TOKENS if name in parameters}
    declared = "max_tokens" not in given
    limit = request.model.output_limit(*given.values(), request.max_output, declared=declared)
    selected = {
        name: value for name, value in parameters.items() if value is not None and name not in refused
    }
    if given.get("max_completion_tokens") is not None:
        limit_field = "max_completion_tokens"
    # A model that knows the limit under the other name only must not lose it.
    for name in (limit_field, *_MAX_TOKENS) if limit is not None else ():
        if name not in refused:
            selected.setdefault(name, limit)
            break
    return selected
