"""A Responses server that refuses what the real one refuses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.loopback import Received, Response, json_body
from tests.providers.openai_responses.streams import completed, message

KNOWN = {
    "include",
    "input",
    "instructions",
    "max_output_tokens",
    "metadata",
    "model",
    "parallel_tool_calls",
    "reasoning",
    "store",
    "stream",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_p",
}
ITEM_KEYS: Mapping[str, set[str]] = {
    "function_call": {"type", "call_id", "name", "arguments"},
    "function_call_output": {"type", "call_id", "output"},
    "message": {"type", "role", "content", "phase"},
    "reasoning": {"type", "id", "summary", "encrypted_content"},
}
CALL_ID = r"[A-Za-z0-9_-]{1,64}"


class Refusal(Exception):
    """A 400 with the words, the parameter and the code of the real server."""

    def __init__(self, message: str, param: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}


def strictly(*, reasons: bool = True, answer: Response | None = None) -> Callable[[Received], Response]:
    """Answers a request that is right with `answer`; `reasons` says whether the model thinks."""

    def respond(request: Received) -> Response:
        try:
            check_body(request.json, reasons=reasons)
        except Refusal as refusal:
            return json_body({"error": refusal.error}, 400)
        return answer or Response([completed(message("fine"))])

    return respond


def check_body(body: Mapping[str, Any], *, reasons: bool) -> None:
    """Raise Refusal for what the server does not accept."""
    for name in sorted(body.keys() - KNOWN):
        raise Refusal(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
    if reasons and "temperature" in body:
        text = "Unsupported parameter: 'temperature' is not supported with this model."
        raise Refusal(text, "temperature", "unsupported_parameter")
    if not reasons and "reasoning" in body:
        name = f"reasoning.{min(body['reasoning'])}"
        raise Refusal(
            f"Unsupported parameter: '{name}' is not supported with this model.",
            name,
            "unsupported_parameter",
        )
    if not reasons and "include" in body:
        raise Refusal("Encrypted content is not supported with this model.", "include")
    if body.get("max_output_tokens", 16) < 16:
        text = "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16."
        raise Refusal(text, "max_output_tokens", "integer_below_min_value")
    if body.get("instructions") == "" or not body["input"]:
        raise Refusal("Missing input.", "input", "missing_required_parameter")
    for position, item in enumerate(body["input"]):
        _check_item(item, f"input[{position}]", stored=body.get("store", True))
    _check_order(body["input"])


def _check_item(item: Mapping[str, Any], place: str, *, stored: bool) -> None:
    kind = item.get("type", "message")
    if kind not in ITEM_KEYS:
        raise Refusal(f"Invalid value: '{kind}'.", f"{place}.type", "invalid_value")
    for key in sorted(item.keys() - ITEM_KEYS[kind]):
        raise Refusal(f"Unknown parameter: '{place}.{key}'.", f"{place}.{key}", "unknown_parameter")
    for key in sorted(ITEM_KEYS[kind] - {"phase", "id", "encrypted_content"} - item.keys()):
        raise Refusal(
            f"Missing required parameter: '{place}.{key}'.", f"{place}.{key}", "missing_required_parameter"
        )
    if "call_id" in item and not re.fullmatch(CALL_ID, item["call_id"]):
        raise Refusal(
            f"Invalid '{place}.call_id': string too long or with other characters.", f"{place}.call_id"
        )
    for key in ("arguments", "output"):
        if not isinstance(item.get(key, ""), str):
            raise Refusal(
                f"Invalid type for '{place}.{key}': expected a string.", f"{place}.{key}", "invalid_type"
            )
    if kind == "reasoning" and not stored and not item.get("encrypted_content"):
        raise Refusal(
            f"Item with id '{item.get('id')}' not found. Items are not persisted when `store` is false."
        )
    if kind == "message":
        _check_content(item, f"{place}.content")


def _check_content(item: Mapping[str, Any], place: str) -> None:
    content, role = item["content"], item["role"]
    if role not in ("assistant", "user"):
        raise Refusal(f"Invalid value: '{role}'.", "input", "invalid_value")
    if not content or (isinstance(content, str) and not content.strip()):
        raise Refusal(f"Invalid '{place}': empty.", place, "empty_string")
    for part in content if isinstance(content, list) else ():
        if part["type"] not in ("input_text", "input_image", "input_file") or role != "user":
            raise Refusal(f"Invalid value: '{part['type']}'.", place, "invalid_value")


def _check_order(items: list[Mapping[str, Any]]) -> None:
    waiting: set[str] = set()
    seen: set[str] = set()
    for position, item in enumerate(items):
        kind, following = item.get("type", "message"), items[position + 1 : position + 2]
        if kind == "function_call":
            if item["call_id"] in seen:
                raise Refusal(f"Duplicate function_call with call_id {item['call_id']}.", "input")
            seen.add(item["call_id"])
            waiting.add(item["call_id"])
        elif kind == "function_call_output":
            if item["call_id"] not in waiting:
                raise Refusal(
                    f"No tool call found for function call output with call_id {item['call_id']}.", "input"
                )
            waiting.remove(item["call_id"])
        elif kind == "reasoning":
            _check_reasoning(item, following, seen)
    if waiting:
        raise Refusal(f"No tool output found for function call {min(waiting)}.", "input")


def _check_reasoning(item: Mapping[str, Any], following: list[Mapping[str, Any]], seen: set[str]) -> None:
    if item.get("id") in seen:
        raise Refusal(f"Duplicate item found with id {item['id']}.", "input")
    seen.add(item.get("id", ""))
    next_one = following[0] if following else {}
    led = next_one.get("type") in ("function_call", "reasoning") or next_one.get("role") == "assistant"
    if not led:
        raise Refusal(
            f"Item '{item.get('id')}' of type 'reasoning' was provided without its required following item.",
            "input",
        )
