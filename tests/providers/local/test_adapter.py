from __future__ import annotations

import asyncio
import os
import signal
import time
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from agentctl.domain.message import Message, Text, ToolCall, ToolOutput
from agentctl.domain.model import Model, Provider
from agentctl.errors import ConfigError
from agentctl.providers.base import Delta, ModelRequest, Notice, Reply, Runtime, StreamItem, ToolSchema
from agentctl.providers.local.adapter import LocalAdapter
from agentctl.providers.locks import is_held
from tests.providers.asking import collect, make_request
from tests.providers.local.conftest import TINY
from tests.providers.local.processes import pid_of, place_of, spawn, stop_server, wait_until

LOCAL = Provider("local", "local")
TOOL = ToolSchema("clock", "Tells the time", {"type": "object", "properties": {}})


def ask_tiny(runtime: Runtime, text: str = "Say hello", **values: object) -> list[StreamItem]:
    options = {"max_output_tokens": 16, **(values.pop("options", {}))}  # type: ignore[dict-item]
    return collect(LocalAdapter(LOCAL, runtime), make_request(text, model=TINY, options=options, **values))


def reply_of(items: list[StreamItem]) -> Reply:
    assert isinstance(items[-1], Reply)
    assert items[-1].fault is None, items[-1].fault
    return items[-1]


def test_a_missing_model_says_how_to_fetch_it(runtime: Runtime) -> None:
    adapter = LocalAdapter(LOCAL, runtime)
    with pytest.raises(ConfigError) as caught:
        adapter.check(TINY)
    assert "agentctl models pull" in str(caught.value.hint)
    with pytest.raises(ConfigError):
        collect(adapter, make_request(model=TINY))


def test_results_that_need_no_words_need_no_model(runtime: Runtime, tmp_path: Path) -> None:
    path = tmp_path / "never-loaded.gguf"
    path.write_bytes(b"GGUF")
    messages = (
        Message("user", (Text("a uuid"),)),
        Message("assistant", (ToolCall("1", "uuid", {}),)),
        Message("tool", (ToolOutput("1", "uuid", '{"uuids": ["a-b"]}', True),)),
    )
    request = make_request(model=Model("m", "local", str(path)), messages=messages)
    items = collect(LocalAdapter(LOCAL, runtime), request)
    assert items[0] == Delta("text", "a-b")
    assert reply_of(items).text == "a-b"


@pytest.mark.embedded
def test_a_real_model_answers_in_pieces_that_add_up_and_is_counted(embedded: Runtime) -> None:
    items = ask_tiny(embedded)
    assert isinstance(items[0], Notice)
    assert items[0].kind == "loading"
    reply = reply_of(items)
    assert "".join(item.text for item in items if isinstance(item, Delta)) == reply.text != ""
    assert reply.usage is not None
    assert reply.usage.input > 0
    assert 0 < reply.usage.output <= 16


@pytest.mark.embedded
def test_the_second_client_finds_the_server_of_the_first(embedded: Runtime) -> None:
    ask_tiny(embedded)
    pid = pid_of(place_of(embedded))
    items = ask_tiny(embedded)
    assert not any(isinstance(item, Notice) for item in items)
    assert pid_of(place_of(embedded)) == pid


@pytest.mark.embedded
def test_the_tiny_model_is_never_asked_for_a_tool(embedded: Runtime) -> None:
    reply = reply_of(ask_tiny(embedded, "What time is it?", tools=(TOOL,)))
    assert reply.calls == ()
    assert reply.text


@pytest.mark.embedded
def test_the_output_limit_ends_an_answer(embedded: Runtime) -> None:
    reply = reply_of(ask_tiny(embedded, "Count to one hundred", options={"max_output_tokens": 3}))
    assert reply.finish == "length"
    assert reply.usage is not None
    assert reply.usage.output == 3


@pytest.mark.embedded
def test_a_history_in_any_script_is_answered(embedded: Runtime) -> None:
    turns = [Message("user", (Text("中文问题"),)), Message("assistant", (Text("回答 🙂"),))] * 30
    reply = reply_of(ask_tiny(embedded, messages=(*turns, Message("user", (Text("再见"),)))))
    assert reply.finish in ("stop", "length")


