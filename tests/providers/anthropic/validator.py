"""A Messages server that is as strict as the real one: what that refuses with 400 is refused here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tests.loopback import Received, Response, json_body

_ID = r"[a-zA-Z0-9_-]+"
_NAME = r"[a-zA-Z0-9_-]{1,128}"
_PARAMETERS = frozenset(
    {
        "max_tokens",
        "messages",
        "metadata",
        "model",
        "output_config",
        "service_tier",
        "stop_sequences",
        "stream",
        "system",
        "temperature",
        "thinking",
        "tool_choice",
        "tools",
        "top_k",
        "top_p",
    }
)
_THOUGHTS = ("thinking", "redacted_thinking")
_FIELDS: Mapping[str, frozenset[str]] = {
    "document": frozenset({"source"}),
    "image": frozenset({"source"}),
    "redacted_thinking": frozenset({"data"}),
    "server_tool_use": frozenset({"id", "name", "input"}),
    "text": frozenset({"text"}),
    "thinking": frozenset({"thinking", "signature"}),
    "tool_result": frozenset({"tool_use_id"}),
    "tool_use": frozenset({"id", "name", "input"}),
    "web_search_tool_result": frozenset({"tool_use_id", "content"}),
}
_OPTIONAL = frozenset({"cache_control", "caller", "citations", "content", "is_error", "type"})
_UNSUPPORTED_IN_SCHEMAS = ("minimum", "maximum", "maxLength", "minLength", "maxItems", "oneOf")


class RefusedError(Exception):
    """What the server says with status 400."""


def strict(answer: Response, *, signatures: Sequence[str] = ()) -> Callable[[Received], Response]:
    """A server that gives `answer` to what is sound; `signatures` are those that this model made."""

    def serve(request: Received) -> Response:
        try:
            check_body(request.body.decode("utf-8"), request.json, signatures)
        except RefusedError as error:
            inner = {"type": "invalid_request_error", "message": str(error)}
            return json_body({"type": "error", "error": inner}, 400)
        return answer

    return serve


def check_body(raw: str, body: Mapping[str, Any], signatures: Sequence[str] = ()) -> None:
    """Raise RefusedError for what the real server refuses."""
    _refuse_if(re.search(r"\\ud[89a-f][0-9a-f]{2}", raw) is not None, "invalid high surrogate in string")
    for name in body.keys() - _PARAMETERS:
        raise RefusedError(f"{name}: Extra inputs are not permitted")
    limit = body.get("max_tokens")
    _refuse_if(not isinstance(limit, int) or limit < 1, "max_tokens: Field required")
    _check_thinking(body)
    _check_system(body.get("system"))
    _check_tools(body.get("tools"))
    _check_schema(body.get("output_config"))
    _check_messages(body["messages"], body, signatures)
    marks = sum(1 for found in _walk(body) if "cache_control" in found)
    _refuse_if(marks > 4, "A maximum of 4 blocks with cache_control may be provided")


def _refuse_if(condition: bool, message: str) -> None:
    if condition:
        raise RefusedError(message)


def _walk(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        for inner in value.values():
            yield from _walk(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _walk(inner)


def _check_thinking(body: Mapping[str, Any]) -> None:
    thinking = body.get("thinking") or {}
    if thinking.get("type") not in ("enabled", "adaptive"):
        return
    if thinking["type"] == "enabled":
        budget = thinking["budget_tokens"]
        _refuse_if(budget < 1024, "thinking.enabled.budget_tokens: Input should be at least 1024")
        _refuse_if(budget >= body["max_tokens"], "`max_tokens` must be greater than `budget_tokens`")
    _refuse_if(body.get("temperature", 1) != 1, "`temperature` may only be set to 1 when thinking is on")
    _refuse_if("top_k" in body, "`top_k` must be unset when thinking is on")
    _refuse_if(body.get("top_p", 1) < 0.95, "`top_p` must be at least 0.95 when thinking is on")
    forced = (body.get("tool_choice") or {}).get("type") in ("any", "tool")
    _refuse_if(forced, "Thinking may not be enabled when tool_choice forces tool use.")


def _check_system(system: Any) -> None:
    for block in system if isinstance(system, list) else ():
        _refuse_if(not block["text"].strip(), "system: text content blocks must contain non-whitespace text")


def _check_tools(tools: Any) -> None:
    _refuse_if(tools == [], "tools: List should have at least 1 item")
    names = [tool["name"] for tool in tools or ()]
    _refuse_if(len(set(names)) != len(names), "tools: Tool names must be unique.")
    for tool in tools or ():
        schema = tool.get("input_schema", {"type": "object"})
        own = "type" not in tool
        _refuse_if(own and schema.get("type") != "object", "tools.0.input_schema.type: Field required")


def _check_schema(config: Any) -> None:
    schema = ((config or {}).get("format") or {}).get("schema")
    for found in _walk(schema):
        if found.get("type") == "object":
            extra = found.get("additionalProperties")
            _refuse_if(
                extra is not False,
                "output_config.format.schema: For 'object' type, 'additionalProperties' must be false",
            )
        for word in _UNSUPPORTED_IN_SCHEMAS:
            wrong = word in found and not isinstance(found[word], Mapping)
            _refuse_if(wrong, f"output_config.format.schema: property '{word}' is not supported")


def _check_messages(
    messages: Sequence[Mapping[str, Any]], body: Mapping[str, Any], signatures: Sequence[str]
) -> None:
    _refuse_if(not messages, "messages: at least one message is required")
    for number, message in enumerate(messages):
        role = ("user", "assistant")[number % 2]
        wrong = message["role"] != role
        _refuse_if(wrong, 'messages: roles must alternate between "user" and "assistant"')
        _refuse_if(not message["content"], f"messages.{number}: all messages must have non-empty content")
        for block in message["content"]:
            _check_block(block, role, signatures)
    used: set[str] = set()
    for number, message in enumerate(messages):
        _check_calls(message, messages[number + 1] if number + 1 < len(messages) else None, used)
        _check_results(message, messages[number - 1] if number else None)
    _check_end(messages, body)


def _check_block(block: Mapping[str, Any], role: str, signatures: Sequence[str]) -> None:
    kind = block["type"]
    _refuse_if(kind not in _FIELDS, f"Input tag '{kind}' found using 'type' does not match")
    _refuse_if(not _FIELDS[kind] <= block.keys(), f"{kind}: Field required")
    _refuse_if(not block.keys() <= _FIELDS[kind] | _OPTIONAL, f"{kind}: Extra inputs are not permitted")
    if kind == "text":
        _refuse_if(not block["text"].strip(), "text content blocks must contain non-whitespace text")
    if kind in ("tool_use", "server_tool_use"):
        _refuse_if(not isinstance(block["input"], dict), f"{kind}.input: Input should be an object")
        _refuse_if(not re.fullmatch(_ID, block["id"]), f"{kind}.id: String should match pattern")
        _refuse_if(not re.fullmatch(_NAME, block["name"]), f"{kind}.name: String should match pattern")
    if kind == "thinking":
        _refuse_if(block["signature"] not in signatures, "Invalid `signature` in `thinking` block")
    if kind == "redacted_thinking":
        _refuse_if(block["data"] not in signatures, "Invalid `data` in `redacted_thinking` block")
    _refuse_if("cache_control" in block and kind in _THOUGHTS, f"{kind}.cache_control: not permitted")
    only_user = ("tool_result", "image", "document")
    _refuse_if(role == "assistant" and kind in only_user, f"{kind} blocks can only be in user messages")
    _refuse_if(role == "user" and kind not in (*only_user, "text"), f"{kind} cannot be in a user message")


def _check_calls(message: Mapping[str, Any], after: Mapping[str, Any] | None, used: set[str]) -> None:
    calls = [block["id"] for block in message["content"] if block["type"] == "tool_use"]
    _refuse_if(len(set(calls)) != len(calls) or bool(used & set(calls)), "`tool_use` ids must be unique")
    used |= set(calls)
    content = after["content"] if after else []
    results = [block["tool_use_id"] for block in content[: len(calls)] if block["type"] == "tool_result"]
    wrong = set(calls) != set(results)
    _refuse_if(wrong, "`tool_use` ids were found without `tool_result` blocks immediately after")


def _check_results(message: Mapping[str, Any], before: Mapping[str, Any] | None) -> None:
    calls = {block["id"] for block in (before or {"content": []})["content"] if block["type"] == "tool_use"}
    results = [block["tool_use_id"] for block in message["content"] if block["type"] == "tool_result"]
    _refuse_if(not set(results) <= calls, "unexpected `tool_use_id` found in `tool_result` blocks")
    _refuse_if(len(set(results)) != len(results), "each tool_use must have a single result")


def _check_end(messages: Sequence[Mapping[str, Any]], body: Mapping[str, Any]) -> None:
    thinking = (body.get("thinking") or {}).get("type")
    for number, message in enumerate(messages):
        content = message["content"]
        final = number == len(messages) - 1
        _refuse_if(content[-1]["type"] in _THOUGHTS, "The final block in a message cannot be `thinking`")
        if message["role"] == "assistant" and not final:
            searched = {block["id"] for block in content if block["type"] == "server_tool_use"}
            found = {block["tool_use_id"] for block in content if block["type"] == "web_search_tool_result"}
            calls = any(block["type"] == "tool_use" for block in content)
            _refuse_if(searched != found and not calls, "`server_tool_use` without a result")
    last = messages[-1]
    if last["role"] == "assistant":
        text = last["content"][-1].get("text", "")
        _refuse_if(text != text.rstrip(), "final assistant content cannot end with trailing whitespace")
        thoughts = any(block["type"] in _THOUGHTS for block in last["content"])
        _refuse_if(thoughts and not thinking, "When `thinking` is disabled, the end cannot be `thinking`")
    elif last["content"][0]["type"] == "tool_result" and thinking == "enabled":
        first = messages[-2]["content"][0]["type"]
        _refuse_if(first not in _THOUGHTS, f"Expected `thinking`, but found `{first}`")
