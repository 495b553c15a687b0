"""Streams that real servers send, one JSON object a line, and what is to become of them."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agentctl.domain.model import Provider
from agentctl.providers.base import Adapter, Delta, Reply, Runtime, StreamItem, WireCall
from tests.loopback import Response, Server
from tests.providers.asking import collect, make_request

Case = Mapping[str, Any]

BIG = 1_500_000


def read_cases(name: str) -> list[Case]:
    """The cases of the file `name` in this folder."""
    return [json.loads(line) for line in (Path(__file__).parent / name).read_text("utf-8").splitlines()]


def play(
    case: Case,
    kind: type[Adapter],
    runtime: Runtime,
    *,
    options: Mapping[str, Any] | None = None,
    end: Sequence[str] = (),
) -> list[StreamItem]:
    """What an adapter of this kind yields when a server sends the chunks of a case; `end` ends a big one."""
    settings = case.get("options") or {}
    response = Response(
        read_chunks(case, end),
        status=settings.get("status", 200),
        headers={"content-type": settings.get("ctype", "text/event-stream")},
    )
    with Server(response, pause=0.0005) as server:
        adapter = kind(Provider("mine", "any", server.url, options=options or {}), runtime)
        return collect(adapter, make_request())


def read_chunks(case: Case, end: Sequence[str] = ()) -> list[bytes | str | float]:
    """The reads of a case; `@repeat:` stands for one big event, which `end` follows."""
    chunks: list[bytes | str | float] = []
    for chunk in case["chunks"]:
        if case.get("encoding") == "base64":
            chunks.append(base64.b64decode(chunk))
        elif chunk.startswith("@repeat:"):
            event = chunk.removeprefix("@repeat:").replace(f"x*{BIG}", "x" * BIG)
            chunks += [event + "\n\n", *end]
        else:
            chunks.append(chunk)
    return chunks


def check(case: Case, items: Sequence[StreamItem]) -> None:
    """Assert that the reply is what the case expects, and that the deltas are its text and reasoning."""
    reply = items[-1]
    assert isinstance(reply, Reply)
    got = describe(reply)
    assert got == expected(case, got)
    for kind, whole in (("text", reply.text), ("reasoning", reply.reasoning)):
        assert "".join(i.text for i in items if isinstance(i, Delta) and i.kind == kind) == whole


def describe(reply: Reply) -> dict[str, Any]:
    """A reply in the words of the cases."""
    fault, usage = reply.fault, reply.usage
    return {
        "text": reply.text,
        "reasoning": reply.reasoning,
        "tools": [describe_call(call) for call in reply.calls],
        "finish": reply.finish,
        "error": fault and {"type": fault.type, "message": fault.message, "retryable": fault.retryable},
        "usage": usage and {"in": usage.input, "out": usage.output, "cached": usage.cached},
        "replay": dict(reply.replay),
        "refusal": reply.refusal,
    }


def describe_call(call: WireCall) -> dict[str, Any]:
    """A call in the words of the cases."""
    known = {"raw": call.raw} if call.arguments is None else {"args": dict(call.arguments)}
    return {"id": call.id, "name": call.name, "run": call.run, **known}


def expected(case: Case, got: Mapping[str, Any]) -> dict[str, Any]:
    """What a case wants of the things it speaks of; everything else as it came."""
    wanted = {**got, **case["expect"]}
    if wanted["text"] == f"@x*{BIG}":
        wanted["text"] = "x" * BIG
    if "usage" in case["expect"]:
        wanted["usage"] = {**(got["usage"] or {}), **case["expect"]["usage"]}
    return wanted
