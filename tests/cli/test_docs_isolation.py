"""No command shows, changes or finds what belongs to somebody else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.app.documents import Documents
from agentctl.cli.docs import COMMANDS
from agentctl.domain.document import NewDocument
from agentctl.store import Store
from tests.conftest import Outcome

Run = Callable[..., Outcome]

# What nobody but ann may read stands in each field that people or agents fill.
SECRET = "zxqsecret"
MINE = "ad_1_00000001"
GONE = "ad_1_00000002"
# Command -> what bob may try on a document of ann's: {it} is a whole id, {part} a part of it.
TRIES = {
    "archive": ("{it}", "{part}"),
    "context": ("--query zxqsecret", "--query zxqsecret --explain", "--query zxqsecret -o json"),
    "create": ("x.md --title x",),
    "delete": ("{it} --yes", "{part} --yes", "{it} --hard --yes"),
    "diff": ("{it}", "{it} --rev 1"),
    "edit": ("{it}",),
    "export": ("", "{it}", "--dir out", "{it} --dir out"),
    "history": ("{it}", "{part}"),
    "import": ("same_id.md",),
    "list": (
        "-o json",
        "-o json --query zxqsecret",
        "-o json --tag zxqsecret",
        "-o json --archived",
        "-o json --deleted",
        "-o json --reach shared",
        "-o json --reach public",
        "-o json --session {session}",
    ),
    "pin": ("{it}",),
    "promote": ("{it}",),
    "purge": ("{it} --yes", "{part} --yes"),
    "reindex": ("", "--resume"),
    "restore": ("{it} --rev 1",),
    "search": (
        "content -o json",
        "content --explain -o json --reach shared",
        "content --reach public",
        "tag:zxqsecre* type:document -o json",
    ),
    "share": ("{it} --with bob", "{it} --public"),
    "show": ("{it}", "{part}", "{it} -o json", "{it} --rev 1", "@last"),
    "stats": ("-o json",),
    "title": ("{it} --strategy first-line",),
    "undelete": ("{it}", "{part}"),
    "update": ("{it} --title Mine", "{it} --append x.md"),
}


@pytest.fixture
def session(store: Store, run: Run, script: Callable[..., str], tmp_path: Path) -> str:
    """Documents of ann's, one of them deleted, all from a session; returns the session."""
    model = script({"text": "Hello."})
    session: str = run(f"chat 'a b' -m {model} -o json --user ann").json()["session_id"]
    service, ann = Documents(store).service, store.users.ensure("ann").id
    for document_id in (MINE, GONE):
        new = NewDocument(
            f"{SECRET} title",
            f"{SECRET} content {document_id}",
            summary=f"{SECRET} summary",
            tags=SECRET,
            session_id=session,
            source_path=f"/{SECRET}",
            id=document_id,
        )
        service.create(ann, new)
    service.trash.delete(ann, [GONE])
    (tmp_path / "x.md").write_text("Words of bob's.")
    (tmp_path / "same_id.md").write_text(f"---\nid: {MINE}\n---\nWords of bob's own.")
    return session


def state(store: Store) -> list[tuple[object, ...]]:
    """All that is stored of ann's documents."""
    database, rows = store.database, []
    for table in ("agent_documents", "agent_document_versions"):
        key = "id" if table == "agent_documents" else "document_id"
        found = database.execute(f"SELECT * FROM {table} WHERE {key} IN (?, ?)", (MINE, GONE))
        rows += [tuple(row) for row in found]
    return sorted(rows, key=repr)


def test_every_command_is_tried() -> None:
    assert set(TRIES) == set(COMMANDS)


@pytest.mark.parametrize("document", [MINE, GONE])
@pytest.mark.parametrize("line", [f"{verb} {each}" for verb, tries in TRIES.items() for each in tries])
def test_a_command_of_bobs_neither_shows_nor_changes_what_is_anns(
    run: Run, store: Store, session: str, tmp_path: Path, line: str, document: str
) -> None:
    before = state(store)
    words = line.format(it=document, part=document[-8:], session=session)
    outcome = run(f"docs {words} --user bob", code=None)
    assert SECRET not in outcome.stdout + outcome.stderr
    written = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert not any(SECRET in path.read_text() for path in written)
    assert state(store) == before
    if "{it}" in line or "{part}" in line:
        # Missing, deleted or somebody else's: the same words for each.
        missing = run(f"docs {words.replace(document, 'ad_1_99999999')} --user bob", code=None)
        assert outcome.code == missing.code != 0


def test_readers_are_not_told_what_is_the_owners(run: Run, store: Store, session: str) -> None:
    run("docs list --user bob")
    run("docs list --user eve")
    run(f"docs share {MINE} --with bob,eve --user ann")
    shown = run(f"docs show {MINE} -o json --user bob").json()
    assert (shown["readers"], shown["source_path"], shown["session_id"]) == ([], None, None)
    for line in ("history", "diff", "pin", "archive", "delete --yes", "share --private", "export"):
        run(f"docs {line} {MINE} --user bob", code=6)
