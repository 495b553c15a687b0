"""Tests a model with two tiny requests: does it answer, stream, call a tool and count its tokens."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Literal

from agentctl.domain.message import Message, Text, Usage
from agentctl.domain.model import ResolvedModel
from agentctl.domain.value import value
from agentctl.errors import AgentctlError, TimeLimit
from agentctl.providers.base import Adapter, Delta, ModelRequest, Reply, ToolSchema

# Enough for a model that thinks before it speaks, and the most that a test can cost.
MAX_OUTPUT = 512
WORDS = "Count from one to ten in words, nothing else."
CALL = "What is 19 + 23? Use the tool."
TOOL = ToolSchema(
    "add",
    "Adds two whole numbers.",
    {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    },
)

Status = Literal["ok", "no", "failed", "skipped"]


@value
class Check:
    """One thing that was tried: `failed` is a fault of the request, `no` an answer without it."""

    name: str
    status: Status
    detail: str
    hint: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """A row."""
        return {"check": self.name, "status": self.status, "detail": self.detail, "hint": self.hint}


@value
class Probe:
    """What a test found. Times in milliseconds; `usage` is None where the server counts nothing."""

    checks: tuple[Check, ...]
    first_delta_ms: int | None = None
    duration_ms: int = 0
    usage: Usage | None = None
    error: AgentctlError | None = None


@value
class _Heard:
    """One request: how many pieces of text came, when the first of anything did, and the reply."""

    reply: Reply
    pieces: int
    first_ms: int | None
    duration_ms: int


Record = Callable[[Usage | None], None]


async def probe(model: ResolvedModel, adapter: Adapter, *, seconds: float, record: Record) -> Probe:
    """Ask twice at most, never again after a fault; `seconds` is the time limit of each request.

    `record` hears what each request used. Every trouble ends in a Probe with its `error`.
    """
    try:
        adapter.check(model.model)
        said = await _ask(model, adapter, ModelRequest(model.model, _question(WORDS)), seconds)
    except AgentctlError as caught:
        return Probe((_failed("reachable", caught), *_skipped("streaming", "tools", "usage")), error=caught)
    _record(said, record)
    fault = said.reply.fault
    if fault:
        failed = fault.as_error()
        checks = (_failed("reachable", failed), *_skipped("streaming", "tools", "usage"))
        return Probe(checks, said.first_ms, said.duration_ms, said.reply.usage, failed)
    error, tools, used = await _try_tool(model, adapter, seconds, record)
    checks = (_reached(said), _streamed(said), tools, _counted(said.reply.usage))
    counted = [usage for usage in (said.reply.usage, used) if usage is not None]
    total = sum(counted, start=Usage()) if counted else None
    return Probe(checks, said.first_ms, said.duration_ms, total, error)


async def _try_tool(
    model: ResolvedModel, adapter: Adapter, seconds: float, record: Record
) -> tuple[AgentctlError | None, Check, Usage | None]:
    request = ModelRequest(model.model, _question(CALL), tools=(TOOL,))
    try:
        heard = await _ask(model, adapter, request, seconds)
    except AgentctlError as error:
        return error, _failed("tools", error), None
    reply = heard.reply
    _record(heard, record)
    if reply.fault:
        failed = reply.fault.as_error()
        return failed, _failed("tools", failed), reply.usage
    return None, _called(reply), reply.usage


async def _ask(model: ResolvedModel, adapter: Adapter, request: ModelRequest, seconds: float) -> _Heard:
    start = time.monotonic()
    first: float | None = None
    pieces, reply = 0, Reply()
    bounded = replace(request, max_output=MAX_OUTPUT)
    try:
        async with asyncio.timeout(seconds), aclosing(adapter.stream(bounded)) as items:
            async for item in items:
                if isinstance(item, Delta):
                    first = time.monotonic() if first is None else first
                    pieces += item.kind == "text"
                elif isinstance(item, Reply):
                    reply = item
    except TimeoutError:
        raise TimeLimit(
            f"{model.reference} did not answer within {seconds:g} s",
            hint="Allow more with --timeout SECONDS.",
        ) from None
    return _Heard(reply, pieces, None if first is None else _ms(first - start), _ms(time.monotonic() - start))


def _record(heard: _Heard, record: Record) -> None:
    """Tell what was used; a request that failed before its first token used nothing."""
    reply = heard.reply
    if reply.usage is not None or heard.first_ms is not None or not reply.fault:
        record(reply.usage)


def _question(text: str) -> tuple[Message, ...]:
    return (Message("user", (Text(text),)),)


def _reached(heard: _Heard) -> Check:
    if heard.first_ms is None:
        return Check("reachable", "ok", f"answered after {heard.duration_ms} ms, without a word")
    return Check(
        "reachable", "ok", f"first words after {heard.first_ms} ms, all after {heard.duration_ms} ms"
    )


def _streamed(heard: _Heard) -> Check:
    if heard.pieces > 1:
        return Check("streaming", "ok", f"{heard.pieces} pieces")
    if not heard.reply.text:
        spent = heard.reply.finish == "length"
        why = f"no text within {MAX_OUTPUT} tokens: it thought too long" if spent else "no text came"
        return Check("streaming", "no", why)
    return Check("streaming", "no", "the text came in one piece")


def _called(reply: Reply) -> Check:
    call = next(iter(reply.calls), None)
    if call is None:
        return Check("tools", "no", "it was offered a tool and called none", "Use it with --no-tools.")
    if call.name != TOOL.name or call.arguments is None or {*call.arguments} != {"a", "b"}:
        return Check("tools", "no", f"it called {call.name} with {call.raw[:200]}")
    return Check("tools", "ok", "it called a tool with the right arguments")


def _counted(usage: Usage | None) -> Check:
    if usage is None:
        return Check("usage", "no", "the server counts no tokens", "Costs of this model stay unknown.")
    return Check("usage", "ok", f"{usage.input} tokens in, {usage.output} out")


def _failed(name: str, error: AgentctlError) -> Check:
    return Check(name, "failed", error.message, error.hint)


def _skipped(*names: str) -> tuple[Check, ...]:
    return tuple(Check(name, "skipped", "it could not be reached") for name in names)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
