"""Documents written to files and read from them again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.app.documents import Documents
from agentctl.domain.document import NewDocument
from agentctl.store import Store
from tests.conftest import Outcome

Run = Callable[..., Outcome]

ODD = (
    ("Plain", "Some text.\n", "", ()),
    ("做饭: 'how' #1", "---\nno head\n---\n", "A summary\nof two lines", ("a", "中文", "yes", "12")),
    ("../../etc/passwd", "\n\r\n leads with lines \r\n\x1b[31m\u2028\x85", " x ", ("with space",)),
    ("🍚", "\ufeffbyte order mark, no newline at the end", "", ()),
    ("null", "text\n...\n--- \nmore", "null", ("null",)),
)


@pytest.fixture
def stored(store: Store) -> list[str]:
    """Documents of every odd kind."""
    service, user = Documents(store).service, store.users.ensure("tester").id
    made = [
        service.create(user, NewDocument(title, content, summary=summary, tags=tags, created_at=at)).document
        for at, (title, content, summary, tags) in enumerate(ODD, start=1_700_000_000_001)
    ]
    service.tiers.pin(user, made[0].id)
    service.tiers.archive(user, made[1].id)
    return [document.id for document in made]


def everything(run: Run, *, options: str = "", drop: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """All documents of a user as their export has them, without times of changes."""
    # Other line ends may stand in a text.
    lines = run(f"docs export {options}").stdout.removesuffix("\n").split("\n")
    dropped = {"updated_at", *drop}
    return [{key: each for key, each in json.loads(line).items() if key not in dropped} for line in lines]


@pytest.mark.parametrize("way", ["--dir out", "-o jsonl"])
def test_what_is_exported_is_imported_elsewhere_without_loss(
    run: Run, stored: list[str], way: str, tmp_path: Path
) -> None:
    before = everything(run)
    assert {document["id"] for document in before} == set(stored)
    exported = run(f"docs export {way}").stdout
    if way == "-o jsonl":
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "all.jsonl").write_text(exported)
    elsewhere = f"--db {tmp_path}/other.db"
    done = run(f"docs import out -o json {elsewhere}").json()
    assert {row["outcome"] for row in done} == {"created"}
    assert everything(run, options=elsewhere) == before
    again = run(f"docs import out -o json {elsewhere}").json()
    assert {row["outcome"] for row in again} == {"unchanged"}


def test_a_file_that_changed_changes_its_document_and_no_other(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    for name in ("a", "b"):
        (tmp_path / "notes" / f"{name}.md").write_text(f"# {name}\n\nFirst words of {name}.\n")
    first = run("docs import notes -o json").json()
    assert [(row["outcome"], row["title"], row["source"]) for row in first] == [
        ("created", "a", "notes/a.md"),
        ("created", "b", "notes/b.md"),
    ]
    (tmp_path / "notes" / "a.md").write_text("---\ntags: [new]\n---\n# a\n\nOther words.\n")
    again = run(f"docs import {tmp_path}/notes -o json").json()
    assert [(row["id"], row["outcome"]) for row in again] == [
        (first[0]["id"], "updated"),
        (first[1]["id"], "unchanged"),
    ]
    shown = run(f"docs show {first[0]['id']} -o json").json()
    assert (shown["rev"], shown["tags"], shown["summary"]) == (2, ["new"], "# a\n\nOther words.\n")


def test_lines_without_ids_are_known_again_by_what_they_say(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text('{"content": "One."}\n\n{"content": "Two.", "title": "T"}\n')
    first = run("docs import all.jsonl -o json").json()
    assert [(row["title"], row["outcome"], row["source"]) for row in first] == [
        ("One.", "created", "all.jsonl:1"),
        ("T", "created", "all.jsonl:3"),
    ]
    path.write_text('{"content": "Zero."}\n{"content": "Two.", "title": "U"}\n{"content": "One."}\n')
    again = run("docs import all.jsonl -o json").json()
    assert [row["outcome"] for row in again] == ["created", "updated", "unchanged"]
    assert [row["id"] for row in again[1:]] == [first[1]["id"], first[0]["id"]]


def test_an_exported_file_keeps_its_name_when_the_title_changes(run: Run, stored: list[str]) -> None:
    run(f"docs export {stored[1]} --dir out")
    (name,) = os.listdir("out")
    assert name == f"做饭-how-1.{stored[1]}.md"
    run(f"docs update {stored[1]} --title Other")
    run(f"docs export {stored[1]} --dir out")
    assert os.listdir("out") == [name]
    assert "title: Other" in Path("out", name).read_text()


def test_no_title_leads_out_of_the_folder(run: Run, stored: list[str], tmp_path: Path) -> None:
    rows = run("docs export --dir deep/out").stdout.splitlines()
    assert len(rows) == len(os.listdir("deep/out")) == len(ODD)
    assert f"etc-passwd.{stored[2]}.md" in os.listdir("deep/out")


def test_a_link_that_stands_in_the_way_of_an_export_is_replaced_and_not_followed(
    run: Run, stored: list[str], tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "precious").write_text("mine")
    link = tmp_path / "out" / f"plain.{stored[0]}.md"
    link.symlink_to(tmp_path / "precious")
    run(f"docs export {stored[0]} --dir out")
    assert (tmp_path / "precious").read_text() == "mine"
    assert not link.is_symlink()


def test_a_folder_with_a_link_that_leads_outside_is_refused_whole(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("fine")
    (tmp_path / "secret.md").write_text("secret")
    for target in (tmp_path / "secret.md", tmp_path, tmp_path / "notes2"):
        (tmp_path / "notes" / "z.md").symlink_to(target)
        assert "leads out of the folder" in run("docs import notes", code=2).stderr
        (tmp_path / "notes" / "z.md").unlink()
    assert run("docs list -o ids").stdout == ""
    # Within the folder it is the same file once more.
    (tmp_path / "notes" / "z.md").symlink_to("a.md")
    assert len(run("docs import notes -o json").json()) == 1


def test_hidden_and_other_files_are_left_out(run: Run, tmp_path: Path) -> None:
    for name in ("notes/.git/x.md", "notes/.hidden.md", "notes/picture.png", "notes/deep/b.MD"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")
    rows = run("docs import notes -o json").json()
    assert [row["source"] for row in rows] == ["notes/deep/b.MD"]
    (tmp_path / "empty").mkdir()
    run("docs import empty", code=2)
    run("docs import nowhere", code=6)


def test_what_means_nothing_here_is_ignored_with_a_note(run: Run, tmp_path: Path) -> None:
    text = '---\nsession_id: as_1_1\naliases: [x]\n"k\\e[2J": 1\ntier: session\n---\nWords.\n'
    (tmp_path / "a.md").write_text(text)
    done = run("docs import a.md -o json")
    assert "ignored what means nothing here: aliases, k\\u001b[2J\n" in done.stderr
    assert "ignored the session_id of 1" in done.stderr
    shown = run(f"docs show {done.json()[0]['id']} -o json").json()
    assert (shown["session_id"], shown["tier"]) == (None, "long_term")


BAD: dict[str, tuple[bytes, str]] = {
    "latin.md": (b"caf\xe9", "latin.md: not UTF-8 (byte 0xe9 at offset 3)"),
    "binary.md": (b"\x7fELF\x00\x01", "binary.md: not text: a NUL byte at offset 4"),
    "list.md": (b"---\n- a\n---\nx", "list.md: the front matter is no mapping"),
    "broken.md": (b"---\na: [\n---\nx", "broken.md:3:1: "),
    "number.md": (b"---\ntitle: 2026\n---\nx", "number.md: title is no text"),
    "tags.md": (b"---\ntags: [1]\n---\nx", "tags.md: tags is no list of texts"),
    "many.md": (b"---\ntags: '" + b"some,tags," * 200_000 + b"'\n---\nx", "larger than"),
    "tag.md": (
        b"---\ntags: [" + b",".join(b"a%d" % n for n in range(90_000)) + b"]\n---\nx",
        "the tags are",
    ),
    "title.md": (b"---\ntitle: '" + b"x" * 900_000 + b"'\n---\nx", "the title has 900,000 characters"),
    "huge.md": (b"---\ntitle: '" + b"x" * 10_000_000 + b"'\n---\nx", "huge.md: larger than"),
    "long.md": (b"x" * 50_001, "content exceeds the maximum length: 50,001"),
    "empty.md": (b" \n", "empty.md: the content is empty"),
    "time.md": (b"---\ncreated_at: soon\n---\nx", "time.md: created_at is no time"),
    "old.md": (b"---\ncreated_at: '1066-10-14'\n---\nx", "old.md: created_at lies before 1970"),
    "type.md": (b"---\ntype: [memory]\n---\nx", "type.md: type is none of memory, document"),
    "id.md": (b"---\nid: ../x\n---\nx", "is no id of a document"),
    "half.jsonl": (b'{"content": "a\\ud800"}\n', "half.jsonl:1: the content holds half of a surrogate pair"),
    "nul.jsonl": (b'{"content": "x"}\n{"content": "a\\u0000"}', "nul.jsonl:2: the content holds a NUL"),
    "tag.jsonl": (b'{"content": "x", "tags": ["\\udc00"]}', "tag.jsonl:1: the tag holds half of a surrogate"),
    "list.jsonl": (b"[1]\n", "list.jsonl:1: no JSON object"),
    "no.jsonl": (b"{\n", "no.jsonl:1: no JSON: "),
    "deep.jsonl": (b"[" * 100_000, "deep.jsonl:1: no JSON"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_with_their_place_and_nothing_is_stored(
    run: Run, tmp_path: Path, name: str
) -> None:
    data, message = BAD[name]
    (tmp_path / "a.md").write_text("fine")
    (tmp_path / name).write_bytes(data)
    failed = run(f"docs import a.md {name}", code=2)
    assert message in failed.stderr
    assert failed.stderr.count("\n") <= 2
    assert run("docs list -o ids").stdout == ""


def test_two_files_with_one_id_are_refused(run: Run, stored: list[str], tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"---\nid: {stored[0]}\n---\n{name}")
    assert f"the id {stored[0]} stands in a.md too" in run("docs import a.md b.md", code=2).stderr


def test_an_id_of_somebody_else_makes_a_document_of_ones_own(run: Run, stored: list[str]) -> None:
    run("docs export --dir out")
    rows = run("docs import out --user bob -o json").json()
    assert {row["outcome"] for row in rows} == {"created"}
    assert not {row["id"] for row in rows} & set(stored)
    assert everything(run, options="--user bob", drop=("id",)) == everything(run, drop=("id",))
    again = run("docs import out --user bob -o json").json()
    assert {row["outcome"] for row in again} == {"unchanged"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"caf\xe9", "(byte 3)"),
        (b"a\x00b", "the content holds a NUL character at position 1"),
        (b" \n ", "the content is empty"),
        (b"x" * 50_001, "content exceeds the maximum length"),
        (b"---\n- a\n---\nx", "stdin: the front matter is no mapping"),
    ],
)
def test_a_pipe_with_no_text_is_refused(agentctl: Callable[..., Outcome], data: bytes, message: str) -> None:
    assert message in agentctl("docs create", stdin=data, code=2).stderr


def test_options_are_held_to_the_limits(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("fine")
    (tmp_path / "b.md").write_bytes(b"caf\xe9")
    for options in (f"--title {'x' * 256}", "--title ''", f"--tags {','.join(map(str, range(200)))}"):
        run(f"docs create a.md {options}", code=2)
    document = run("docs create a.md --title T").stdout.strip()
    for options in ("--content b.md", "--append b.md", f"--summary {'x' * 2001}", f"--title {'x' * 256}"):
        run(f"docs update {document} {options}", code=2)
    assert run(f"docs show {document} -o json").json()["rev"] == 1
