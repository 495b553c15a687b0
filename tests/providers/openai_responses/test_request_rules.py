"""The rules of requests that Responses has a part in, against a server that refuses what OpenAI does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.message import File, Message, Reasoning, Text, Usage
from agentctl.domain.model import Provider
from agentctl.providers.attempts import stream_with_retries
from agentctl.providers.base import Delta, Notice, Reply, StreamItem, ToolSchema
from agentctl.providers.openai_responses.adapter import OpenAIResponsesAdapter
from tests.loopback import Response, Server, json_body
from tests.providers.asking import make_request, make_runtime
from tests.providers.openai_responses.histories import asks, result, sealed, turn, user
from tests.providers.openai_responses.streams import call, completed, done, event, message, reasoning, said
from tests.providers.openai_responses.strict import Refusal, check_body, strictly


def ask(
    *answers: Any,
    messages: Sequence[Message] = (user("Hi"),),
    path: str = "",
    times: int = 1,
    **request: Any,
) -> tuple[list[StreamItem], list[Any]]:
    """What comes of each of `times` requests, retries included, and the bodies that the server got."""

    async def run(url: str) -> list[StreamItem]:
        adapter = OpenAIResponsesAdapter(
            Provider("mine", "openai-responses", url + path), make_runtime(Path())
        )
        asked = make_request(messages=tuple(messages), **request)
        items: list[StreamItem] = []
        for _ in range(times):
            items += [item async for item in stream_with_retries(adapter, asked, sleep=_wait)]
        await adapter.close()
        return items

    with Server(*answers) as server:
        items = asyncio.run(run(server.url))
    return items, [received.json for received in server.requests]


async def _wait(seconds: float) -> None:
    pass


def accepted(*messages: Message, **request: Any) -> Any:
    """The body with which the strict server was content at once."""
    items, bodies = ask(strictly(), messages=messages or (user("Hi"),), **request)
    assert last(items).fault is None, last(items).fault
    assert last(items).text == "fine"
    (body,) = bodies
    return body


def last(items: Sequence[StreamItem]) -> Reply:
    assert isinstance(items[-1], Reply)
    return items[-1]


def select(body: Mapping[str, Any], kind: str, key: str) -> list[Any]:
    return [item[key] for item in body["input"] if item["type"] == kind]


CALL = {"type": "function_call", "call_id": "c", "name": "get", "arguments": "{}"}
OUTPUT = {"type": "function_call_output", "call_id": "c", "output": "x"}
SEALED = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "E"}
HI = {"type": "message", "role": "user", "content": "Hi"}
BAD: dict[str, dict[str, Any]] = {
    "a call without a result": {"input": [CALL]},
    "a result without a call": {"input": [OUTPUT]},
    "two results for a call": {"input": [CALL, OUTPUT, OUTPUT]},
    "two calls with one id": {"input": [CALL, CALL, OUTPUT, OUTPUT]},
    "an object of arguments": {"input": [{**CALL, "arguments": {}}, OUTPUT]},
    "an odd call id": {"input": [{**CALL, "call_id": "a:0"}, {**OUTPUT, "call_id": "a:0"}]},
    "a long call id": {"input": [{**CALL, "call_id": "a" * 65}, {**OUTPUT, "call_id": "a" * 65}]},
    "reasoning at the end": {"input": [HI, SEALED]},
    "reasoning before a user": {"input": [SEALED, HI]},
    "reasoning twice": {"input": [SEALED, SEALED, CALL, OUTPUT]},
    "reasoning without a seal": {"input": [{**SEALED, "encrypted_content": None}, CALL, OUTPUT]},
    "reasoning without a summary": {
        "input": [{k: v for k, v in SEALED.items() if k != "summary"}, CALL, OUTPUT]
    },
    "reasoning with a status": {"input": [{**SEALED, "status": "completed"}, CALL, OUTPUT]},
    "an empty message": {"input": [{**HI, "content": " "}]},
    "a part of a message that nobody knows": {"input": [{**HI, "content": [{"type": "image_url"}]}]},
    "a parameter of another protocol": {"input": [HI], "max_tokens": 5},
    "temperature": {"input": [HI], "temperature": 0},
    "too small a limit": {"input": [HI], "max_output_tokens": 3},
}


@pytest.mark.parametrize("name", BAD)
def test_the_server_refuses(name: str) -> None:
    with pytest.raises(Refusal):
        check_body({"store": False, **BAD[name]}, reasons=True)
    check_body({"store": False, "input": [HI, SEALED, CALL, OUTPUT]}, reasons=True)


def test_q02_ids_that_repeat_in_every_turn_keep_their_own_results() -> None:
    first = user("a"), turn(asks("get:0"), asks("get:1")), result("get:0", "get:1", text="old")
    second = user("b"), turn(asks("get:0")), result("get:0", text="new")
    body = accepted(*first, *second, user("c"))
    assert select(body, "function_call_output", "output") == ["old", "old", "new"]
    assert select(body, "function_call", "call_id") == select(body, "function_call_output", "call_id")


def test_q03_one_call_id_has_one_result() -> None:
    body = accepted(user("a"), turn(asks("c"), asks("c")), result("c", "c"), user("b"))
    assert select(body, "function_call_output", "call_id") == ["c", "c_2"]


@pytest.mark.parametrize("odd", ["a:0", "x" * 200, "電話", "a b", "\ud83d"])
def test_q03_an_id_that_the_server_would_refuse_gets_another_form(odd: str) -> None:
    history = user("a"), turn(asks(odd)), result(odd, text="mine"), user("b")
    body = accepted(*history)
    assert select(body, "function_call_output", "output") == ["mine"]
    assert accepted(*history) == body


def test_q04_a_call_that_was_interrupted_gets_a_result() -> None:
    accepted(user("a"), turn("b", asks("c"), asks("d")), result("d"), user("e"))
    accepted(user("a"), turn(asks("c"), replay={"reasoning_items": [sealed()]}), user("e"))


def test_q05_a_result_whose_call_is_gone_is_left_out() -> None:
    accepted(user("a"), result("c"), turn("b"), result("d"), user("e"))


@pytest.mark.parametrize("blank", ["", " ", "\n\t "])
def test_q07_blank_texts_are_not_sent(blank: str) -> None:
    thought = {"reasoning_items": [sealed()]}
    accepted(
        user("a"),
        turn(blank),
        turn(blank, asks("c")),
        result("c"),
        turn(blank, replay=thought),
        user(blank),
        user("b"),
    )


def test_q09_arguments_that_were_none_go_back_as_the_text_of_an_object() -> None:
    body = accepted(user("a"), turn(asks("c", raw='{"x": ')), result("c"))
    assert json.loads(select(body, "function_call", "arguments")[0]) == {"INVALID_JSON": '{"x": '}


def test_q10_no_money_is_no_reason_to_ask_again() -> None:
    error = {"code": "insufficient_quota", "message": "You exceeded your current quota"}
    for answer in (json_body({"error": error}, 429), Response([completed(name="failed", error=error)])):
        items, bodies = ask(answer)
        fault = last(items).fault
        assert fault is not None
        assert (len(bodies), fault.as_error().code) == (1, 7)


@pytest.mark.parametrize("code", ["server_error", "rate_limit_exceeded"])
def test_q13_a_failure_behind_a_good_status_is_tried_again_before_the_first_word(code: str) -> None:
    failure = completed(name="failed", error={"code": code, "message": "slow down"})
    items, bodies = ask(Response([failure]), Response([completed(message("fine"))]))
    assert ([type(item) for item in items], len(bodies)) == ([Notice, Delta, Reply], 2)
    items, bodies = ask(Response([said("Half"), failure]))
    assert (last(items).text, len(bodies)) == ("Half", 1)


def test_q12_half_a_stream_keeps_its_words_and_says_so() -> None:
    for cut in (True, False):
        items, bodies = ask(Response([said("Half")], cut=cut))
        fault = last(items).fault
        assert fault is not None
        assert (last(items).text, len(bodies), fault.as_error().code) == ("Half", 1, 75)


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "//v1//", "/v1/responses"])
def test_q14_a_base_url_may_be_written_in_any_way(path: str) -> None:
    with Server(strictly()) as server:
        provider = Provider("mine", "openai-responses", server.url + path)
        adapter = OpenAIResponsesAdapter(provider, make_runtime(Path()))

        async def run() -> None:
            assert [item async for item in adapter.stream(make_request())]
            await adapter.close()

        asyncio.run(run())
    assert [received.target for received in server.requests] == ["/v1/responses"]


def test_q15_parameters_that_a_model_refuses_are_left_out_once_and_for_all() -> None:
    items, bodies = ask(strictly(), options={"temperature": 0, "top_k": 5}, times=2)
    assert [item.text for item in items if isinstance(item, Reply)] == ["fine", "fine"]
    assert [sorted({"temperature", "top_k"} & body.keys()) for body in bodies] == [
        ["temperature", "top_k"],
        ["temperature"],
        [],
        [],
    ]
    assert [item.kind for item in items if isinstance(item, Notice)] == ["parameter"] * 2


def test_q15_max_tokens_has_one_name_here() -> None:
    assert accepted(options={"max_tokens": 50})["max_output_tokens"] == 50


@pytest.mark.parametrize("options", [{}, {"thinking_effort": "high"}])
def test_q15_thinking_is_left_out_where_a_model_has_none(options: dict[str, Any]) -> None:
    items, bodies = ask(strictly(reasons=False), options=options, thinking=True, times=2)
    assert [item.text for item in items if isinstance(item, Reply)] == ["fine", "fine"]
    assert bodies[-1].keys().isdisjoint({"reasoning", "include"})
    assert bodies[-2] == bodies[-1]


def test_q15_an_account_without_summaries_keeps_its_effort() -> None:
    message = "Your organization must be verified to generate reasoning summaries."
    error = {"message": message, "param": "reasoning.summary", "code": "unsupported_value"}
    items, bodies = ask(
        json_body({"error": error}, 400), strictly(), options={"thinking_effort": "high"}, thinking=True
    )
    assert last(items).text == "fine"
    assert bodies[1]["reasoning"] == {"effort": "high"}
    assert bodies[1]["include"] == ["reasoning.encrypted_content"]


def test_q15_a_schema_that_a_server_does_not_know_becomes_words() -> None:
    error = {
        "message": "Unsupported parameter: 'text.format'",
        "param": "text.format",
        "code": "unsupported_parameter",
    }
    items, bodies = ask(json_body({"error": error}, 400), strictly(), schema={"type": "object"})
    assert last(items).text == "fine"
    assert "JSON Schema" in bodies[1]["instructions"]


def test_q17_roles_do_not_repeat_and_the_system_prompt_stands_apart() -> None:
    body = accepted(user("a"), user("b"), turn("c"), turn("d"), user("e"), system="Be brief.")
    assert [item["role"] for item in body["input"]] == ["user", "assistant", "user"]
    assert body["instructions"] == "Be brief."


def test_q18_arguments_are_always_a_text() -> None:
    body = accepted(user("a"), turn(asks("c", {"x": {"y": [1, "é"]}})), result("c"))
    assert select(body, "function_call", "arguments") == ['{"x": {"y": [1, "é"]}}']


def test_q20_half_a_surrogate_pair_stops_no_request() -> None:
    half = "a \ud83d"
    replay = {"reasoning_items": [sealed("rs_1", summary=[{"type": "summary_text", "text": half}])]}
    body = accepted(
        user(half), turn(half, asks("c", {"x": half}), replay=replay), result("c", text=half), system=half
    )
    assert "\ud83d" not in json.dumps(body, ensure_ascii=False)


def test_q21_what_one_model_sealed_is_not_shown_to_another() -> None:
    def signed(origin: str | None) -> Message:
        return turn("b", Reasoning("hm"), origin=origin, replay={"reasoning_items": [sealed()]})

    assert "ENC-rs_1" in json.dumps(accepted(user("a"), signed("mine/m"), user("c"), thinking=True))
    for origin in ("mine/other", "openai/m", None):
        body = accepted(user("a"), signed(origin), user("c"), thinking=True)
        assert "ENC" not in json.dumps(body)


def test_q21_a_seal_that_the_server_cannot_open_is_left_out() -> None:
    error = {
        "message": "The encrypted content could not be verified.",
        "type": "invalid_request_error",
        "code": "invalid_encrypted_content",
    }
    history = user("a"), turn("b", replay={"reasoning_items": [sealed()]}), user("c")
    for thinking in (True, False):
        items, bodies = ask(json_body({"error": error}, 400), strictly(), messages=history, thinking=thinking)
        assert last(items).text == "fine"
        assert [item["type"] for item in bodies[1]["input"]] == ["message"] * 3


def test_q22_calls_that_were_promised_and_not_sent_end_the_turn() -> None:
    items, bodies = ask(Response([completed(reasoning("I call get."))]))
    assert (last(items).calls, last(items).finish, len(bodies)) == ((), "stop", 1)


def test_q23_a_call_that_was_cut_is_never_run_and_never_asked_for_again() -> None:
    cut = call('{"x":', status="incomplete")
    end = completed(cut, name="incomplete", incomplete_details={"reason": "max_output_tokens"})
    items, bodies = ask(Response([end]))
    assert ([each.run for each in last(items).calls], last(items).finish, len(bodies)) == (
        [False],
        "length",
        1,
    )


def test_q24_the_last_count_is_the_one() -> None:
    early = event("in_progress", response={"usage": {"input_tokens": 99, "output_tokens": 1}})
    end = completed(message("a"), usage={"input_tokens": 3, "output_tokens": 2})
    items, _ = ask(Response([early, end]))
    assert last(items).usage == Usage(3, 2)


def test_a_conversation_with_thoughts_tools_and_files_is_accepted_turn_after_turn() -> None:
    output = [
        reasoning("Hm.", encrypted_content="E1"),
        message("Let me see.", phase="commentary"),
        reasoning(item_id="rs_2", encrypted_content="E2"),
        call('{"n":1}', 1),
        call('{"n":2}', 2),
    ]
    stream = [done(item, place) for place, item in enumerate(output)]
    tool = ToolSchema("get", "Gets it.", {"type": "object"})
    wanted: dict[str, Any] = {"tools": (tool,), "thinking": True, "system": "Be brief."}
    history: list[Message] = [user("What is this?", File("a.png", "image/png", data=b"png"))]
    for number in range(3):
        items, _ = ask(strictly(answer=Response([*stream, completed(*output)])), messages=history, **wanted)
        reply = last(items)
        assert reply.fault is None, reply.fault
        calls = [asks(f"ac_{number}_{n}", each.arguments) for n, each in enumerate(reply.calls)]
        history.append(Message("assistant", (Text(reply.text), *calls), origin="mine/m", replay=reply.replay))
        history.append(result(*(each.id for each in calls)))
    body = accepted(*history, **wanted)
    assert select(body, "reasoning", "encrypted_content") == ["E1", "E2"]
    phases = [item.get("phase") for item in body["input"] if item.get("role") == "assistant"]
    assert phases == ["commentary"] * 3
