"""A server that refuses what real servers refuse, each rule by the name of who is known for it.

with Server(Refusing("pairs", "roles")) as server:
    ...  # an answer, or a 400 with the words of the rule that was broken
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any

from tests.loopback import Received, Response, json_body, said

Body = Mapping[str, Any]
Rule = Callable[[Body], str | None]


class Refusing:
    """Answers "fine" to a request that keeps all of `rules` (by default all that no server contradicts)."""

    def __init__(self, *rules: str) -> None:
        self._rules = rules or COMMON

    def __call__(self, received: Received) -> Response:
        body = json.loads(received.body.decode())
        for name in self._rules:
            fault = RULES[name](body)
            if fault:
                return refuse(fault, name)
        return Response(said("fine"))


def refuse(fault: str, name: str) -> Response:
    if name in PARAMETERS:
        error = {"message": fault, "code": "unsupported_parameter", "param": name}
        return json_body({"error": error}, 400)
    if name.startswith("extra "):
        detail = [{"type": "extra_forbidden", "loc": ["body", name.removeprefix("extra ")]}]
        return json_body({"object": "error", "message": {"detail": detail}}, 422)
    return json_body({"error": {"message": fault, "type": "invalid_request_error", "code": None}}, 400)


def check_arguments(body: Body) -> str | None:
    for call in calls_of(body):
        arguments = call["function"]["arguments"]
        if not isinstance(arguments, str):
            return "Invalid type for tool_calls[0].function.arguments: expected a string, got an object"
        try:
            value = json.loads(arguments)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            return "tool_use.input: Input should be a valid dictionary"
    return None


def check_blanks(body: Body) -> str | None:
    for message in body["messages"]:
        if any(not text.strip() for text in texts_of(message)):
            return "text content blocks must contain non-whitespace text"
        if message["content"] is None and not message.get("tool_calls"):
            return "content must not be empty"
    return None


def check_ends(body: Body) -> str | None:
    spoken = (message for message in body["messages"] if message["role"] == "assistant")
    if any(text != text.rstrip() for message in spoken for text in texts_of(message)):
        return "final assistant content cannot end with trailing whitespace"
    return None


def check_roles(body: Body) -> str | None:
    roles = [message["role"] for message in body["messages"]]
    if "system" in roles[1:]:
        return "System message must be at the beginning."
    if set(roles) - {"system", "user", "assistant", "tool"}:
        return "Unexpected message role."
    spoken = [role for role in roles if role != "system"]
    if spoken[:1] != ["user"]:
        return "After the optional system message, conversation roles must begin with user"
    if any(a == b != "tool" for a, b in pairwise(spoken)):
        return "Conversation roles must alternate user/assistant/user/assistant/..."
    return None


def check_pairs(body: Body) -> str | None:
    waiting: list[str] = []
    for message in body["messages"]:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
            waiting.remove(message["tool_call_id"])
        elif waiting:
            return "An assistant message with 'tool_calls' must be followed by tool messages for each id"
        waiting += [call["id"] for call in message.get("tool_calls", ())]
    return "An assistant message with 'tool_calls' must be followed by tool messages" if waiting else None


def check_unique_ids(body: Body) -> str | None:
    ids = [call["id"] for call in calls_of(body)]
    return "tool_call_id is duplicated" if len(ids) != len(set(ids)) else None


def check_nine_letters(body: Body) -> str | None:
    ids = [call["id"] for call in calls_of(body)]
    ids += [message["tool_call_id"] for message in body["messages"] if message["role"] == "tool"]
    if all(re.fullmatch("[a-zA-Z0-9]{9}", each) for each in ids):
        return None
    return "Tool call id must be a-z, A-Z, 0-9, with a length of 9."


def check_thinking_chunks(body: Body) -> str | None:
    for message in body["messages"]:
        content = message["content"] if isinstance(message["content"], list) else ()
        if sum(part.get("type") == "thinking" for part in content) > 1:
            return "Expected at most one thinking chunk"
    return None


def check_reasoning(body: Body) -> str | None:
    """Reasoning comes back with every call, and it is the one that was given."""
    for message in body["messages"]:
        if not message.get("tool_calls"):
            continue
        if message.get("reasoning_content") not in ("", "I need the tool."):
            return "The `reasoning_content` in the thinking mode must be passed back to the API."
    return None


def check_signatures(body: Body) -> str | None:
    """This server made the signature `ours`; whatever else is signed came from another one."""
    for message in body["messages"]:
        signed = [detail.get("signature") for detail in message.get("reasoning_details", ())]
        signed += [
            call["extra_content"]["signature"]
            for call in message.get("tool_calls", ())
            if "extra_content" in call
        ]
        if any(signature != "ours" for signature in signed):
            return "Invalid `signature` in `thinking` block"
    return None


def check_surrogates(body: Body) -> str | None:
    text = json.dumps(body, ensure_ascii=False)
    return "surrogates not allowed" if re.search("[\ud800-\udfff]", text) else None


def forbid(name: str) -> Rule:
    return lambda body: f"Unsupported parameter: {name}" if name in body else None


def texts_of(message: Body) -> Iterator[str]:
    content = message["content"]
    for part in content if isinstance(content, list) else [content]:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            yield text


def calls_of(body: Body) -> Iterator[Body]:
    for message in body["messages"]:
        yield from message.get("tool_calls", ())


PARAMETERS = ("max_completion_tokens", "max_tokens", "reasoning_effort", "temperature")
RULES: Mapping[str, Rule] = {
    "arguments": check_arguments,
    "blanks": check_blanks,
    "ends": check_ends,
    "nine letters": check_nine_letters,
    "pairs": check_pairs,
    "reasoning": check_reasoning,
    "roles": check_roles,
    "signatures": check_signatures,
    "surrogates": check_surrogates,
    "thinking chunks": check_thinking_chunks,
    "unique ids": check_unique_ids,
    **{name: forbid(name) for name in PARAMETERS},
    **{f"extra {name}": forbid(name) for name in ("max_completion_tokens", "stream_options")},
}
COMMON: Collection[str] = ("arguments", "blanks", "ends", "pairs", "roles", "surrogates", "unique ids")
