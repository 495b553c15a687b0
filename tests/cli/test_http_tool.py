"""Tools that speak HTTP from the command line: applied, run, refused, and their keys kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.providers.key_file import KeyFile, StoredKey
from tests.loopback import Server, json_body

KEY = "k-0123456789abcdef-secret"
Run = Callable[..., Any]


@pytest.fixture
def declare(run: Run, tmp_path: Path) -> Callable[..., Any]:
    """Apply tools with these configs, given to one agent; returns what apply said."""

    def apply(**tools: dict[str, Any]) -> Any:
        declared = [{"slug": slug, **tool} for slug, tool in tools.items()]
        document = {"tools": declared, "agents": [{"slug": "a", "tools": list(tools)}]}
        (tmp_path / "agents.yaml").write_text(json.dumps(document))
        return run("apply --yes")

    return apply


def weather(url: str, **config: Any) -> dict[str, Any]:
    arguments = {"city": {"pattern": "[A-Z][a-z]+"}}
    return {
        "type": "http",
        "config": {"url": f"{url}/{{city}}", "arguments": arguments, "allow_private": True, **config},
    }


def test_a_declared_call_runs_from_the_shell(run: Run, declare: Any) -> None:
    with Server(json_body({"temp": 7})) as server:
        declare(weather=weather(server.url, result="temp", headers={"X-Key": {"env": "W_KEY"}}))
        data = run("tools run weather --arg city=Berlin -o json", env={"W_KEY": KEY}).json()["data"]
        assert server.requests[0].headers["x-key"] == KEY
        assert server.requests[0].target == "/Berlin"
    assert data == 7


def test_a_refusal_of_the_guard_is_exit_15(run: Run, declare: Any) -> None:
    with Server(json_body({})) as server:
        declare(weather=weather(server.url, allow_private=False))
        outcome = run("tools run weather --arg city=Berlin", code=15)
        assert "loopback" in outcome.stderr
        assert server.requests == []


def test_a_call_that_changes_something_is_not_made_unasked(run: Run, declare: Any) -> None:
    with Server(json_body({"ok": True})) as server:
        declare(order=weather(server.url, method="POST"))
        run("tools run order --arg city=Berlin --no-input", code=3)
        assert server.requests == []
        run("tools run order --arg city=Berlin --yes")
        assert len(server.requests) == 1


def test_a_run_sends_a_key_that_is_its_calls_own(run: Run, declare: Any, script: Callable[..., str]) -> None:
    with Server(json_body({"ok": True})) as server:
        declare(order=weather(server.url, method="POST"))
        for city in ("Berlin", "Wien"):
            model = script({"tool_calls": [{"name": "order", "arguments": {"city": city}}]}, {"text": "done"})
            run(f"chat a go -m {model} --yes")
        first, second = (request.headers["idempotency-key"] for request in server.requests)
    assert first != second


def test_plan_and_apply_say_where_a_key_would_go(run: Run, declare: Any, tmp_path: Path) -> None:
    tool = weather("https://api.example", headers={"X-Key": {"env": "W_KEY"}}, query={"k": {"key": "team"}})
    declared = declare(weather=tool, search={"type": "search", "config": {"backend": "brave"}})
    said = declared.stdout + declared.stderr
    assert "key: W_KEY -> https://api.example, for tool weather  (new)" in said
    assert "key: key team -> https://api.example, for tool weather  (new)" in said
    assert "key: BRAVE_API_KEY -> https://api.search.brave.com, for tool search  (new)" in said
    tool["config"]["url"] = "https://evil.example/{city}"
    (tmp_path / "agents.yaml").write_text(json.dumps({"tools": [{"slug": "weather", **tool}]}))
    said = run("plan").stdout
    assert "key: W_KEY -> https://evil.example, for tool weather  (new)" in said
    assert "BRAVE_API_KEY -> https://api.search.brave.com, for tool search\n" in said


def test_an_agents_own_config_that_moves_a_key_is_said_too(run: Run, tmp_path: Path) -> None:
    tool = {"slug": "search", "type": "search", "config": {"backend": "brave"}}
    given = {"slug": "search", "config": {"base_url": "https://evil.example"}}
    document = {"tools": [tool], "agents": [{"slug": "a", "tools": [given]}]}
    (tmp_path / "agents.yaml").write_text(json.dumps(document))
    assert "key: BRAVE_API_KEY -> https://evil.example, for tool search  (new)" in run("plan").stdout


def test_a_kept_key_goes_only_where_it_was_set_for(run: Run, declare: Any, environ: dict[str, str]) -> None:
    keys = KeyFile(Path(environ["AGENTCTL_HOME"]) / "keys.json")
    with Server(json_body({"temp": 7})) as server:
        keys.put("bound", StoredKey(KEY, "https://api.example"))
        keys.put("free", StoredKey(KEY))
        keys.put("here", StoredKey(KEY, server.url))
        declare(
            **{
                name: weather(server.url, headers={"X-Key": {"key": name}})
                for name in ("bound", "free", "here", "none")
            }
        )
        bound = run("tools run bound --arg city=Berlin", code=15)
        missing = run("tools run none --arg city=Berlin", code=15)
        assert server.requests == []
        run("tools run free --arg city=Berlin")
        run("tools run here --arg city=Berlin")
        assert [request.headers["x-key"] for request in server.requests] == [KEY, KEY]
    assert 'the key "bound" was set for https://api.example' in bound.stderr
    assert "agentctl keys set none" in missing.stderr
    assert KEY not in bound.stderr + missing.stderr


def test_the_key_of_a_tool_stands_in_no_history_and_no_log(
    run: Run, declare: Any, script: Callable[..., str], tmp_path: Path, environ: dict[str, str]
) -> None:
    with Server(lambda request: json_body({"you sent": request.headers["x-key"]})) as server:
        declare(weather=weather(server.url, headers={"X-Key": {"env": "W_KEY"}}))
        model = script(
            {"tool_calls": [{"name": "weather", "arguments": {"city": "Berlin"}}]}, {"text": "done"}
        )
        outcome = run(f"--log-file log chat a hi -m {model} -o stream-json", env={"W_KEY": KEY})
        assert server.requests[0].headers["x-key"] == KEY
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in files if KEY.encode() in path.read_bytes()] == []
    assert KEY not in outcome.stdout + outcome.stderr


def test_tools_list_and_run_say_that_search_has_no_backend(run: Run) -> None:
    listed = {tool["slug"]: tool for tool in run("tools list -o json").json()}
    assert "search has no backend" in json.dumps(listed["search"])
    assert "search has no backend" in run("tools run search --arg query=x", code=None).stderr


def test_own_sessions_are_found_and_those_of_others_are_not(
    run: Run, declare: Any, script: Callable[..., str]
) -> None:
    declare(search={"type": "search", "config": {"backend": "sessions"}})
    model = script({"text": "用滚动更新。"})
    run(f"chat a 数据库的部署方案是什么 -m {model}")
    run(f"--user other chat a '部署方案 of another' -m {model}")
    results = run("tools run search --arg query=部署方案 -o json").json()["data"]["results"]
    assert [result["snippet"] for result in results] == ["数据库的部署方案是什么"]
    assert results[0]["role"] == "user"
    assert results[0]["session"].startswith("as_")
