"""Builds the body of a request."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from agentctl.providers.base import ModelRequest
from agentctl.providers.openai_responses.input import build_input
from agentctl.providers.openai_responses.options import ResponsesOptions
from agentctl.providers.wire.effort import fill_places
from agentctl.providers.wire.structured import with_schema

_LIMITS = ("max_output_tokens", "max_tokens")
SEALED = "reasoning.encrypted_content"


def build_body(
    request: ModelRequest, options: ResponsesOptions, refused: Collection[str] = ()
) -> dict[str, Any]:
    """The request as a JSON object, without the parameters that the model refused before."""
    chats = request.purpose == "chat"
    thinks = request.thinking and chats
    native = options.structured_output == "native" and not {"text", "text.format"} & set(refused)
    system = with_schema(request.system, None if native else request.schema)
    body: dict[str, Any] = {"model": request.model.name}
    if system.strip():
        body["instructions"] = system
    body["input"] = build_input(request, sealed="include" not in refused)
    body["stream"] = True
    if request.tools and chats:
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
                "strict": False,
            }
            for tool in request.tools
        ]
    parameters = {"store": False, **_find_thinking(options, thinks=thinks), **options.parameters}
    if request.schema is not None and native:
        parameters["text"] = _add_format(parameters.get("text"), request.schema)
    _set_limit(parameters, request, options.min_output_tokens)
    selected = _select(parameters, refused)
    # A model that takes no word about reasoning has none that could be sealed.
    reasons = thinks and ("reasoning" in selected or "reasoning" not in parameters)
    reasoned = any(item["type"] == "reasoning" for item in body["input"])
    if (reasons or reasoned) and "include" not in {*parameters, *refused}:
        selected["include"] = [SEALED]
    return {**body, **selected}


def _find_thinking(options: ResponsesOptions, *, thinks: bool) -> Mapping[str, Any]:
    if not thinks:
        return options.thinking_off
    return fill_places(options.thinking_on, options.thinking_effort, options.thinking_budget)


def _add_format(text: Any, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The parameter `text` with a schema: strict where it keeps to the rules of that, else it is refused."""
    # Most requests want no schema.
    from agentctl.providers.wire.strict import is_strict

    form = {"type": "json_schema", "name": "answer", "schema": dict(schema), "strict": is_strict(schema)}
    return {**(text if isinstance(text, Mapping) else {}), "format": form}


def _set_limit(parameters: dict[str, Any], request: ModelRequest, least: int) -> None:
    """Put the least of all limits under the one name that this protocol has for it."""
    given = [parameters.pop(name) for name in _LIMITS if name in parameters]
    # A limit that is taken away by null takes the model's with it.
    limit = request.model.output_limit(*given, request.max_output, declared=None not in given)
    if limit is not None:
        parameters["max_output_tokens"] = max(limit, least)


def _select(parameters: Mapping[str, Any], refused: Collection[str]) -> dict[str, Any]:
    """The parameters to send: none that is null or was refused, alone or as `parameter.member`."""
    selected: dict[str, Any] = {}
    for name, given in parameters.items():
        if isinstance(given, Mapping) and given:
            given = {key: each for key, each in given.items() if f"{name}.{key}" not in refused} or None
        if given is not None and name not in refused:
            selected[name] = given
    return selected
