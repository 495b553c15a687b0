"""Turns what providers and networks say into faults: which kind, and whether to try again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agentctl.net.failure import NetworkFailure
from agentctl.net.retry import find_in_body, find_retry_after, is_retryable
from agentctl.providers.base import CONTEXT_OVERFLOW, OVERFLOWS, Fault

# Words for "no money left" that providers use as structured codes. Their prose says as much for mere rate
# limits, so it never counts.
QUOTA_CODES = frozenset(
    {
        "billing_error",
        "billing_hard_limit_reached",
        "billing_not_active",
        "insufficient_balance",
        "insufficient_quota",
    }
)
# Anthropic says it in prose, under a status that has nothing to do with rate limits.
_BROKE = r"(?i)credit balance is too low"
# Patterns are text where a good answer needs none of them: compiling them all takes longer than a request.
_CREDENTIALS = r"(?i)auth|api.?key|permission|forbidden"
_TEMPORARY = (
    r"(?i)rate.?limit|overload|unavailable|server.?error|internal|time.?out|too.?many|api_error|capacity"
    r"|resource.?exhausted"
)
# What a provider calls a request that is larger than the model's window, where it has no code for that.
# test_faults.py says who says which.
_OVERFLOW = (
    r"(?i)prompt (?:is )?too long|(?:input|prompt) is too long for|too large for model with"
    r"|reduce the length of"
    r"|exceed(?:s|ed)?\b.{0,60}\b(?:context|max(?:imum)? (?:length|number of tokens)|model token limit)"
    r"|context (?:length|limit|size|window)\b.{0,40}\bexceed|longer than the (?:maximum )?(?:model|context)"
    r"|maximum (?:context|model|prompt) length|context length (?:is|of) only|range of input length should be"
)
# A limit of tokens a minute is worded much the same, and is none of the window.
_OVERFLOW_STATUSES = (None, 400, 413, 422, 500)
_LONGEST = 600


def truncated(*, emitted: bool) -> Fault:
    """The stream ended in the middle; it may be tried again only where nothing came of it (`emitted`)."""
    return Fault("temporary", "truncated", "stream ended before the model finished", retryable=not emitted)


def not_json(text: str, content_type: str = "") -> Fault:
    """Something else than JSON or events came, usually the page of some other server."""
    came = f"The answer came as {content_type}; check" if content_type else "Check"
    return Fault("provider", "http", f"not JSON: {shorten(text)}", hint=f"{came} the provider's base_url.")


def no_answer(text: str) -> Fault:
    """JSON came, and nothing in it that this protocol could mean."""
    message = f"JSON that is no answer: {shorten(text)}"
    return Fault("provider", "http", message, hint="Check the provider's base_url.")


def from_network(failure: NetworkFailure) -> Fault:
    """The fault behind a request that did not get through, or an answer that broke off."""
    return Fault(
        "timeout" if failure.type == "idle" else "temporary",
        failure.type,
        failure.message,
        retryable=failure.retryable,
        hint=failure.hint,
    )


def from_error(error: Any, status: int | None = None) -> Fault:
    """The fault behind an `error` value as providers send it: an object with message, type and code, or text.

    `status` is the HTTP status if that was an error; else a number in the error stands for it. Without any,
    the words of `type` and `code` decide whether trying again makes sense.
    """
    fields: Mapping[str, Any] = error if isinstance(error, Mapping) else {"message": error}
    words = [word for word in (_word(fields.get(key)) for key in ("type", "code", "status")) if word]
    status = status or _find_status(fields)
    message = shorten(_find_message(fields) or (words[0] if words else "the provider sent an error"))
    wait = find_in_body(fields)
    name = words[0] if words else "error"
    if QUOTA_CODES.intersection(words) or status == 402 or _is_broke(message, status):
        hint = "The account is out of credit; add some, or choose another model with -m."
        return Fault("credentials", "quota", message, status=status, hint=hint)
    if "overloaded_error" in words:
        return Fault("temporary", name, message, True, status, wait)
    if _is_overflow(words, message, status):
        return Fault("provider", name if name in OVERFLOWS else CONTEXT_OVERFLOW, message, status=status)
    if status in (401, 403):
        return Fault("credentials", name, message, status=status)
    if status is not None:
        again = is_retryable(status)
        return Fault("temporary" if again else "provider", name, message, again, status, wait)
    if any(re.search(_TEMPORARY, word) for word in words):
        return Fault("temporary", name, message, True, None, wait)
    if any(re.search(_CREDENTIALS, word) for word in words):
        return Fault("credentials", name, message)
    return Fault("provider", name, message)


def from_body(
    status: int,
    body: bytes,
    content_type: str = "",
    headers: Mapping[str, str] | None = None,
    now: float = 0.0,
) -> Fault:
    """The fault behind an HTTP status of 300 and more, its body and headers; `now` is seconds since 1970."""
    text = body.decode("utf-8", "replace").strip()
    whole = value = decode_body(body)
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, Mapping):
        inner = value.get("error")
        if isinstance(inner, Mapping) and any(inner.values()):
            value = inner
        fault = from_error(value, status)
    else:
        page = re.search(r"<title>(.*?)</title>", text[:20_000], re.DOTALL | re.IGNORECASE)
        words = shorten(page[1] if page else text) or content_type or "an empty body"
        fault = replace(from_error(f"HTTP {status}: {words}", status), type="http")
    return replace(fault, retry_after=find_retry_after(headers or {}, whole, now=now))


def decode_body(body: bytes) -> Any:
    """The JSON value in a body, None where it is something else."""
    try:
        return json.loads(body.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None


def shorten(text: str) -> str:
    """One line of at most 600 characters."""
    line = " ".join(text[: 4 * _LONGEST].split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _is_broke(message: str, status: int | None) -> bool:
    return status != 429 and re.search(_BROKE, message) is not None


def _is_overflow(words: list[str], message: str, status: int | None) -> bool:
    """Whether the request was larger than the model's window."""
    if OVERFLOWS.intersection(words):
        return True
    return status in _OVERFLOW_STATUSES and re.search(_OVERFLOW, message) is not None


def _find_message(fields: Mapping[str, Any], depth: int = 4) -> str:
    for key in ("message", "detail", "msg", "error", "errors"):
        value = fields.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if value and not isinstance(value, str):
            return _flatten(value, depth)
    return ""


def _flatten(value: Any, depth: int = 4) -> str:
    """The words in a message that is no text: lists of problems, objects in objects."""
    if isinstance(value, Mapping) and depth:
        return _find_message(value, depth - 1) or ", ".join(map(str, value))
    if isinstance(value, list) and depth:
        return "; ".join(_flatten(item, depth - 1) for item in value[:10])
    return value if isinstance(value, str) else type(value).__name__


def _find_status(fields: Mapping[str, Any]) -> int | None:
    """A number between 400 and 599 under `code` or `status`."""
    for key in ("code", "status", "status_code"):
        value = fields.get(key)
        if isinstance(value, str) and value.isdecimal() and len(value) == 3:
            value = int(value)
        if isinstance(value, int) and 400 <= value <= 599:
            return value
    return None


def _word(value: Any) -> str:
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
