"""What the model gets of an answer, and what it reads where the answer is an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agentctl.tools.base import ToolError
from agentctl.tools.http.extract import find_folder, perform

if TYPE_CHECKING:
    from agentctl.net.guard.client import GuardedAnswer

EXCERPT = 300
SECONDS = 5.0
# Bytes of JSON that are read here, where nothing is looked for in them.
SMALL = 20_000
_HEADERS_OF_HEAD = ("content-length", "content-type", "etag", "last-modified")


async def read_answer(answer: GuardedAnswer, place: str, result: str | None, limit: int) -> Any:
    """The JSON of an answer, or what `result` names in it.

    `{"text": ...}` where it is a text, `{"status": ...}` where it is empty.
    Raises ToolError, with the status and the start of what was said, for any other answer than one of
    success; `place` is what the request was, without secrets.
    """
    if not 200 <= answer.status < 300:
        raise ToolError(f"{place} answered {answer.status}{_wait(answer)}: {_excerpt(answer)}")
    if answer.truncated:
        raise ToolError(f"{place} answered with more than {limit:,} bytes (max_bytes)")
    if not answer.body:
        return {"status": answer.status}
    found = await _parse(answer, result)
    if found:
        return found["value"]
    if result:
        raise ToolError(f"{place} answered with what is no JSON: {_excerpt(answer)}")
    text = _decode(answer)
    if text is None:
        kind = answer.content_type or "something"
        raise ToolError(f"{place} answered with {kind} ({len(answer.body):,} bytes), which is no text")
    return {"text": text}


def read_head(answer: GuardedAnswer, place: str) -> dict[str, Any]:
    """The status of a HEAD request, and what its headers say of the body there would be."""
    if answer.status >= 500 or answer.status == 429:
        raise ToolError(f"{place} answered {answer.status}{_wait(answer)}")
    found = {name: answer.headers[name] for name in _HEADERS_OF_HEAD if name in answer.headers}
    return {"status": answer.status, "headers": found}


async def _parse(answer: GuardedAnswer, result: str | None) -> dict[str, Any]:
    try:
        text = answer.body.decode(json.detect_encoding(answer.body))
    except UnicodeDecodeError:
        return {}
    request = {"text": text, "result": result, "folder": find_folder() if result else ""}
    if not result and len(text) <= SMALL:
        return perform(request)
    from agentctl.tools.guard.client import run_guarded

    found: dict[str, Any] = await run_guarded(f"{perform.__module__}:perform", request, timeout=SECONDS)
    return found


def _decode(answer: GuardedAnswer) -> str | None:
    """The body as text; None for bytes that are none."""
    if b"\0" in answer.body[:1_000] and not (answer.charset or "").startswith("utf-16"):
        return None
    try:
        return answer.body.decode(answer.charset or "utf-8")
    except (UnicodeDecodeError, LookupError):
        return answer.body.decode("utf-8", "replace") if answer.content_type.startswith("text/") else None


def _excerpt(answer: GuardedAnswer) -> str:
    text = _decode(answer)
    if text is None or not text.strip():
        return f"{len(answer.body):,} bytes" if answer.body else "nothing more was said"
    if answer.content_type == "text/html":
        return "an HTML page"
    line = " ".join(text[: EXCERPT * 4].split())
    return line if len(line) <= EXCERPT else line[:EXCERPT] + "..."


def _wait(answer: GuardedAnswer) -> str:
    """When to try again, where the server says so in seconds."""
    seconds = answer.headers.get("retry-after", "")
    return f" (try again in {seconds} s)" if seconds.isdecimal() and len(seconds) < 8 else ""
