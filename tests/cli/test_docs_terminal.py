"""Documents before a person at a terminal: rendered, paged, edited, deleted after a question."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.app.documents import Documents
from agentctl.domain.document import NewDocument
from agentctl.store import Store
from tests.conftest import Outcome
from tests.terminal import Terminal

Run = Callable[..., Outcome]
Open = Callable[..., Terminal]

ID = "ad_1_00000001"
MARKDOWN = "# Rice\n\nWash *it* [well](https://example.com/a).\x1b[2J\n\n- one\n- 做饭\n"


@pytest.fixture
def person(environ: dict[str, str], tmp_path: Path, store: Store) -> Open:
    """A person with one document."""
    user = store.users.ensure("tester").id
    Documents(store).service.create(user, NewDocument("Cooking", MARKDOWN, tags="food", id=ID))

    def call(line: str, **variables: str) -> Terminal:
        return Terminal(line, cwd=tmp_path, environ={**environ, "TERM": "xterm", **variables})

    return call


def editor(tmp_path: Path, script: str) -> str:
    """An editor that is a shell script; `$1` is the file."""
    path = tmp_path / "editor.sh"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return shlex.quote(str(path))


def test_markdown_is_rendered_and_drives_nothing(person: Open) -> None:
    seen = person(f"docs show {ID}", PAGER="")
    assert seen.end() == 0
    assert "Cooking\n" in seen.seen
    assert f"{ID} · document · " in seen.seen
    assert "做饭\n" in seen.seen
    assert "https://example.com/a" in seen.seen
    assert "\x1b[2J" not in seen.seen
    assert "*it*" not in seen.seen
    assert "\x1b[" in seen.seen
    plain = person(f"docs show {ID} --plain")
    assert plain.end() == 0
    assert "\x1b" not in plain.seen
    raw = person(f"docs show {ID} --raw")
    assert raw.end() == 0
    assert "*it*" in raw.seen
    assert "\x1b" not in raw.seen


def test_rendering_can_be_piped(run: Run, person: Open) -> None:
    out = run(f"docs show {ID} --rendered").stdout
    assert "• 做饭" in out
    assert "\x1b" not in out


def test_what_is_longer_than_the_screen_goes_through_the_pager(
    person: Open, store: Store, tmp_path: Path
) -> None:
    user = store.users.ensure("tester").id
    content = "\n\n".join(f"Line {number}." for number in range(300))
    Documents(store).service.create(user, NewDocument("Long", content, id="ad_1_00000002"))
    pager = editor(tmp_path, "echo the pager has it; cat >paged")
    long = person("docs show ad_1_00000002", PAGER=pager)
    assert long.end() == 0
    assert long.seen == "the pager has it\n"
    assert "Line 299." in (tmp_path / "paged").read_text()
    assert "Line 299." in ended(person("docs show ad_1_00000002", PAGER="no-such-pager"))
    assert "the pager" not in ended(person(f"docs show {ID}", PAGER=pager))


def ended(terminal: Terminal) -> str:
    assert terminal.end() == 0, terminal.seen
    return terminal.seen


def test_an_edit_changes_title_tags_summary_and_text(run: Run, person: Open, tmp_path: Path) -> None:
    change = editor(tmp_path, r'sed -i "s/^title: .*/title: Better/; s/  - food/  - a, b/; s/one/two/" "$1"')
    ended(person(f"docs edit {ID}", EDITOR=change))
    shown = run(f"docs show {ID} -o json").json()
    assert (shown["title"], shown["tags"], shown["rev"]) == ("Better", ["a", "b"], 2)
    assert shown["content"] == MARKDOWN.replace("one", "two")
    # The summary was cut from the text, and is so again.
    assert shown["summary"] == shown["content"]


def test_an_edit_that_changes_nothing_is_none(run: Run, person: Open, tmp_path: Path) -> None:
    for nothing in ("true", 'printf "" >>"$1"'):
        assert "nothing was changed" in ended(person(f"docs edit {ID}", EDITOR=editor(tmp_path, nothing)))
    assert run(f"docs show {ID} -o json").json()["rev"] == 1


def test_an_editor_that_fails_or_is_not_there_changes_nothing(run: Run, person: Open, tmp_path: Path) -> None:
    for bad in (editor(tmp_path, 'echo x >>"$1"; exit 3'), "no-such-editor"):
        failed = person(f"docs edit {ID}", EDITOR=bad)
        assert failed.end() == 2
        assert "cannot edit" in failed.seen
    assert run(f"docs show {ID} -o json").json()["rev"] == 1
    assert "needs a terminal" in run(f"docs edit {ID}", code=2).stderr


def kept_text(seen: str) -> str:
    """The text in the file that an error names."""
    path = Path(seen.split("Your text is kept in ", 1)[1].split(".md", 1)[0] + ".md")
    text = path.read_text()
    path.unlink()
    return text


def test_a_conflict_shows_the_difference_and_loses_nothing(
    run: Run, person: Open, tmp_path: Path, store: Store
) -> None:
    go = tmp_path / "go"
    script = f'echo mine >>"$1"; echo opened; while [ ! -e {shlex.quote(str(go))} ]; do sleep 0.05; done'
    edit = person(f"docs edit {ID}", EDITOR=editor(tmp_path, script))
    edit.wait_for("opened")
    (tmp_path / "theirs.md").write_text("theirs\x1b[2J\n")
    run(f"docs update {ID} --append theirs.md")
    go.touch()
    assert edit.end() == 10
    assert "\n-theirs" in edit.seen
    assert "\n+mine" in edit.seen
    assert "\x1b[2J" not in edit.seen
    assert kept_text(edit.seen).endswith("mine\n")
    assert run(f"docs show {ID}").stdout.endswith("theirs\x1b[2J\n")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (r'sed -i "1a title: [" "$1"', "in the front matter"),
        (r'head -c 60000 /dev/zero | tr "\0" x >>"$1"', "content exceeds the maximum length"),
        (r'printf -- "---\ntitle: x\n---\n" >"$1"', "the content is empty"),
    ],
)
def test_an_edit_that_cannot_be_stored_is_kept(
    run: Run, person: Open, tmp_path: Path, script: str, message: str
) -> None:
    failed = person(f"docs edit {ID}", EDITOR=editor(tmp_path, script))
    assert failed.end() == 2
    assert message in failed.seen
    assert kept_text(failed.seen).startswith("---\n")
    assert run(f"docs show {ID} -o json").json()["rev"] == 1


def test_a_delete_asks_by_title(run: Run, person: Open) -> None:
    question = person(f"docs delete {ID}")
    question.wait_for("Delete?")
    assert f"{ID}  Cooking" in question.seen
    question.type("n\n")
    assert question.end() == 130
    assert "nothing was deleted" in question.seen
    question = person(f"docs delete {ID}")
    question.wait_for("Delete?")
    question.type("y\n")
    ended(question)
    run(f"docs show {ID}", code=6)
