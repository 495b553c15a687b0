from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.blanks import Blanks
from agentctl.domain.model import Model, Provider, ResolvedModel
from agentctl.errors import ConfigError, CredentialsError, ProviderError
from agentctl.providers.base import Reply, Runtime, StreamItem
from agentctl.providers.recording.file import KINDS, Line, Section
from agentctl.providers.recording.loading import load_recorded, load_replayed
from agentctl.providers.recording.models import model_as_dict, model_from_dict, without_secrets
from agentctl.providers.recording.player import Player
from tests.loopback import Response, Server, said
from tests.providers.asking import make_request, make_runtime
from tests.providers.wire_cases import Case, read_cases, read_chunks

KEY = "sk-0123456789abcdef"
MINE = Provider(
    "mine",
    "openai",
    base_url="http://user:password@localhost/v1?api-key=secret",
    api_key_env="MINE_KEY",
    api_key_cmd=("pass", "mine"),
    headers={"x-team": "blue", "api-key": {"key": "mine"}},
    options={"temperature": 0},
)


def ask(adapter: Any, text: str) -> list[StreamItem]:
    async def run() -> list[StreamItem]:
        adapter.check(Model("m", "mine", "m"))
        try:
            return [item async for item in adapter.stream(make_request(text))]
        finally:
            await adapter.close()

    return asyncio.run(run())


def record(provider: Provider, runtime: Runtime, text: str) -> tuple[list[StreamItem], list[Line]]:
    kept: list[Line] = []
    adapter = load_recorded(provider, runtime, kept.append, lambda: 5, Blanks())
    return ask(adapter, text), kept


def play(lines: list[Line]) -> Player:
    sections: dict[str, list[Line]] = {kind: [] for kind in KINDS}
    for line in lines:
        sections[line["type"]].append(line)
    return Player(Path("r.jsonl"), Section({"turn": 1}, sections))


def test_an_adapter_gives_the_same_items_from_what_was_kept(tmp_path: Path) -> None:
    runtime = make_runtime(tmp_path, {"MINE_KEY": KEY})
    with Server(Response(said("Hello, ", f"{KEY}!"))) as server:
        provider = replace(MINE, base_url=server.url, headers={})
        recorded, lines = record(provider, runtime, "Hello?")
    assert KEY not in str(lines)
    player, times = play(lines), []
    replayed = ask(load_replayed(provider, make_runtime(tmp_path), player, times.append), "Hello?")
    assert len(replayed) == len(recorded)
    last = replayed[-1]
    assert isinstance(last, Reply)
    assert last.text == "Hello, ***!"
    assert times
    assert player.list_leftovers() == []


def test_a_request_too_many_is_an_error_and_one_too_few_is_told(tmp_path: Path) -> None:
    with Server(Response(said("Hello."))) as server:
        provider = Provider("mine", "openai", base_url=server.url)
        _, lines = record(provider, make_runtime(tmp_path), "Hello?")
    player = play(lines)
    assert player.list_leftovers() == ["turn 1 of r.jsonl: 1 recorded requests not asked for"]
    adapter = load_replayed(provider, make_runtime(tmp_path), player, lambda _: None)
    ask(adapter, "Hello?")
    with pytest.raises(ProviderError, match=r"request 2 in turn 1 of r\.jsonl was not recorded"):
        ask(adapter, "Hello?")


def test_a_request_to_another_place_is_another_request(tmp_path: Path) -> None:
    with Server(Response(said("Hello."))) as server:
        provider = Provider("mine", "openai", base_url=server.url)
        _, lines = record(provider, make_runtime(tmp_path), "Hello?")
    moved = replace(provider, base_url=f"{server.url}/v2")
    with pytest.raises(ProviderError) as caught:
        ask(load_replayed(moved, make_runtime(tmp_path), play(lines), lambda _: None), "Hello?")
    assert f'+  "url": "{server.url}/v2/chat/completions"' in str(caught.value.hint)


def test_a_model_that_could_not_be_asked_cannot_be_asked_again(tmp_path: Path) -> None:
    kept: list[Line] = []
    mine = replace(MINE, base_url="http://localhost/v1")
    adapter = load_recorded(mine, make_runtime(tmp_path), kept.append, lambda: 5, Blanks())
    with pytest.raises((ConfigError, CredentialsError)) as recorded:
        adapter.check(Model("m", "mine", "m"))
    replayed = load_replayed(mine, make_runtime(tmp_path), play(kept), lambda _: None)
    with pytest.raises(type(recorded.value), match=str(recorded.value)):
        replayed.check(Model("m", "mine", "m"))
    replayed.check(Model("other", "mine", "other"))


def test_a_models_record_holds_what_requests_are_made_of_and_no_secret() -> None:
    model = Model(
        "m", "mine", "big", 1_000, inputs=("image",), input_price=0.0, assumed=frozenset({"inputs"})
    )
    plain = json.loads(json.dumps(model_as_dict(ResolvedModel("m", MINE, model, "named"))))
    assert not {"password", "secret", "pass", "blue", "user"} & set(str(plain).replace("'", " ").split())
    assert "password" not in str(plain)
    again = model_from_dict(plain)
    assert (again.reference, again.model, again.reason) == ("m", model, "named")
    assert again.provider == without_secrets(MINE)
    assert again.provider.options == {"temperature": 0}


def test_a_line_that_is_not_as_it_should_be_is_told(tmp_path: Path) -> None:
    with Server(Response(said("Hello."))) as server:
        provider = Provider("mine", "openai", base_url=server.url)
        _, (line,) = record(provider, make_runtime(tmp_path), "Hello?")
    del line["chunks"]
    with pytest.raises(ConfigError, match=r"turn 1 of r\.jsonl cannot be read"):
        ask(load_replayed(provider, make_runtime(tmp_path), play([line]), lambda _: None), "Hello?")


def ask_case(adapter: Any) -> list[StreamItem]:
    async def run() -> list[StreamItem]:
        try:
            return [item async for item in adapter.stream(make_request("Hello?"))]
        finally:
            await adapter.close()

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        pytest.param(kind, case, id=case["id"])
        for kind, name in (
            ("anthropic", "wire_anthropic.jsonl"),
            ("openai", "wire_chat.jsonl"),
            ("openai-responses", "wire_responses.jsonl"),
        )
        for case in read_cases(name)
        if len(case["chunks"]) < 100
    ],
)
def test_whatever_servers_send_comes_again(kind: str, case: Case, tmp_path: Path) -> None:
    settings = case.get("options") or {}
    headers = {"content-type": settings.get("ctype", "text/event-stream")}
    kept: list[Line] = []
    with Server(Response(read_chunks(case, ()), settings.get("status", 200), headers)) as server:
        provider = Provider("mine", kind, base_url=server.url, api_key_env="MINE_KEY")
        runtime = make_runtime(tmp_path, {"MINE_KEY": KEY})
        recorded = ask_case(load_recorded(provider, runtime, kept.append, lambda: 5, Blanks()))
    lines = json.loads(json.dumps(kept))
    assert ask_case(load_replayed(provider, make_runtime(tmp_path), play(lines), lambda _: None)) == recorded
