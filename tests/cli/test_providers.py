"""Providers by their users' view: made, changed and removed by hand, for everybody or for one user."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.store import Store
from tests.conftest import Outcome
from tests.loopback import Response, Server, said

Run = Callable[..., Outcome]
CREATE = "providers create work --kind openai --base-url https://llm.example.com/v1"
SECRET = "sk-very-secret-value"


def show(run: Run, slug: str, flags: str = "", **options: Any) -> dict[str, Any]:
    shown: dict[str, Any] = run(f"providers show {slug} -o json {flags}", **options).json()
    return shown


def slugs(run: Run, flags: str = "") -> list[str]:
    return run(f"providers list -o ids {flags}").stdout.split()


def test_the_list_says_where_each_key_comes_from_and_whether_it_is_there(run: Run) -> None:
    rows = {row["slug"]: row for row in run("providers list -o json", env={"OPENAI_API_KEY": SECRET}).json()}
    assert (rows["openai"]["key"], rows["openai"]["key_present"]) == ("OPENAI_API_KEY", True)
    assert (rows["gemini"]["key"], rows["gemini"]["key_present"]) == ("GEMINI_API_KEY", False)
    assert (rows["ollama"]["key"], rows["ollama"]["key_present"]) == (None, None)
    assert {row["source"] for row in rows.values()} == {"built in"}
    assert SECRET not in run("providers list -o json", env={"OPENAI_API_KEY": SECRET}).stdout


def test_a_provider_made_by_hand_is_shown_with_all_that_was_said(run: Run) -> None:
    made = run(
        f"{CREATE} --api-key-cmd \"pass show 'my llm'\" --header X-A=b=c --header X-B=env:B"
        " --header X-C=key:team --option temperature=0.2 --option word=bare --option 'more={\"a\": [1]}'"
    )
    assert "command pass show my llm is sent to https://llm.example.com" in made.stderr
    shown = show(run, "work")
    assert (shown["source"], shown["key"], shown["key_present"]) == ("by hand", "the output of pass", None)
    assert shown["api_key_cmd"] == ["pass", "show", "my llm"]
    assert shown["headers"] == {"X-A": "b=c", "X-B": {"env": "B"}, "X-C": {"key": "team"}}
    assert shown["options"] == {"temperature": 0.2, "word": "bare", "more": {"a": [1]}}


def test_a_provider_made_by_hand_is_asked(run: Run) -> None:
    with Server(Response(said("Hi"))) as server:
        run(f"providers create work --kind openai --base-url {server.url}/v1 --api-key-env WORK_KEY")
        run("chat 'a b' -m work/x", env={"WORK_KEY": SECRET})
    assert server.requests[0].headers["authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("create X --kind openai", 5, "a slug is made of a-z, 0-9, _ and - only"),
        ("create x --kind opnai", 5, 'did you mean "openai"?'),
        ("create x --kind openai --base-url host", 5, "expected http://HOST or https://HOST"),
        (f"create x --kind openai --base-url https://a:{SECRET}@h", 5, "must not hold a user or password"),
        (f"create x --kind openai --api-key-env {SECRET}", 5, "the key itself must not stand here"),
        (f"create x --kind openai --header Authorization={SECRET}", 5, "must not stand here as text"),
        (f"create x --kind openai --header x-a='Bearer {SECRET}'", 5, "must not stand here as text"),
        (f"create x --kind openai --option api_key={SECRET}", 5, "must not stand here as text"),
        ("create x --kind openai --api-key-env A --api-key-cmd b", 5, "not both"),
        ("create x --kind openai --api-key-cmd 'a \"b'", 2, "--api-key-cmd: no closing quotation"),
        (f"create x --kind openai --header {SECRET}", 2, "--header: write NAME=VALUE"),
        ("create x --kind openai --option a=[", 2, "--option a: write JSON"),
        ("create x", 2, "--kind"),
        ("update openai --base-url https://h", 6, "is built in"),
        ("update nope --base-url https://h", 6, 'unknown provider "nope"'),
        ("delete nope --yes", 6, 'unknown provider "nope"'),
        ("show nope", 6, 'unknown provider "nope"'),
    ],
)
def test_a_mistake_is_named_and_nothing_is_kept(run: Run, line: str, code: int, words: str) -> None:
    outcome = run(f"providers {line}", code=code)
    assert words in outcome.stderr
    assert SECRET not in outcome.stdout + outcome.stderr
    assert "x" not in slugs(run)


def test_a_slug_is_given_once(run: Run) -> None:
    run(CREATE)
    assert "agentctl providers update work" in run(CREATE, code=2).stderr


def test_only_what_is_given_changes(run: Run) -> None:
    run(f"{CREATE} --api-key-env A --header X-A=1 --header X-B=2 --option a=1 --option b=2")
    run("providers update work --header x-a=3 --option c=3 --unset headers.X-b --unset options.a")
    shown = show(run, "work")
    assert (shown["base_url"], shown["api_key_env"]) == ("https://llm.example.com/v1", "A")
    assert (shown["headers"], shown["options"]) == ({"x-a": "3"}, {"b": 2, "c": 3})
    run("providers update work --unset api-key-env --unset options --api-key-cmd 'pass x'")
    shown = show(run, "work")
    assert (shown["api_key_env"], shown["api_key_cmd"], shown["options"]) == (None, ["pass", "x"], {})


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ("--unset slug", "no field"),
        ("--unset base_ulr", 'did you mean "base_url"?'),
        ("--unset headers.X-A", 'headers has no "X-A"'),
        ("--unset options.a", 'options has no "a"'),
        ("", "nothing to change"),
    ],
)
def test_what_cannot_be_taken_away_is_named(run: Run, flags: str, words: str) -> None:
    run(CREATE)
    assert words in run(f"providers update work {flags}", code=2).stderr


def test_a_new_place_for_a_key_is_said(run: Run) -> None:
    run(f"{CREATE} --api-key-env WORK_KEY")
    same = run("providers update work --base-url https://LLM.example.com:443/v2")
    assert "is sent to" not in same.stderr
    moved = run("providers update work --base-url https://other.example.com")
    assert "WORK_KEY is sent to https://other.example.com" in moved.stderr


def test_what_a_file_declares_is_changed_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agents.yaml").write_text("providers: [{slug: work, kind: openai}]")
    run("apply --yes")
    assert show(run, "work")["source"] == str(tmp_path / "agents.yaml")
    for line in ("update work --base-url https://h", "delete work --yes"):
        outcome = run(f"providers {line}", code=2)
        assert "declared in" in outcome.stderr
        assert "agentctl apply" in outcome.stderr
    (tmp_path / "agents.yaml").unlink()
    run("providers update work --base-url https://h")
    assert show(run, "work")["source"] == "by hand"


def test_an_apply_never_prunes_what_was_made_by_hand(run: Run, tmp_path: Path) -> None:
    run(CREATE)
    run(f"{CREATE} --private")
    (tmp_path / "agents.yaml").write_text("providers: [{slug: other, kind: openai}]")
    run("apply --yes --prune")
    assert show(run, "work")["source"] == "private"
    run("providers delete work --private --yes")
    assert show(run, "work")["source"] == "by hand"


def test_a_built_in_provider_is_overridden_and_comes_back(run: Run) -> None:
    made = run("providers create openai --kind openai --base-url https://llm.example.com/v1")
    assert "now means this one and not the built in one" in made.stderr
    assert show(run, "openai")["base_url"] == "https://llm.example.com/v1"
    assert "then it means the built in one" in run("providers delete openai --yes").stderr
    assert show(run, "openai")["base_url"] == "https://api.openai.com/v1"


def test_a_deletion_says_who_names_it_and_asks(run: Run, tmp_path: Path) -> None:
    run(CREATE)
    (tmp_path / "agents.yaml").write_text(
        "models: [{slug: fast, provider: work, name: x}]\n"
        "agents: [{slug: coder, default_model: work/x}, {slug: other, title_model: work/y}]\n"
        "default_model: work/z\n"
    )
    run("apply --yes")
    outcome = run("providers delete work", code=2)
    users = "the global default, model fast, agent coder, agent other"
    assert f"provider work: named by {users}" in outcome.stderr
    assert "--yes" in outcome.stderr
    assert "work" in slugs(run)
    run("providers delete work --yes")
    assert "work" not in slugs(run)


def test_all_are_deleted_or_none(run: Run) -> None:
    run(CREATE)
    run("providers delete work nope --yes", code=6)
    assert "work" in slugs(run)


def test_nobody_sees_or_uses_the_private_provider_of_another(run: Run, store: Store) -> None:
    with Server(Response(said("Hi"))) as server:
        run(f"providers create mine --kind openai --base-url {server.url} --private")
        assert show(run, "mine")["source"] == "private"
        run("chat 'a b' -m mine/x")
        asked = len(server.requests)
        other = "--user other"
        assert "mine" not in slugs(run, other)
        assert 'unknown provider "mine"' in run(f"providers show mine {other}", code=6).stderr
        assert 'unknown provider "mine"' in run(f"chat 'a b' -m mine/x {other}", code=6).stderr
        for line in ("update mine --private --base-url https://h", "delete mine --private --yes"):
            run(f"providers {line} {other}", code=6)
    assert len(server.requests) == asked > 0
    assert "mine" not in run("export").stdout
    assert store.providers.list() == []


def test_a_private_provider_comes_before_everybodys_for_its_user_alone(run: Run) -> None:
    run("providers create work --kind openai --base-url https://common.example")
    made = run("providers create work --kind openai --base-url https://mine.example --private")
    assert "now means this one and not the by hand one" in made.stderr
    assert show(run, "work")["base_url"] == "https://mine.example"
    assert show(run, "work", "--user other")["base_url"] == "https://common.example"
    assert slugs(run).count("work") == 1
    run("providers update work --base-url https://new.example")
    assert show(run, "work")["base_url"] == "https://mine.example"
    assert show(run, "work", "--user other")["base_url"] == "https://new.example"
    run("providers delete work --yes")
    assert show(run, "work")["base_url"] == "https://mine.example"


def test_which_of_both_is_meant_is_said(run: Run) -> None:
    run(f"{CREATE} --private")
    assert "Add --private" in run("providers delete work --yes", code=6).stderr
    run("providers create common --kind openai")
    assert "Leave --private out" in run("providers update common --private --kind openai", code=6).stderr
