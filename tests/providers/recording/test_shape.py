from __future__ import annotations

import copy
import re
from typing import Any

import pytest

from agentctl.providers.recording.file import Section
from agentctl.providers.recording.shape import check_section

MODEL = {
    "reference": "mine/m",
    "reason": "flag",
    "model": {"slug": "mine/m", "provider": "mine", "name": "m"},
    "provider": {"slug": "mine", "kind": "openai"},
}
REPLY = {
    "text": "晴れ",
    "reasoning": "",
    "calls": [{"id": None, "name": "clock", "arguments": None, "raw": "{", "run": False}],
    "finish": "stop",
    "usage": {"input": 1, "output": 2, "cached": 0, "reasoning": 0, "cache_write": 0},
    "fault": None,
    "replay": {},
}


def build() -> Section:
    run = {"turn": 1, "began": 1, "seed": "00", "session": "as_1", "models": [MODEL]}
    exchange = {
        "at": 1,
        "request": {"url": "http://x", "body": {}},
        "status": 200,
        "headers": {"content-type": "text/event-stream"},
        "chunks": [[1, "data: 好\n\n"], [2, {"base64": "5Q=="}]],
        "whole": True,
        "failure": {"message": "broke", "where": "network", "retryable": True, "hint": None},
    }
    call = {"at": 2, "tool": "clock", "arguments": {"half": "\ud83d"}}
    result: dict[str, Any] = {"success": False, "data": None, "error": "no", "metadata": {}}
    return Section(
        run,
        {
            "answer": [{"request": {}, "items": [[1, "text", "a"], [2, "reply", REPLY]]}],
            "check": [{"model": "m", "error": {"kind": "config", "message": "gone", "hint": None}}],
            "decision": [{**call, "answer": {"choice": "once", "arguments": {}, "reason": None}}],
            "exchange": [exchange],
            "tool": [{**call, "result": result}],
        },
    )


def test_what_a_recording_holds_has_the_right_shape() -> None:
    check_section(build())


@pytest.mark.parametrize(
    ("path", "wrong", "said"),
    [
        (("run", "began"), 10**30, "run.began must be a number of milliseconds"),
        (("run", "seed"), "\ud800", "run.seed must be a text"),
        (("run", "models"), [], "run.models is empty"),
        (("run", "models", 0, "provider"), None, "run.models[0].provider must be an object"),
        (("exchange", 0, "chunks", 1, 0), "x", "exchange 1.chunks[1] must be a time and a piece of text"),
        (("exchange", 0, "status"), True, "exchange 1.status must be a whole number"),
        (("exchange", 0, "headers", "content-type"), 5, "exchange 1.headers.content-type must be a text"),
        (("exchange", 0, "failure", "where"), "moon", "exchange 1.failure.where must be one of connect, dns"),
        (("tool", 0, "result", "metadata"), [], "tool 1.result.metadata must be an object"),
        (("decision", 0, "answer", "choice"), {}, "decision 1.answer.choice must be one of once"),
        (("check", 0, "error"), "x", "check 1.error must be an object"),
        (("answer", 0, "items", 0), [], "answer 1.items[0] must be a time and an item"),
        (("answer", 0, "items", 1, 2, "usage", "input"), 1.5, ".usage.input must be a whole number"),
        (("answer", 0, "items", 1, 2, "calls", 0, "name"), None, ".calls[0].name must be a text"),
    ],
)
def test_what_somebody_edited_is_named_with_its_place(path: tuple[Any, ...], wrong: Any, said: str) -> None:
    section = build()
    whole: dict[str, Any] = copy.deepcopy({"run": section.run, **section.lines})
    place: Any = whole
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = wrong
    run = whole.pop("run")
    with pytest.raises(ValueError, match=re.escape(said)):
        check_section(Section(run, whole))
