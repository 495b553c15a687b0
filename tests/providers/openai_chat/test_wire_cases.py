from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.model import Provider
from agentctl.providers.base import Delta, Reply, Runtime, WireCall
from agentctl.providers.openai_chat.adapter import OpenAIChatAdapter
from tests.loopback import Response, Server, said
from tests.providers.asking import collect, make_request

Case = Mapping[str, Any]

CASES: list[Case] = [
    json.loads(line) for line in (Path(__file__).parent.parent / "wire_chat.jsonl").read_text().splitlines()
]
BIG = 1_500_000


def read_chunks(case: Case) -> list[bytes | str | float]:
    """The reads of a case; `@repeat:` stands for one big event, which a stop and `[DONE]` follow."""
    chunks: list[bytes | str | float] = []
    for chunk in case["chunks"]:
        if case["encoding"] == "base64":
            chunks.append(base64.b64decode(chunk))
        elif chunk.startswith("@repeat:"):
            event = chunk.removeprefix("@repeat:").replace(f"x*{BIG}", "x" * BIG)
            chunks += [event + "\n\n", *said()]
        else:
            chunks.append(chunk)
    return chunks


def describe_call(call: WireCall) -> dict[str, Any]:
    known = {"raw": call.raw} if call.arguments is None else {"args": dict(call.arguments)}
    return {"id": call.id, "name": call.name, "run": call.run, **known}


def describe(reply: Reply) -> dict[str, Any]:
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


def expected(case: Case, got: Mapping[str, Any]) -> dict[str, Any]:
    """What a case wants of the things it speaks of; everything else as it came."""
    wanted = {**got, **case["expect"]}
    if wanted["text"] == f"@x*{BIG}":
        wanted["text"] = "x" * BIG
    if "usage" in case["expect"]:
        wanted["usage"] = {**(got["usage"] or {}), **case["expect"]["usage"]}
    return wanted


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_stream_of_a_real_server_is_read_as_it_was_meant(case: Case, runtime: Runtime) -> None:
    options = case.get("options", {})
    response = Response(
        read_chunks(case),
        status=options.get("status", 200),
        headers={"content-type": options.get("ctype", "text/event-stream")},
    )
    with Server(response, pause=0.0005) as server:
        provider = Provider("mine", "openai", server.url, options={"think_tags": options.get("think", False)})
        items = collect(OpenAIChatAdapter(provider, runtime), make_request())
    reply = items[-1]
    assert isinstance(reply, Reply)
    got = describe(reply)
    assert got == expected(case, got)
    for kind, whole in (("text", reply.text), ("reasoning", reply.reasoning)):
        assert "".join(i.text for i in items if isinstance(i, Delta) and i.kind == kind) == whole