@pytest.mark.embedded
def test_the_server_ends_with_its_last_client_when_it_is_told_to(embedded: Runtime) -> None:
    runtime = replace(embedded, local_idle=0.0)
    ask_tiny(runtime)
    place = place_of(runtime)
    wait_until(lambda: not is_held(place.alive))
    assert not place.socket.exists()
    assert not place.key.exists()


@pytest.mark.embedded
def test_the_server_ends_when_it_was_idle(embedded: Runtime) -> None:
    runtime = replace(embedded, local_idle=1.0)
    ask_tiny(runtime)
    place = place_of(runtime)
    assert is_held(place.alive)
    wait_until(lambda: not is_held(place.alive))


@pytest.mark.embedded
def test_a_removed_socket_ends_its_server_and_the_next_request_starts_another(embedded: Runtime) -> None:
    ask_tiny(embedded)
    place = place_of(embedded)
    old = pid_of(place)
    place.socket.unlink()
    reply_of(ask_tiny(embedded))
    assert pid_of(place) != old


@pytest.mark.embedded
def test_what_a_killed_server_left_is_in_nobodys_way(embedded: Runtime) -> None:
    ask_tiny(embedded)
    place = place_of(embedded)
    stop_server(place)
    assert place.socket.exists()
    assert place.key.exists()
    reply_of(ask_tiny(embedded))


@pytest.mark.embedded
def test_closing_the_stream_frees_the_model(embedded: Runtime) -> None:
    async def talk() -> float:
        adapter = LocalAdapter(LOCAL, embedded)
        long = ModelRequest(
            TINY, (Message("user", (Text("Tell a long story"),)),), options={"max_output_tokens": 4000}
        )
        try:
            async with aclosing(adapter.stream(long)) as items:
                async for item in items:
                    if isinstance(item, Delta):
                        break
            begun = time.monotonic()
            short = replace(long, options={"max_output_tokens": 1})
            answer = [item async for item in adapter.stream(short)]
            assert not any(isinstance(item, Notice) for item in answer)
            return time.monotonic() - begun
        finally:
            await adapter.close()

    assert asyncio.run(talk()) < 20


CLIENT = """
import asyncio, sys
from pathlib import Path
from agentctl.providers.base import Delta, Notice
from agentctl.providers.local.adapter import LocalAdapter
from tests.providers.asking import make_request, make_runtime
from tests.providers.local.conftest import TINY
from tests.providers.local.test_adapter import LOCAL

async def main():
    runtime = make_runtime(Path(sys.argv[1]), stream_timeout=60.0, local_idle=60.0)
    adapter = LocalAdapter(LOCAL, runtime)
    request = make_request("Tell a long story", model=TINY, options={"max_output_tokens": int(sys.argv[2])})
    async for item in adapter.stream(request):
        if isinstance(item, Notice):
            print("notice", item.kind, flush=True)
        elif isinstance(item, Delta):
            print("delta", flush=True)
        else:
            print("reply", item.finish, item.fault, flush=True)
    await adapter.close()

asyncio.run(main())
"""


@pytest.mark.embedded
def test_clients_at_once_start_one_server_and_wait_for_each_other(embedded: Runtime, tmp_path: Path) -> None:
    clients = [spawn(CLIENT, str(tmp_path), "20") for _ in range(3)]
    said = [client.communicate(timeout=120) for client in clients]
    assert [client.returncode for client in clients] == [0, 0, 0], said
    lines = [out.split("\n") for out, _ in said]
    assert all("None" in line[-2] for line in lines), said
    assert sum("notice loading" in line for line in lines) == 1
    assert sum("notice waiting" in line for line in lines) == 2


@pytest.mark.embedded
def test_a_killed_client_does_not_block_the_next(embedded: Runtime, tmp_path: Path) -> None:
    client = spawn(CLIENT, str(tmp_path), "4000")
    assert client.stdout is not None
    while client.stdout.readline() != "delta\n":
        assert client.poll() is None
    os.kill(client.pid, signal.SIGKILL)
    client.communicate()
    items = ask_tiny(embedded, options={"max_output_tokens": 1})
    assert reply_of(items).usage is not None
    assert not any(isinstance(item, Notice) for item in items)
