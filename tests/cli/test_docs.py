"""Documents by command: created, listed, shown, changed, deleted, shared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agentctl.app.documents import Documents
from agentctl.domain.document import NewDocument
from agentctl.store import Store
from tests.conftest import Outcome

Run = Callable[..., Outcome]
Make = Callable[..., str]


@pytest.fixture
def make(run: Run, tmp_path: Path) -> Make:
    """Create a document by command: `make("text", "--tags a", user="bob")` gives its id."""

    def call(content: str = "Some text.\n", options: str = "--title Title", user: str = "tester") -> str:
        path = tmp_path / "source.md"
        path.write_text(content, encoding="utf-8", newline="")
        return run(f"docs create source.md {options} --user {user}").stdout.strip()

    return call


def test_a_text_becomes_a_document_and_comes_back_byte_for_byte(run: Run, make: Make) -> None:
    content = "# 做饭\r\n\n  Rice 🍚 \x1b[31m and\ttabs  \n\n"
    document = make(content, "--title T --tags ' rice, 做饭,rice' --summary 'About rice'")
    assert run(f"docs show {document}").stdout == content
    shown = run(f"docs show {document} -o json").json()
    assert (shown["title"], shown["tags"], shown["summary"]) == ("T", ["rice", "做饭"], "About rice")
    assert (shown["type"], shown["tier"], shown["visibility"]) == ("document", "long_term", "private")
    assert run(f"docs show {document} --summary").stdout == "About rice\n"


def test_text_comes_from_a_pipe_and_ids_go_into_one(agentctl: Callable[..., Outcome]) -> None:
    old = agentctl("docs create --title Old --tags old", stdin=b"Alt.").stdout.strip()
    kept = agentctl("docs create - --title New", stdin="新".encode()).stdout.strip()
    ids = agentctl("docs list --tag old -o ids")
    assert (ids.stdout, ids.stderr) == (f"{old}\n", "1 of 1\n")
    agentctl("docs delete - --yes", stdin=ids.stdout.encode())
    assert agentctl("docs list -o ids").stdout == f"{kept}\n"
    # The lines of a list without a format begin with the id.
    agentctl("docs archive -", stdin=agentctl("docs list").stdout.encode())
    assert agentctl("docs list -o ids").stdout == ""
    other = agentctl("docs create --title Other", stdin=b"x").stdout.strip()
    agentctl("docs create --title Trap", stdin=f"\u2028{other}\n\x0c{other}\r{other}".encode())
    listed = agentctl("docs list --query Trap").stdout
    agentctl("docs delete - --yes", stdin=listed.encode())
    assert agentctl("docs list -o ids").stdout == f"{other}\n"
    assert agentctl("docs delete - --yes", stdin=b"").stderr == "no ids on stdin, nothing to do\n"


def test_front_matter_of_a_file_counts_where_no_option_says_otherwise(run: Run, make: Make) -> None:
    text = "---\ntitle: From the file\ntags: [a, 中]\ntype: memory\ndate: 2026-01-01\n---\n\nBody.\n"
    shown = run(f"docs show {make(text, '--tags b')} -o json").json()
    assert (shown["title"], shown["tags"], shown["type"]) == ("From the file", ["b"], "memory")
    assert shown["content"] == "Body.\n"


def test_without_a_title_the_first_heading_names_it_where_no_agent_asks_a_model(
    run: Run, make: Make, tmp_path: Path
) -> None:
    (tmp_path / "agents.yaml").write_text("agents: [{slug: default, title_strategy: none}]")
    run("apply --yes")
    document = make("Foreword.\n```sh\n# no heading\n```\n## The *rice* ##\n", "")
    assert run(f"docs show {document} -o json").json()["title"] == "The *rice*"
    assert run(f"docs show {make('  One line only. ', '')} -o json").json()["title"] == "One line only."


def test_a_title_is_made_by_the_strategy_of_the_agent_that_is_named(
    run: Run, make: Make, tmp_path: Path
) -> None:
    (tmp_path / "titles.yaml").write_text("replies: [{text: x}]\nplain_text: '**Title:** \"Cooking rice\"'")
    model = f"script/{tmp_path}/titles.yaml"
    default = "{slug: default, title_strategy: none, is_default: true}"
    (tmp_path / "agents.yaml").write_text(
        f"agents:\n  - {{slug: asked, title_model: {model}}}\n  - {default}"
    )
    run("apply --yes")
    named = make("# Rice\nWash it.", "--agent asked")
    assert run(f"docs show {named} -o json").json()["title"] == "Cooking rice"
    plain = make("# Rice\nWash it well.", "")
    assert run(f"docs show {plain} -o json").json()["title"] == "Rice"
    run("docs create source.md --agent nobody", code=6)


def test_titles_are_made_anew_for_many_at_once(run: Run, make: Make, tmp_path: Path) -> None:
    (tmp_path / "titles.yaml").write_text("replies: [{text: x}]\nplain_text: Made anew")
    model = f"script/{tmp_path}/titles.yaml"
    (tmp_path / "agents.yaml").write_text(f"agents: [{{slug: default, title_model: {model}}}]")
    run("apply --yes")
    first, second = make("# One\n", "--title a"), make("# Two\n", "--title b")
    taken = run(f"docs title {first} {second} --strategy first-line -o json").json()
    assert taken == [{"id": first, "title": "One"}, {"id": second, "title": "Two"}]
    asked = run(f"docs title {first} {second} -o json")
    assert [each["title"] for each in asked.json()] == ["Made anew", "Made anew"]
    assert asked.stderr == "50% of 2 titles, Made anew\n100% of 2 titles, Made anew\n"
    (tmp_path / "titles.yaml").unlink()
    assert run(f"docs title {second} -o json").json()[0]["title"] == "Two"


def test_a_list_is_filtered_paged_and_counted(run: Run, make: Make) -> None:
    ids = [make(f"Text {each} 100%", f"--title T{each} --tags n{each}") for each in range(5)]
    memory = make("A note.", "--title Note --type memory")
    assert run("docs list -o ids").stdout.split() == [memory, *reversed(ids)]
    second = run("docs list --limit 2 --page 2 -o json")
    assert [each["id"] for each in second.json()] == [ids[3], ids[2]]
    assert second.stderr == "2 of 6\n"
    assert run("docs list --tag n3 -o ids").stdout.split() == [ids[3]]
    assert run("docs list --type memory -o ids").stdout.split() == [memory]
    assert run("docs list --query '4 100%' -o ids").stdout.split() == [ids[4]]
    assert run("docs list --query '_ext' -o ids").stdout == ""
    assert len(run("docs list --since 1h -o ids").stdout.split()) == 6
    assert run("docs list --until 1h -o ids").stdout == ""
    run(f"docs update {ids[0]} --title Changed")
    assert run("docs list --sort updated -o ids").stdout.split()[0] == ids[0]
    assert run("docs list --type memory -o csv").stdout.startswith("id,type,title,")
    assert run("docs list -o ids --quiet").stderr == ""


def test_what_changed_is_kept_shown_and_taken_back(run: Run, make: Make) -> None:
    document = make("One.\n", "--title First")
    run(f"docs update {document} --title Second --tags x,y")
    (Path("more.md")).write_text("Two.")
    changed = run(f"docs update {document} --append more.md -o json").json()
    assert (changed["rev"], changed["title"], changed["tags"]) == (3, "Second", ["x", "y"])
    assert run(f"docs show {document}").stdout == "One.\nTwo."
    history = run(f"docs history {document} -o json").json()
    assert [(each["rev"], each["title"]) for each in history] == [(3, "Second"), (2, "Second"), (1, "First")]
    assert run(f"docs show {document} --rev 1").stdout == "One.\n"
    assert run(f"docs show {document} --rev 1 -o json").json()["title"] == "First"
    assert "\n+Two." in run(f"docs diff {document}").stdout
    assert "-title: First\n" in run(f"docs diff {document} --rev 1").stdout
    assert run(f"docs restore {document} --rev 1 -o json").json()["rev"] == 4
    assert run(f"docs show {document}").stdout == "One.\n"
    assert run(f"docs diff {document} --rev 1").stdout == ""
    run(f"docs show {document} --rev 9", code=2)
    assert run(f"docs update {document} --title First -o json").json()["rev"] == 4


def test_a_delete_asks_hides_and_can_be_taken_back_until_it_is_purged(run: Run, make: Make) -> None:
    document = make()
    assert "--yes" in run(f"docs delete {document}", code=2).stderr
    run(f"docs delete {document} --yes")
    run(f"docs show {document}", code=6)
    run(f"docs delete {document} --yes", code=6)
    assert run("docs list --deleted -o ids").stdout.split() == [document]
    run(f"docs undelete {document}")
    assert run(f"docs show {document}").stdout == "Some text.\n"
    run(f"docs purge {document} --yes", code=6)
    run(f"docs delete {document} --yes")
    assert "--yes" in run(f"docs purge {document}", code=2).stderr
    run(f"docs purge {document} --yes")
    run(f"docs undelete {document}", code=6)
    hard = make()
    assert "for good" in run(f"docs delete {hard} --yes --hard").stderr
    run(f"docs undelete {hard}", code=6)


def test_all_of_several_are_deleted_or_none(run: Run, make: Make) -> None:
    first, second = make(), make("Other.")
    run(f"docs delete {first} ad_missing_00000000 {second} --yes", code=6)
    assert len(run("docs list -o ids").stdout.split()) == 2


def test_ids_may_be_parts_of_four_characters_and_of_eight_where_something_ends(run: Run, make: Make) -> None:
    document = make()
    assert run(f"docs show {document[-4:]}").stdout == "Some text.\n"
    assert run("docs show @last").stdout == "Some text.\n"
    run(f"docs show {document[-3:]}", code=6)
    for short in (document[-7:], "@last"):
        run(f"docs delete {short} --yes", code=6)
    other = make("Other.")
    run(f"docs show {document[:8]}", code=2)
    run(f"docs delete {document[-8:]} {other[-8:]} --yes")
    for short in (document[-7:], "@last"):
        run(f"docs purge {short} --yes", code=6)
    run(f"docs purge {document[-8:]} --yes")


def test_tiers_are_commands_of_their_own(run: Run, make: Make) -> None:
    document = make()
    assert run(f"docs pin {document} -o json").json()[0]["tier"] == "pinned"
    assert run("docs list --tier pinned -o ids").stdout.split() == [document]
    assert run(f"docs archive {document} -o json").json()[0]["archived"] is True
    assert run("docs list -o ids").stdout == ""
    assert run("docs list --archived -o ids").stdout.split() == [document]
    placed = run(f"docs promote {document} -o json").json()[0]
    assert (placed["tier"], placed["archived"], placed["rev"]) == ("long_term", False, 1)
    large = make("word " * 2000)
    assert "tokens" in run(f"docs pin {document} {large}", code=2).stderr
    assert run("docs list --tier pinned -o ids").stdout == ""


def test_a_document_is_shared_with_whom_its_owner_says(run: Run, make: Make) -> None:
    document = make("Ours.")
    run("docs list --user bob")
    run(f"docs show {document} --user bob", code=6)
    shared = run(f"docs share {document} --with bob -o json").json()
    assert (shared["visibility"], shared["readers"]) == ("shared", ["bob"])
    assert run(f"docs show {document} --user bob").stdout == "Ours."
    assert run("docs list --reach shared --user bob -o json").json()[0]["owner"] == "tester"
    assert run("docs list --user bob -o ids").stdout == ""
    run(f"docs update {document} --title Mine --user bob", code=6)
    run(f"docs share {document} --public")
    assert run("docs list --reach public --user eve -o ids").stdout.split() == [document]
    run(f"docs share {document} --private")
    run(f"docs show {document} --user bob", code=6)
    run(f"docs share {document} --with nobody-known", code=6)
    for odd in ("", "--public --private", "--with bob --public"):
        run(f"docs share {document} {odd}", code=2)


def test_a_session_filters_and_no_command_writes_one(
    run: Run, store: Store, script: Callable[..., str]
) -> None:
    session = run(f"chat 'a b' -m {script({'text': 'Hello.'})} -o json").json()["session_id"]
    user = store.users.ensure("tester").id
    made = (
        Documents(store)
        .service.create(user, NewDocument(title="T", content="C", type="memory", session_id=session))
        .document
    )
    assert run(f"docs list --session {session} -o ids").stdout.split() == [made.id]
    assert run("docs list --session @last -o json").json()[0]["session_id"] == session
    run("docs list --session nowhere", code=6)


def test_a_memory_that_is_there_already_is_not_stored_twice(run: Run, make: Make) -> None:
    first = make("Ann likes tea.", "--title Tea --type memory")
    again = run("docs create source.md --title Other --type memory -o json")
    assert (again.json()["id"], again.json()["existing"]) == (first, True)
    assert again.stderr == "note: a memory says this already\n"


def test_stats_count_what_there_is(run: Run, make: Make) -> None:
    run(f"docs archive {make('12345')}")
    run(f"docs delete {make('1')} --yes")
    make("A note.", "--title N --type memory")
    stats = run("docs stats -o json").json()
    wanted = {"total": 2, "memories": 1, "documents": 1, "archived": 1, "deleted": 1, "content_chars": 12}
    assert {name: stats[name] for name in wanted} == wanted
    assert stats["newest"].endswith("Z")


def test_a_program_that_a_tool_started_cannot_write_as_a_person(run: Run, make: Make) -> None:
    inside = {"AGENTCTL_INSIDE_TOOL": "1"}
    document = make()
    written = run("docs create source.md --title x -o json", env=inside).json()["id"]
    assert run(f"docs show {written} -o json").json()["untrusted"] is True
    run(f"docs update {document} --title changed", env=inside)
    assert run(f"docs show {document} -o json").json()["untrusted"] is True
    for line in ("pin @last", "share @last --public", "import source.md", f"delete {document} --yes"):
        run(f"docs {line}", env=inside, code=3)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("create missing.md", 6),
        ("create .", 2),
        ("update @last", 2),
        ("update @last --content a --append b", 2),
        ("show @last --raw -o json", 2),
        ("export --dir x -o jsonl", 2),
        ("list --page 0", 2),
        ("restore @last", 2),
        ("show nothing-like-it", 6),
    ],
)
def test_a_mistake_has_its_exit_code(run: Run, line: str, code: int) -> None:
    assert run(f"docs {line}", code=code).stderr.startswith("error: ")
