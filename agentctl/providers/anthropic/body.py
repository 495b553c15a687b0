"""Builds the body of a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentctl.providers.anthropic.caching import mark_for_cache
from agentctl.providers.anthropic.messages import build_messages, ends_in_thoughtless_calls
from agentctl.providers.anthropic.options import MessagesOptions
from agentctl.providers.anthropic.thinking import build_thinking, choose_form, find_budget, find_effort
from agentctl.providers.base import ModelRequest
from agentctl.providers.wire.structured import with_schema

_MAX_TOKENS = 16_000
# What a server refuses while the model thinks.
_LEAST_TOP_P = 0.95
_FORCED = ("any", "tool")


def build_body(
    request: ModelRequest, options: MessagesOptions, refused: Sequence[str] = ()
) -> dict[str, Any]:
    """The request as a JSON object, without the parameters that the model refused before."""
    form = choose_form(options, refused) if request.thinking and request.purpose == "chat" else None
    max_tokens = _find_limit(request, options, form)
    thinking = build_thinking(form, options, max_tokens)
    messages = build_messages(request, thinks=thinking is not None)
    if form == "budget" and ends_in_thoughtless_calls(messages):
        thinking = None
    schema = _find_schema(request, options, refused)
    body: dict[str, Any] = {
        "model": request.model.name,
        "max_tokens": max_tokens,
        "messages": messages,
        "stream": True,
    }
    system = with_schema(request.system, request.schema if schema is None else None)
    if system.strip():
        body["system"] = system
    tools = _build_tools(request, options)
    if tools:
        body["tools"] = tools
    effort = find_effort(options) if form == "adaptive" and "output_config.effort" not in refused else None
    body |= _select(options, refused, thinking, {"effort": effort, "format": schema})
    if options.prompt_cache:
        mark_for_cache(body)
    return body


def _find_limit(request: ModelRequest, options: MessagesOptions, form: str | None) -> int:
    """The least of what limits an answer; the protocol wants a number in any case."""
    limits = (options.max_tokens, request.model.max_output_tokens, request.max_output)
    given = [limit for limit in limits if limit is not None]
    if given:
        return max(min(given), 1)
    return _MAX_TOKENS + (find_budget(options) if form == "budget" else 0)


def _find_schema(
    request: ModelRequest, options: MessagesOptions, refused: Sequence[str]
) -> dict[str, Any] | None:
    """The server's own form of the schema; None where it has none, or refused it."""
    wanted = request.schema is not None and options.structured_output == "native"
    if request.schema is None or not wanted or {"output_config", "output_config.format"} & set(refused):
        return None
    # Most requests want no schema.
    from agentctl.providers.anthropic.schema import restrict

    schema = restrict(request.schema)
    return None if schema is None else {"type": "json_schema", "schema": schema}


def _build_tools(request: ModelRequest, options: MessagesOptions) -> list[dict[str, Any]]:
    if request.purpose == "text":
        return []
    tools = [
        {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}
        for tool in request.tools
    ]
    return [*tools, *(dict(tool) for tool in options.server_tools)]


def _select(
    options: MessagesOptions,
    refused: Sequence[str],
    thinking: Mapping[str, Any] | None,
    output: Mapping[str, Any],
) -> dict[str, Any]:
    """The parameters to send: none that is null, was refused, or is forbidden while the model thinks."""
    parameters = {**({} if thinking else options.thinking_off), **options.parameters}
    if thinking:
        parameters.setdefault("thinking", dict(thinking))
        refused = [name for name in refused if name != "thinking"]
    given = parameters.get("output_config")
    members = {name: value for name, value in output.items() if value is not None}
    parameters["output_config"] = {**members, **(given if isinstance(given, Mapping) else {})} or None
    selected = {
        name: value for name, value in parameters.items() if value is not None and name not in refused
    }
    return selected if _is_off(selected.get("thinking")) else _drop_forbidden(selected)


def _is_off(thinking: Any) -> bool:
    return not isinstance(thinking, Mapping) or thinking.get("type") == "disabled"


def _drop_forbidden(parameters: dict[str, Any]) -> dict[str, Any]:
    top_p, choice = parameters.get("top_p"), parameters.get("tool_choice")
    forbidden = {"temperature", "top_k"}
    if isinstance(top_p, (int, float)) and top_p < _LEAST_TOP_P:
        forbidden.add("top_p")
    if isinstance(choice, Mapping) and choice.get("type") in _FORCED:
        forbidden.add("tool_choice")
    return {name: value for name, value in parameters.items() if name not in forbidden}
