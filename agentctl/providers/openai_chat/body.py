"""Builds the body of a request."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from agentctl.providers.base import ModelRequest
from agentctl.providers.openai_chat.messages import build_messages
from agentctl.providers.openai_chat.options import ChatOptions

_MAX_TOKENS = ("max_tokens", "max_completion_tokens")


def build_body(request: ModelRequest, options: ChatOptions, refused: Collection[str] = ()) -> dict[str, Any]:
    """The request as a JSON object, without the parameters that the model refused before."""
    thinks = request.thinking and request.purpose == "chat"
    parameters = {
        "max_tokens": request.model.max_output_tokens,
        "stream_options": {"include_usage": True},
        **(options.thinking_on if thinks else options.thinking_off),
        **options.parameters,
    }
    body: dict[str, Any] = {
        "model": request.model.name,
        "messages": build_messages(request, options),
        "stream": True,
    }
    if request.tools and request.purpose == "chat":
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
    body.update(_select(parameters, options.max_tokens_field, refused))
    return body


def _select(parameters: dict[str, Any], limit_field: str, refused: Collection[str]) -> dict[str, Any]:
    """The parameters to send: none that is null or was refused, the limit under the name that is accepted."""
    limit = parameters.pop("max_tokens", None)
    selected = {
        name: value for name, value in parameters.items() if value is not None and name not in refused
    }
    # A model that knows the limit under the other name only must not lose it.
    for name in (limit_field, *_MAX_TOKENS) if limit is not None else ():
        if name not in refused:
            selected.setdefault(name, limit)
            break
    return selected
