"""How large documents may be stands in YAML, and holds for everybody."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentctl.documents.limits import read_limits
from agentctl.domain.document_limits import DocumentLimits
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


def test_limits_of_documents_are_applied_and_exported(store: Store, tmp_path: Path) -> None:
    text = "documents:\n  max_content_length: 20\n  session_days: 3\n"
    assert apply(store, tmp_path, text) == [
        ("create", "setting", "documents", ("max_content_length", None, 20), ("session_days", None, 3))
    ]
    assert read_limits(store) == DocumentLimits(max_content_length=20, session_days=3)
    assert apply(store, tmp_path, text) == []
    assert apply(store, tmp_path, export(store)) == []
    assert apply(store, tmp_path, "agents: []\n") == []
    assert apply(store, tmp_path, text.replace("20", "30")) == [
        ("update", "setting", "documents", ("max_content_length", 20, 30))
    ]
    assert apply(store, tmp_path, "documents: {}\n")
    assert read_limits(store) == DocumentLimits()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("documents: 5\n", "agents.yaml:1:12: documents: expected a mapping"),
        ("documents:\n  max_content_length: 0\n", "agents.yaml:2:23: max_content_length: must be at least 1"),
        ("documents:\n  max_content: 5\n", "agents.yaml:2:3: unknown key `max_content`"),
    ],
)
def test_odd_limits_are_refused_with_their_place(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "agents.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_declared([], tmp_path)
    assert any(line.startswith(problem) for line in caught.value.problems)


def test_two_files_do_not_differ_about_documents(tmp_path: Path) -> None:
    for name, length in (("a.yaml", 5), ("b.yaml", 6)):
        (tmp_path / name).write_text(json.dumps({"documents": {"max_content_length": length}}))
    with pytest.raises(ConfigError) as caught:
        read_declared(["a.yaml", "b.yaml"], tmp_path)
    (problem,) = caught.value.problems
    assert "documents is given in a.yaml already, and differs" in problem
