"""`agentctl models`: what can answer, which one does and why, and models made by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.cli.models import COMMANDS
from agentctl.domain.agent import Agent
from agentctl.domain.model import Model, Provider
from agentctl.providers import EMBEDDED_MODEL
from agentctl.providers.local.models import CATALOGUE, DEFAULT
from agentctl.store import Store
from tests.conftest import Outcome
from tests.loopback import Received, Response, Server, events, json_body, said

Run = Callable[..., Outcome]
Script = Callable[..., str]


@pytest.fixture
def coder(store: Store) -> Agent:
    agent = Agent("coder", "Coder", default_model=("openai/gpt-4.1-mini", "local/smollm2-135m"))
    store.agents.put(agent)
    return agent


def here(store: Store, server: Server) -> str:
    """The server as a declared provider; returns a model of it."""
    store.providers.put(Provider("here", "openai", f"{server.url}/v1"))
    return "here/tiny"


def test_the_table_of_commands_is_sorted() -> None:
    assert list(COMMANDS) == sorted(COMMANDS)


def test_the_list_has_what_is_declared_private_and_embedded(run: Run, store: Store) -> None:
    me = store.users.ensure("tester")
    store.models.put(Model("fast", "openai", "gpt-4.1-mini", source="/x/agents.yaml"))
    store.models.put(Model("mine", "ollama", "qwen3"), me.id)
    store.models.put(Model("theirs", "ollama", "qwen3"), store.users.ensure("other").id)
    store.models.put(Model("lost", "gone", "x"))
    rows = {row["slug"]: row for row in run("models list -o json").json()}
    assert set(rows) == {"fast", "mine", "lost", *(f"local/{name}" for name in CATALOGUE)}
    assert [rows[slug]["declared"] for slug in ("fast", "mine", "lost", EMBEDDED_MODEL)] == [
        "file",
        "private",
        "by hand",
        "no",
    ]
    assert rows["fast"]["status"] == "no key: OPENAI_API_KEY"
    assert rows["lost"]["status"] == "no provider gone"
    assert rows[EMBEDDED_MODEL]["status"] == "not fetched"
    assert (rows["fast"]["input_price"], rows["mine"]["input_price"]) == (0.4, None)


def test_all_adds_the_catalogue(run: Run) -> None:
    rows = run("models list --all -o json").json()
    assert len({row["slug"] for row in rows}) == len(rows)
    assert "openai/gpt-4.1-mini" in {row["slug"] for row in rows}
    assert "openai/gpt-4.1-mini" not in run("models list -o ids").stdout


def test_the_list_of_an_agent_numbers_what_it_would_get(run: Run, coder: Agent) -> None:
    rows = run("models list --agent coder -o json", env={"OPENAI_API_KEY": "sk-x"}).json()
    assert [(row["slug"], row["choice"]) for row in rows[:2]] == [
        ("openai/gpt-4.1-mini", 1),
        ("local/smollm2-135m", 2),
    ]
    assert {row["status"] for row in rows if row["choice"] is None and not row["reason"]} <= {"ready"}
    run("models list --agent codr", code=6)


def test_resolve_says_every_source_and_marks_the_one_that_decides(run: Run, coder: Agent) -> None:
    found = run("models resolve coder -o json").json()
    assert (found["model"], found["reason"]) == ("openai/gpt-4.1-mini", "the default of agent coder")
    assert (found["base_url"], found["key"], found["key_present"]) == (
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        False,
    )
    assert [each["model"] for each in found["fallbacks"]] == ["local/smollm2-135m"]
    assert [source["source"] for source in found["sources"]] == [
        "-m",
        "AGENTCTL_MODEL",
        "session",
        "preferred",
        "agent coder",
        "global default",
        "embedded",
    ]
    assert [source["source"] for source in found["sources"] if source["chosen"]] == ["agent coder"]
    lines = run("models resolve coder", env={"OPENAI_API_KEY": "sk-secret"}).stdout
    assert "-> agent coder" in lines
    assert "OPENAI_API_KEY is there" in lines
    assert "sk-secret" not in lines
    assert run("models resolve coder -o ids").stdout == "openai/gpt-4.1-mini\nlocal/smollm2-135m\n"


def test_resolve_knows_flags_variables_and_sessions(run: Run, coder: Agent, script: Script) -> None:
    model = script({"text": "hi"})
    run(f"chat coder hi -m {model}")
    assert run("models resolve coder -s @last -o json").json()["model"] == model
    found = run("models resolve coder -o json", env={"AGENTCTL_MODEL": "openai/o3"}).json()
    assert (found["model"], found["reason"]) == ("openai/o3", "given with AGENTCTL_MODEL")
    assert run("models resolve coder -m openai/x -o json").json()["reason"] == "given with -m"
    run("models resolve coder -s as_nope", code=6)


def test_a_preference_is_ones_own_and_beats_the_agents_default(run: Run, coder: Agent) -> None:
    run("models prefer openai/o3")
    assert run("models resolve coder -o json").json()["reason"] == "the user's preferred model"
    assert run("--user other models resolve coder -o json").json()["model"] == "openai/gpt-4.1-mini"
    run("models prefer --unset")
    assert run("models resolve coder -o json").json()["model"] == "openai/gpt-4.1-mini"
    for line in ("models prefer", "models prefer openai/x --unset"):
        run(line, code=2)


def test_the_global_default_is_for_everybody_and_the_later_one_holds(
    run: Run, store: Store, tmp_path: Path
) -> None:
    store.agents.put(Agent("plain", "Plain"))
    (tmp_path / "agents.yaml").write_text("default_model: openai/of-file\n")
    run("apply --yes")
    run("models default openai/by-hand")
    assert run("--user other models resolve plain -o json").json()["model"] == "openai/by-hand"
    run("apply --yes")
    assert run("models resolve plain -o json").json()["model"] == "openai/of-file"
    run("models default --unset")
    assert run("models resolve plain -o json").json()["model"] == EMBEDDED_MODEL


def test_a_global_default_cannot_be_somebodys_private_model(run: Run) -> None:
    run("models create mine --provider ollama --private")
    run("models prefer mine")
    assert 'unknown model "mine"' in run("models default mine", code=6).stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("models show gpt-4.1-mini", 'did you mean "openai/gpt-4.1-mini"?'),
        ("models test gpt-4.1-mini", 'did you mean "openai/gpt-4.1-mini"?'),
        ("models prefer smollm2-135m", 'did you mean "local/smollm2-135m"?'),
        ("models default local/smollm-135m", 'did you mean "smollm2-135m"?'),
        ("models resolve coder -m local/smollm-135m", 'did you mean "smollm2-135m"?'),
        ("models pull smollm-135m", 'did you mean "smollm2-135m"?'),
        ("models rm smollm-135m --yes", 'did you mean "smollm2-135m"?'),
        ("models update fst --name x", 'did you mean "fast"?'),
        ("models delete fst --yes", 'did you mean "fast"?'),
        ("chat 'a b' -m gpt-4.1-mini", 'did you mean "openai/gpt-4.1-mini"?'),
        ("chat 'a b' -m local/smollm-135m", 'did you mean "smollm2-135m"?'),
    ],
)
def test_an_unknown_model_is_exit_6_with_a_suggestion(
    run: Run, store: Store, coder: Agent, line: str, said: str
) -> None:
    store.models.put(Model("fast", "openai", "x"))
    assert said in run(line, code=6).stderr


def test_a_variable_that_names_nothing_is_named(run: Run, coder: Agent) -> None:
    stderr = run("chat 'a b'", code=6, env={"AGENTCTL_MODEL": "gpt-4.1-mini"}).stderr
    assert "AGENTCTL_MODEL" in stderr
    assert 'did you mean "openai/gpt-4.1-mini"?' in stderr


def test_a_model_by_hand_is_made_changed_and_removed(run: Run, coder: Agent, store: Store) -> None:
    made = run(
        "models create fast --provider openai --name gpt-4.1-mini --inputs image --option temperature=0.5"
        " --option 'stop=[\"x\"]' -o json"
    ).json()
    assert (made["inputs"], made["options"]) == (["image"], {"temperature": 0.5, "stop": ["x"]})
    assert (made["input_price"], made["private"]) == (0.4, False)
    changed = run(
        "models update fast --input-price 9 --inputs none --option seed=1 --unset options.stop -o json"
    ).json()
    assert (changed["input_price"], changed["inputs"]) == (9.0, [])
    assert changed["options"] == {"temperature": 0.5, "seed": 1}
    assert run("models update fast --unset input_price -o json").json()["input_price"] == 0.4
    store.agents.put(Agent("user", "User", default_model=("fast",)))
    assert "named by agent user" in run("models delete fast --yes").stderr
    assert store.models.list() == []


def test_a_private_model_comes_first_and_nobody_else_sees_it(run: Run) -> None:
    run("models create fast --provider openai --name common")
    run("models create fast --provider openai --name mine --private")
    assert run("models show fast -o json").json()["name"] == "mine"
    assert run("--user other models show fast -o json").json()["name"] == "common"
    assert "is for everybody" in run("--user other models delete fast --private --yes", code=6).stderr
    run("models delete fast --private --yes")
    assert run("models show fast -o json").json()["name"] == "common"


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("models create fast --provider opnai", 5, 'unknown provider "opnai" (did you mean "openai"?)'),
        ("models create Fast --provider openai", 5, "a slug is made of"),
        ("models create fast --provider openai --input-price -1", 5, "a price of 0 or more"),
        ("models create fast --provider openai --inputs audio", 5, "expected one of image, pdf"),
        ("models create fast --provider openai --option api_key=x", 5, "must not stand here"),
        ("models create fast --provider openai --option x", 2, "KEY=JSON"),
        ("models create taken --provider openai", 2, "already"),
        ("models create fast", 2, "--provider"),
        ("models update taken", 2, "nothing to change"),
        ("models update taken --unset provider", 2, "no field"),
        ("models update taken --unset options.x", 2, 'no "x"'),
        ("models delete taken", 2, "--yes"),
    ],
)
def test_the_rules_of_yaml_hold_for_commands(run: Run, store: Store, line: str, code: int, said: str) -> None:
    store.models.put(Model("taken", "openai", "x"))
    assert said in run(line, code=code).stderr
    assert [model.slug for model in store.models.list()] == ["taken"]


def test_what_a_file_declares_is_changed_there(run: Run, store: Store, tmp_path: Path) -> None:
    (tmp_path / "agents.yaml").write_text("models: [{slug: fast, provider: openai, inputs: [pdf]}]\n")
    run("apply --yes")
    for line in ("models update fast --name y", "models delete fast --yes"):
        refused = run(line, code=2).stderr
        assert "agents.yaml" in refused
        assert "agentctl apply" in refused
    assert store.models.list()[0].inputs == ("pdf",)


def test_the_test_of_a_model_reports_counts_and_keeps_what_it_used(run: Run, store: Store) -> None:
    call = {"index": 0, "id": "c", "function": {"name": "add", "arguments": '{"a":19,"b":23}'}}
    usage = {"prompt_tokens": 11, "completion_tokens": 3}

    def answer(request: Received) -> Response:
        if "tools" not in request.json:
            return Response(said("one ", "two", usage=usage))
        delta = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}
        end = {"index": 0, "delta": {}, "finish_reason": "tool_calls"}
        return Response(events({"choices": [delta]}, {"choices": [end], "usage": usage}))

    with Server(answer) as server:
        model = here(store, server)
        store.models.put(Model("cheap", "here", "tiny", input_price=1.0, output_price=2.0))
        found = run("models test cheap -o json").json()
        lines = run(f"models test {model}").stdout.splitlines()
        assert len(server.requests) == 4
        assert all(request.json["max_tokens"] <= 512 for request in server.requests)
    assert {check["check"]: check["status"] for check in found["checks"]} == {
        "reachable": "ok",
        "streaming": "ok",
        "tools": "ok",
        "usage": "ok",
    }
    assert found["usage"] == {"input": 22, "output": 6, "cached": 0, "reasoning": 0}
    assert (found["cost_usd"], found["exit_code"]) == (0.000034, 0)
    assert lines[0].split("\t")[:2] == ["reachable", "ok"]
    row = run("usage --by model -o json").json()[0]
    assert (row["test_requests"], row["requests"]) == (4, 0)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (json_body({"error": {"message": "no such model", "code": "model_not_found"}}, 404), 13),
        (json_body({"error": {"message": "slow down"}}, 429), 75),
        (json_body({"error": {"message": "who are you"}}, 401), 7),
        (Response(drop=True), 75),
    ],
)
def test_a_model_that_fails_gives_the_code_of_the_fault(
    run: Run, store: Store, answer: Response, code: int
) -> None:
    with Server(answer) as server:
        found = run(f"models test {here(store, server)} -o json", code=code).json()
    assert [check["status"] for check in found["checks"]] == ["failed", *["skipped"] * 3]
    assert found["exit_code"] == code
    assert store.usage.totals(store.users.ensure("tester").id, "model") == []


def test_a_fetched_file_can_be_listed_and_removed(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "my.gguf"
    source.write_bytes(b"GGUF" + bytes(2_000_000))
    run("models pull ./my.gguf")
    rows = {row["slug"]: row for row in run("models list -o json").json()}
    assert rows["local/my"]["status"] == "ready"
    assert run("models show local/my -o json").json()["input_price"] == 0.0
    assert "nobody can be asked" in run("models rm my", code=2).stderr
    assert "freed 2 MB" in run("models rm local/my --yes").stderr
    assert source.exists()
    run("models show local/my", code=6)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("models pull http://models.example/a.gguf", 2),
        ("models pull ftp://models.example/a.gguf", 2),
        ("models pull ./none.gguf", 6),
        (f"models pull {DEFAULT} --sha256 {'0' * 64}", 2),
        ("models pull ./a.gguf --from ./b.gguf", 2),
        ("models pull ./a.gguf --sha256 xyz", 2),
        (f"models rm {DEFAULT} --yes", 6),
    ],
)
def test_what_cannot_be_fetched_or_removed_is_refused(run: Run, line: str, code: int) -> None:
    run(line, code=code)


def test_new_keys_of_models_go_through_files_and_back(run: Run, tmp_path: Path) -> None:
    model: dict[str, Any] = {
        "slug": "fast",
        "provider": "openai",
        "cached_input_price": 0.5,
        "inputs": ["image", "pdf"],
    }
    (tmp_path / "agents.yaml").write_text(json.dumps({"models": [model]}))
    run("apply --yes")
    exported = run("export").stdout
    assert "cached_input_price: 0.5" in exported
    (tmp_path / "agents.yaml").write_text(exported)
    run("plan --exit-code")
    model["inputs"] = ["image"]
    (tmp_path / "agents.yaml").write_text(json.dumps({"models": [model]}))
    assert "inputs" in run("plan --exit-code", code=11).stdout
    model["inputs"] = ["video"]
    (tmp_path / "agents.yaml").write_text(json.dumps({"models": [model]}))
    assert "expected one of image, pdf" in run("validate", code=5).stderr


@pytest.mark.parametrize("line", ["models resolve coder", "models list --agent coder"])
def test_the_built_in_agents_are_known_before_the_first_conversation(run: Run, line: str) -> None:
    assert "qwen" in run(line).stdout
