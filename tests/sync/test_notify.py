"""`notify` in YAML: a list of words, applied, exported and taken away again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentctl.errors import ConfigError
from agentctl.store import Store
from agentctl.sync.apply import apply_plan
from agentctl.sync.export import export
from agentctl.sync.schema import read_declared
from agentctl.sync.state import read_state


def apply(store: Store, folder: Path, text: str) -> list[tuple[object, ...]]:
    (folder / "agents.yaml").write_text(text, encoding="utf-8")
    plan = apply_plan(store, read_declared([], folder, read_state(store)))
    return [(change.kind, change.noun, change.slug, *change.fields) for change in plan.changes]


def test_a_program_is_applied_exported_and_taken_away(store: Store, tmp_path: Path) -> None:
    text = 'notify: [/usr/local/bin/tell, "--who", 李]\n'
    words = ["/usr/local/bin/tell", "--who", "李"]
    assert apply(store, tmp_path, text) == [("create", "setting", "notify", ("program", None, words))]
    assert json.loads(store.settings.get("notify") or "") == words
    assert apply(store, tmp_path, text) == []
    assert apply(store, tmp_path, export(store)) == []
    assert apply(store, tmp_path, "agents: []\n") == []
    assert apply(store, tmp_path, "notify: [tell]\n") == [
        ("update", "setting", "notify", ("program", words, ["tell"]))
    ]
    assert apply(store, tmp_path, "notify: []\n") == [
        ("update", "setting", "notify", ("program", ["tell"], []))
    ]
    assert "notify" not in export(store)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("notify: tell somebody\n", "agents.yaml:1:9: notify: expected a list of words"),
        ("notify: [./tell]\n", 'agents.yaml:1:9: notify: "./tell" depends on the folder'),
        ("notify: [tell, 5]\n", "agents.yaml:1:16: notify: expected text"),
        ("notify: ['']\n", "agents.yaml:1:9: notify: the first word names no program"),
    ],
)
def test_what_is_no_program_is_refused_with_its_place(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "agents.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_declared([], tmp_path)
    assert any(line.startswith(problem) for line in caught.value.problems), caught.value.problems


def test_two_files_do_not_differ_about_it(tmp_path: Path) -> None:
    for name, program in (("a.yaml", "tell"), ("b.yaml", "shout")):
        (tmp_path / name).write_text(json.dumps({"notify": [program]}))
    with pytest.raises(ConfigError) as caught:
        read_declared(["a.yaml", "b.yaml"], tmp_path)
    assert "notify is given in a.yaml already, and differs" in caught.value.problems[0]
