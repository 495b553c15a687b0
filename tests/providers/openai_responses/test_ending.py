from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from agentctl.net.failure import NetworkFailure
from agentctl.providers.base import Reply
from agentctl.providers.openai_responses.answer import ResponsesAnswer
from agentctl.providers.wire.stream import read_events
from tests.providers.openai_responses.streams import (
    added,
    call,
    completed,
    event,
    fault,
    message,
    play,
    said,
)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ({"code": "server_error", "message": "m"}, ("temporary", "server_error", True)),
        ({"code": "rate_limit_exceeded", "message": "m"}, ("temporary", "rate_limit_exceeded", True)),
        ({"code": "insufficient_quota", "message": "m"}, ("credentials", "quota", False)),
        ({"code": "invalid_prompt", "message": "m"}, ("provider", "invalid_prompt", False)),
        ({"code": "vector_store_timeout", "message": "m"}, ("temporary", "vector_store_timeout", True)),
        ({"code": "context_length_exceeded", "message": "m"}, ("provider", "context_length_exceeded", False)),
        ({"type": "upstream_error", "message": "m"}, ("provider", "upstream_error", False)),
        ({"code": 503, "message": "m"}, ("temporary", "503", True)),
    ],
)
def test_an_error_says_what_it_is_in_whatever_event_it_comes(
    error: dict[str, Any], expected: tuple[str, str, bool]
) -> None:
    for stream in (
        completed(name="failed", error=error),
        event("failed", error=error),
        event("error", error=error),
        f"data: {json.dumps({'type': 'error', 'error': error})}\n\n",
        f"event: error\ndata: {json.dumps({'error': error})}\n\n",
        f"data: {json.dumps({'type': 'error', **error})}\n\n" if "type" not in error else "",
        json.dumps({"error": error}),
        json.dumps({"object": "response", "status": "failed", "output": [], "error": error}),
    ):
        if stream:
            reply = play(stream)
            assert fault(reply) == expected, stream
            assert reply.fault
            assert reply.fault.message == "m"


def test_an_error_in_the_middle_keeps_what_was_said() -> None:
    end = event("failed", response={"status": "failed", "error": {"code": "server_error", "message": "m"}})
    for error in (end, 'data: {"type":"error","code":"server_error","message":"m"}\n\n'):
        reply = play(said("Hello"), error, said("more"))
        assert (reply.text, fault(reply)) == ("Hello", ("temporary", "server_error", True))


def test_the_status_in_an_error_event_counts() -> None:
    error = {"type": "error", "status": 401, "error": {"type": "invalid_request_error", "message": "m"}}
    assert fault(play(f"data: {json.dumps(error)}\n\n"))[0] == "credentials"


@pytest.mark.parametrize("name", ["failed", "cancelled"])
def test_a_failure_without_a_reason_may_be_tried_again(name: str) -> None:
    for response in ({"status": name, "error": None}, {"status": name}, {}):
        assert fault(play(event(name, response=response))) == ("temporary", name, True)
    assert fault(play(event(name))) == ("temporary", name, True)
    assert fault(play(event("completed", response={"status": name}))) == ("temporary", name, True)


@pytest.mark.parametrize(
    ("details", "finish"),
    [
        ({"reason": "max_output_tokens"}, "length"),
        ({"reason": "content_filter"}, "content_filter"),
        ({"reason": "brand_new"}, "length"),
        ({}, "length"),
        (None, "length"),
    ],
)
def test_an_incomplete_answer_says_why(details: Any, finish: str) -> None:
    for name in ("incomplete", "completed", "done"):
        response = {"status": "incomplete", "incomplete_details": details, "output": [message("Hel")]}
        reply = play(said("Hel"), event(name, response=response))
        assert (reply.text, reply.finish, reply.fault) == ("Hel", finish, None)


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
def test_a_filter_that_fails_the_response_is_a_filter(code: str) -> None:
    reply = play(said("Hel"), completed(name="failed", error={"code": code, "message": "m"}))
    assert (reply.text, reply.finish, reply.fault) == ("Hel", "content_filter", None)


@pytest.mark.parametrize(
    "end", ["", "data: [DONE]\n\n", ": bye\n\n", 'event: response.completed\ndata: {"ty']
)
def test_a_stream_that_just_ends_is_truncated(end: str) -> None:
    for start, again in (
        (said("Hello"), False),
        (added(call()), False),
        (event("created", response={"status": "in_progress", "output": []}), True),
        (added(message()), True),
        ("", True),
    ):
        assert fault(play(start, end)) == ("temporary", "truncated", again)


def test_done_stops_the_reading_and_is_no_trouble_after_the_end() -> None:
    assert play(said("a"), "data: [DONE]\n\n", said("b"), completed(message("ab"))).text == "a"
    reply = play(said("a"), completed(message("a")), "data: [DONE]\n\n", said("b"))
    assert (reply.text, reply.fault) == ("a", None)


@pytest.mark.parametrize("status", ["queued", "in_progress"])
def test_a_response_that_is_still_worked_on_is_no_answer(status: str) -> None:
    body = json.dumps({"object": "response", "status": status, "output": []})
    assert fault(play(body)) == ("temporary", "truncated", True)
    forgotten = event("completed", response={"status": status, "output": [message("a")]})
    assert play(forgotten).finish == "stop"


def test_an_answer_that_ended_needs_no_more_of_the_stream() -> None:
    async def source() -> AsyncIterator[bytes]:
        yield (said("a") + completed()).encode()
        raise AssertionError("read on")

    async def run() -> Any:
        return [item async for item in read_events(source(), ResponsesAnswer())][-1]

    assert asyncio.run(run()).text == "a"


def test_a_connection_that_breaks_is_a_fault_only_before_the_end() -> None:
    async def source(chunk: str) -> AsyncIterator[bytes]:
        yield chunk.encode()
        raise NetworkFailure("it broke", where="network")

    async def run(chunk: str) -> Reply:
        items = [item async for item in read_events(source(chunk), ResponsesAnswer())]
        assert isinstance(items[-1], Reply)
        return items[-1]

    broken = asyncio.run(run(said("a")))
    assert (broken.text, fault(broken)) == ("a", ("temporary", "network", True))
    assert asyncio.run(run(said("a") + completed())).fault is None


@pytest.mark.parametrize(
    "page", ["<!DOCTYPE html>\n<title>Hi</title>", "<html>", "Not here", "data: <html>\n\n"]
)
def test_a_page_instead_of_an_answer_is_no_json(page: str) -> None:
    reply = play(page, content_type="text/html")
    assert fault(reply) == ("provider", "http", False)
    assert reply.fault
    assert reply.fault.message.startswith("not JSON: ")


def test_an_error_behind_a_cut_event_is_found() -> None:
    stream = (
        'data: {"type":"response.completed","response":{"out\n'
        'data: {"type":"error","error":{"type":"upstream_error","message":"m"}}\n\n'
    )
    assert fault(play(stream)) == ("provider", "upstream_error", False)


def test_an_event_that_is_too_large_is_a_fault() -> None:
    assert fault(play(*["data: " + "x" * 1_000_000] * 17))[1] == "too_large"
