"""What is sent, against a server that refuses what the real one refuses."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from agentctl.domain.message import File, Message, Reasoning, Text, ToolCall, ToolOutput
from agentctl.domain.model import Model, Provider
from agentctl.providers.anthropic.adapter import AnthropicAdapter
from agentctl.providers.base import ModelRequest, Notice, Reply, Runtime, ToolSchema
from agentctl.providers.wire.outputs import NO_RESULT
from tests.loopback import Response, Server
from tests.providers.anthropic.streams import TEXT, THINKING, begin, block, end, frame, play, said
from tests.providers.anthropic.streams import call as tool_use
from tests.providers.anthropic.validator import strict
from tests.providers.asking import collect, make_request

ORIGIN = "mine/m"
TOOL = ToolSchema("get", "Gets it.", {"type": "object", "properties": {}})
SIGNED = {"type": "thinking", "thinking": "plan", "signature": "SIG=="}
SEALED = {"type": "redacted_thinking", "data": "ENC"}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}


def user(*parts: Any) -> Message:
    return Message("user", tuple(Text(part) if isinstance(part, str) else part for part in parts))


def assistant(*parts: Any, **values: Any) -> Message:
    texts = tuple(Text(part) if isinstance(part, str) else part for part in parts)
    return Message("assistant", texts, **{"origin": ORIGIN, **values})


def call(call_id: str = "ac_1", arguments: Any = None, raw: str | None = None, name: str = "get") -> ToolCall:
    return ToolCall(call_id, name, {} if arguments is None and raw is None else arguments, raw)


def result(call_id: str = "ac_1", text: str = "done", success: bool = True) -> Message:
    return Message("tool", (ToolOutput(call_id, "get", text, success),))


def exchange(runtime: Runtime, request: ModelRequest, **options: Any) -> tuple[list[Any], list[Any]]:
    """The bodies that were sent, and what the adapter yielded."""
    server = Server(strict(Response(frame(*said("ok"))), signatures=("SIG==", "ENC", "2")))
    with server:
        adapter = AnthropicAdapter(Provider("mine", "anthropic", server.url, options=options), runtime)
        items = collect(adapter, request)
    return [received.json for received in server.requests], items


def send(runtime: Runtime, *messages: Message, **values: Any) -> Any:
    """The body that the strict server accepted."""
    options = values.pop("provider_options", {})
    bodies, items = exchange(runtime, make_request(messages=messages or (user("Hi"),), **values), **options)
    reply = items[-1]
    assert isinstance(reply, Reply)
    assert (reply.text, reply.fault) == ("ok", None)
    return bodies[-1]


def roles(body: Any) -> list[str]:
    return [message["role"] for message in body["messages"]]


def blocks(body: Any) -> list[list[str]]:
    return [[block["type"] for block in message["content"]] for message in body["messages"]]


def test_a_plain_request_says_what_the_protocol_wants_and_no_more(runtime: Runtime) -> None:
    assert send(runtime, user("你好"), system="Be brief.") == {
        "model": "m",
        "max_tokens": 16000,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "你好"}]}],
        "stream": True,
        "system": "Be brief.",
    }
    assert "system" not in send(runtime, system=" \n")


def test_tools_have_an_input_schema_and_plain_text_has_none(runtime: Runtime) -> None:
    assert send(runtime, tools=(TOOL,))["tools"] == [
        {"name": "get", "description": "Gets it.", "input_schema": {"type": "object", "properties": {}}}
    ]
    text = send(runtime, tools=(TOOL,), thinking=True, purpose="text")
    assert text.keys().isdisjoint({"tools", "thinking", "output_config"})


def test_q02_ids_that_repeat_are_told_apart_and_odd_ones_are_made_plain(runtime: Runtime) -> None:
    turn = [assistant(call("read:0")), result("read:0", "1")]
    again = [assistant(call("read:0"), call("é"), call("")), result("read:0", "2"), result("", "3")]
    body = send(runtime, user("a"), *turn, user("b"), *again)
    calls = [b["id"] for m in body["messages"] for b in m["content"] if b["type"] == "tool_use"]
    results = [
        (b["tool_use_id"], b.get("content"))
        for m in body["messages"]
        for b in m["content"]
        if b["type"] == "tool_result"
    ]
    assert [each for each, _ in results] == calls
    assert [text for _, text in results] == ["1", "2", NO_RESULT, "3"]
    assert len(set(calls)) == 4


def test_q04_a_call_that_was_interrupted_gets_a_result_that_says_so(runtime: Runtime) -> None:
    body = send(runtime, user("a"), assistant("b", call("ac_1"), call("ac_2")), result("ac_2"), user("c"))
    assert body["messages"][2]["content"] == [
        {"type": "tool_result", "tool_use_id": "ac_1", "content": NO_RESULT, "is_error": True},
        {"type": "tool_result", "tool_use_id": "ac_2", "content": "done"},
        {"type": "text", "text": "c"},
    ]


def test_q05_a_result_without_a_call_is_left_out(runtime: Runtime) -> None:
    assert blocks(send(runtime, user("a"), result("ac_9"), assistant("b"), user("c"))) == [["text"]] * 3


def test_q07_blank_texts_are_never_sent(runtime: Runtime) -> None:
    body = send(runtime, user("a", " \n"), assistant("\t", call()), result(text=" "), user("", "b"))
    assert blocks(body) == [["text"], ["tool_use"], ["tool_result", "text"]]
    assert "content" not in body["messages"][2]["content"][0]
    assert blocks(send(runtime, user("a"), assistant(" "), assistant(), user("b"))) == [["text", "text"]]


def test_q08_the_end_of_a_paused_turn_has_no_white_space(runtime: Runtime) -> None:
    body = send(runtime, user("a"), assistant("b \n\n", finish="pause_turn"))
    assert body["messages"][-1] == {"role": "assistant", "content": [{"type": "text", "text": "b"}]}
    middle = send(runtime, user("a"), assistant("b \n"), user("c"))
    assert middle["messages"][1]["content"][0]["text"] == "b \n"


def test_q09_arguments_that_were_no_object_go_back_as_one(runtime: Runtime) -> None:
    body = send(runtime, user("a"), assistant(call(raw='{"x": ')), result())
    assert body["messages"][1]["content"][0]["input"] == {"INVALID_JSON": '{"x": '}


def test_a_name_that_a_model_made_up_is_sent_in_a_form_that_is_accepted(runtime: Runtime) -> None:
    made_up = (call("a", name="functions.get 天"), call("b", name=""), call("c", name="x" * 300))
    body = send(runtime, user("a"), assistant(*made_up))
    names = [block["name"] for block in body["messages"][1]["content"]]
    assert names == ["functions_get__", "unknown", "x" * 128]


@pytest.mark.parametrize(
    ("base", "target"),
    [
        *((base, "/v1/messages") for base in ("", "/", "/v1", "/v1/", "/v1/messages", "//v1//messages/")),
        ("/anthropic", "/anthropic/v1/messages"),
        ("/api/anthropic/", "/api/anthropic/v1/messages"),
        ("/anthropic/v1", "/anthropic/v1/messages"),
        ("/anthropic/v2beta", "/anthropic/v2beta/messages"),
        ("/own/messages", "/own/messages"),
        ("/v1?tenant=a", "/v1/messages?tenant=a"),
    ],
)
def test_q14_a_base_url_may_be_written_in_any_way(base: str, target: str, runtime: Runtime) -> None:
    with Server(Response(frame(*said("ok")))) as server:
        collect(AnthropicAdapter(Provider("mine", "anthropic", server.url + base), runtime), make_request())
    assert server.requests[0].target == target


def test_q15_a_parameter_that_the_model_does_not_take_is_left_out_once_it_said_so(runtime: Runtime) -> None:
    bodies, items = exchange(runtime, make_request(options={"frequency_penalty": 1, "top_k": 3}))
    assert [sorted({"frequency_penalty", "top_k"} & body.keys()) for body in bodies] == [
        ["frequency_penalty", "top_k"],
        ["top_k"],
    ]
    assert items[0] == Notice("parameter", "m does not take frequency_penalty; asking without it")
    assert items[-1].text == "ok"


def test_q17_neighbours_of_one_role_are_one_message(runtime: Runtime) -> None:
    body = send(runtime, user("a"), user("b"), assistant("c"), assistant("d", call()), result(), user("e"))
    assert roles(body) == ["user", "assistant", "user"]
    assert blocks(body) == [["text", "text"], ["text", "text", "tool_use"], ["tool_result", "text"]]


def test_a_history_that_begins_with_the_model_gets_a_beginning(runtime: Runtime) -> None:
    assert roles(send(runtime, assistant("b"), user("c"))) == ["user", "assistant", "user"]


def test_q18_arguments_go_back_as_an_object(runtime: Runtime) -> None:
    body = send(runtime, user("a"), assistant(call(arguments={"x": "é", "y": [1]})), result())
    assert body["messages"][1]["content"][0] == {
        "type": "tool_use",
        "id": "ac_1",
        "name": "get",
        "input": {"x": "é", "y": [1]},
    }


def test_q20_lone_halves_of_pairs_never_reach_the_server(runtime: Runtime) -> None:
    body = send(
        runtime, user("\ud83d\ude00 \ud83d"), assistant(call(arguments={"\ude00": "\ud83d"})), result()
    )
    assert body["messages"][0]["content"][0]["text"] == "\U0001f600 \ufffd"
    assert body["messages"][1]["content"][0]["input"] == {"\ufffd": "\ufffd"}


REPLAY = {"thinking": [SIGNED, SEALED]}


@pytest.mark.parametrize("options", [{}, {"thinking_form": "budget"}])
def test_q21_thoughts_go_back_unchanged_before_the_words_and_calls(
    options: dict[str, Any], runtime: Runtime
) -> None:
    turn = assistant(Reasoning("plan"), "b", call(), replay=REPLAY)
    body = send(runtime, user("a"), turn, result(), thinking=True, options=options)
    assert body["messages"][1]["content"][:3] == [SIGNED, SEALED, {"type": "text", "text": "b"}]
    assert blocks(body)[1] == ["thinking", "redacted_thinking", "text", "tool_use"]


@pytest.mark.parametrize("origin", ["other/m", "mine/other", None])
@pytest.mark.parametrize(
    "replay", [REPLAY, {"content": [SIGNED, SEARCH, FOUND, {"type": "text", "text": "b"}]}]
)
def test_q21_nothing_of_another_provider_or_model_is_sent(
    replay: dict[str, Any], origin: str | None, runtime: Runtime
) -> None:
    turn = assistant(Reasoning("plan"), "b", origin=origin, replay=replay)
    assert blocks(send(runtime, user("a"), turn, user("c"), thinking=True))[1] == ["text"]


def test_thoughts_of_which_nothing_came_are_not_sent(runtime: Runtime) -> None:
    turn = assistant(Reasoning("plan"), replay=REPLAY, status="failed")
    assert blocks(send(runtime, user("a"), turn, user("c"), thinking=True)) == [["text", "text"]]


def test_thoughts_between_words_and_calls_go_back_to_their_place(runtime: Runtime) -> None:
    second = {"type": "thinking", "thinking": "b", "signature": "2"}
    content = [SIGNED, {"type": "text", "text": "See."}, second, {"type": "tool_use"}]
    turn = assistant("See.", call(), replay={"thinking": [SIGNED, second], "content": content})
    body = send(runtime, user("a"), turn, result(), thinking=True)
    assert blocks(body)[1] == ["thinking", "text", "thinking", "tool_use"]
    assert body["messages"][1]["content"][3]["id"] == "ac_1"
    # Where the calls are gone, so are the thoughts that led to them.
    cut = assistant("See.", replay={"thinking": [SIGNED, second], "content": content})
    assert blocks(send(runtime, user("a"), cut, user("c"), thinking=True))[1] == ["thinking", "text"]


def test_a_message_that_was_edited_goes_back_as_it_is_now(runtime: Runtime) -> None:
    content = [{"type": "text", "text": "old"}, SEARCH, FOUND, {"type": "text", "text": "old"}]
    body = send(runtime, user("a"), assistant("new", replay={"content": content}), user("c"))
    assert body["messages"][1]["content"] == [{"type": "text", "text": "new"}]


def test_a_paused_turn_goes_on_when_it_is_sent_back(runtime: Runtime) -> None:
    content = [{"type": "text", "text": "Searching. "}, SEARCH, FOUND, {**SEARCH, "id": "srvtoolu_2"}]
    paused = assistant("Searching. ", replay={"content": content}, finish="pause_turn")
    body = send(runtime, user("a"), paused)
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "a"}]},
        {"role": "assistant", "content": content},
    ]
    # The user spoke instead of waiting: a search without a result can get none any more.
    later = send(runtime, user("a"), paused, user("Stop it."))
    assert blocks(later)[1] == ["text", "server_tool_use", "web_search_tool_result"]


def test_thoughts_at_the_end_are_sent_only_while_the_model_thinks(runtime: Runtime) -> None:
    paused = assistant("b", replay=REPLAY, finish="pause_turn")
    assert blocks(send(runtime, user("a"), paused, thinking=True))[1] == [
        "thinking",
        "redacted_thinking",
        "text",
    ]
    assert blocks(send(runtime, user("a"), paused))[1] == ["text"]


def test_an_empty_answer_at_the_end_is_not_sent(runtime: Runtime) -> None:
    assert roles(send(runtime, user("a"), assistant(" ", finish="pause_turn"))) == ["user"]


def test_a_turn_that_began_without_thoughts_goes_on_without_a_budget(runtime: Runtime) -> None:
    turn = (user("a"), assistant("b", call(), origin="other/m"), result())
    options = {"thinking_budget": 2048}
    assert "thinking" not in send(runtime, *turn, thinking=True, options=options)
    assert "thinking" in send(
        runtime, *turn, user("c"), assistant("d"), user("e"), thinking=True, options=options
    )
    assert "thinking" in send(runtime, *turn, thinking=True)


PNG = File("a.png", "image/png", data=b"\x89PNG")
PDF = File("a.pdf", "application/pdf", url="https://example.org/a.pdf")
GONE = File("b.png", "image/png")


def test_files_go_along_by_their_bytes_or_their_address(runtime: Runtime) -> None:
    body = send(runtime, user(PNG, PDF, "What is it?", GONE))
    assert body["messages"][0]["content"] == [
        {
            "type": "image",
            "source": {
                "type": "base64",
                "media_type": "image/png",
                "data": base64.b64encode(b"\x89PNG").decode(),
            },
        },
        {"type": "document", "source": {"type": "url", "url": "https://example.org/a.pdf"}},
        {"type": "text", "text": "What is it?"},
        {"type": "text", "text": "[b.png was attached here, but cannot be shown again.]"},
    ]


def test_the_cache_is_asked_for_only_where_the_option_says_so(runtime: Runtime) -> None:
    turn = (user("a"), assistant("b", call()), result())
    values: dict[str, Any] = {"system": "Be brief.", "tools": (TOOL,)}
    assert "cache_control" not in json.dumps(send(runtime, *turn, **values))
    body = send(runtime, *turn, **values, options={"prompt_cache": True})
    mark = {"type": "ephemeral"}
    assert body["tools"][-1]["cache_control"] == mark
    assert body["system"] == [{"type": "text", "text": "Be brief.", "cache_control": mark}]
    assert body["messages"][-1]["content"][-1]["cache_control"] == mark
    assert json.dumps(body).count("cache_control") == 3
    paused = assistant("b", finish="pause_turn")
    body = send(runtime, user("a"), paused, options={"prompt_cache": True})
    assert "cache_control" in body["messages"][0]["content"][0]


def test_tools_of_the_provider_stand_behind_ours(runtime: Runtime) -> None:
    search = {"type": "web_search_20250305", "name": "web_search"}
    body = send(runtime, tools=(TOOL,), options={"server_tools": [search]})
    assert body["tools"][-1] == search
    assert "tools" not in send(runtime, purpose="text", options={"server_tools": [search]})


@pytest.mark.parametrize(
    ("limit", "own", "bound", "sent"),
    [
        (None, None, None, 16000),
        (None, 8192, None, 8192),
        (500, 8192, None, 500),
        (9000, 8192, 100, 100),
        (None, None, 100, 100),
    ],
)
def test_the_least_limit_is_sent_and_some_limit_always(
    limit: int | None, own: int | None, bound: int | None, sent: int, runtime: Runtime
) -> None:
    model = Model("m", "mine", "m", max_output_tokens=own)
    body = send(runtime, model=model, max_output=bound, options={"max_tokens": limit})
    assert body["max_tokens"] == sent


SCHEMA = {
    "type": "object",
    "properties": {
        "age": {"type": "integer", "minimum": 0},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["age"],
}


def test_a_schema_goes_to_the_server_in_the_part_that_it_follows(runtime: Runtime) -> None:
    body = send(runtime, schema=SCHEMA, system="Be brief.")
    assert body["output_config"]["format"] == {
        "type": "json_schema",
        "schema": {
            "type": "object",
            "properties": {
                "age": {"type": "integer"},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["age"],
            "additionalProperties": False,
        },
    }
    assert body["system"] == "Be brief."


@pytest.mark.parametrize(
    ("schema", "options"),
    [
        (SCHEMA, {"structured_output": "prompt"}),
        ({"type": "object", "additionalProperties": {"type": "string"}}, {}),
    ],
)
def test_a_schema_that_the_server_does_not_take_stands_in_the_system_prompt(
    schema: dict[str, Any], options: dict[str, Any], runtime: Runtime
) -> None:
    body = send(runtime, schema=schema, system="Be brief.", options=options)
    assert "output_config" not in body
    assert body["system"].startswith("Be brief.\n\n")
    assert json.dumps(schema, separators=(",", ":")) in body["system"]


def test_blocks_that_were_kept_are_cleaned_and_matched_with_the_calls(runtime: Runtime) -> None:
    content = [{"type": "text", "text": " "}, SEARCH, FOUND, {"type": "tool_use"}, {"type": "tool_use"}]
    both = assistant(" ", call("a"), call("b"), replay={"content": content})
    body = send(runtime, user("a"), both)
    assert blocks(body)[1] == ["server_tool_use", "web_search_tool_result", "tool_use", "tool_use"]
    one = assistant(" ", call("a"), replay={"content": content})
    assert blocks(send(runtime, user("a"), one))[1] == ["tool_use"]


def test_what_was_streamed_goes_back_as_it_came(runtime: Runtime) -> None:
    answer = [
        begin(),
        *block(0, THINKING, ("thinking", "想\n"), ("signature", "SIG==")),
        *block(1, TEXT, ("text", "Let me see. ")),
        *block(2, tool_use(), ("partial_json", '{"x": 1}')),
        *end("tool_use"),
    ]
    reply = play(*answer, runtime=runtime)
    kept = json.loads(json.dumps(reply.replay))
    calls = [ToolCall("ac_9", each.name, each.arguments) for each in reply.calls]
    turn = assistant(Reasoning(reply.reasoning), reply.text, *calls, replay=kept)
    body = send(runtime, user("a"), turn, result("ac_9"), thinking=True)
    assert body["messages"][1]["content"] == [
        {"type": "thinking", "thinking": "想\n", "signature": "SIG=="},
        {"type": "text", "text": "Let me see. "},
        {"type": "tool_use", "id": "ac_9", "name": "get", "input": {"x": 1}},
    ]
