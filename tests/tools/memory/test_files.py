"""Memories as files: what each command does, and in which words it answers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tools.document.conftest import Desk

TEA = "/memories/user/tea.md"
TEXT = "Likes oolong.\nHates mint.\nNo milk.\n"


@pytest.mark.parametrize(
    ("arguments", "faults"),
    [
        ({"command": "view"}, ["view needs path"]),
        ({"command": "create", "path": TEA}, ["create needs file_text"]),
        ({"command": "str_replace"}, ["str_replace needs path", "str_replace needs old_str"]),
        ({"command": "insert", "path": TEA}, ["insert needs insert_line", "insert needs insert_text"]),
        (
            {"command": "rename", "path": TEA},
            ["path does not belong to rename", "needs old_path", "needs new_path"],
        ),
        ({"command": "view", "path": "/etc/passwd"}, ["path must be /memories or begin with /memories/"]),
        ({"command": "view", "path": "/memoriesx"}, ["path must be /memories or begin with"]),
        ({"command": "view", "path": "/memories/../x"}, ["path must have no empty, . or .. part"]),
        ({"command": "view", "path": "/memories//x"}, ["path must have no empty"]),
        ({"command": "delete", "path": "/memories/"}, ["path must be below /memories"]),
        (
            {"command": "create", "path": "/memories/" + "x" * 256, "file_text": "y"},
            ["path is longer than 255"],
        ),
        ({"command": "str_replace", "path": TEA, "old_str": ""}, ["old_str must not be empty"]),
        ({"command": "view", "path": TEA, "view_range": [1]}, ["view_range"]),
    ],
)
def test_everything_that_is_wrong_is_said_at_once(
    memory: Desk, arguments: dict[str, Any], faults: list[str]
) -> None:
    error = memory.refused(**arguments) or ""
    assert all(fault in error for fault in faults), error


def test_a_file_is_created_and_viewed_with_numbers(memory: Desk) -> None:
    made = memory(command="create", path=TEA, file_text=TEXT)
    assert made["text"] == f"File created successfully at: {TEA}"
    seen = memory(command="view", path=TEA)
    head, *lines = seen["text"].split("\n")
    assert (seen["id"], head) == (made["id"], f"Here's the content of {TEA} with line numbers:")
    assert lines == ["     1\tLikes oolong.", "     2\tHates mint.", "     3\tNo milk.", "     4\t"]
    part = memory(command="view", path=TEA, view_range=[2, -1])["text"].split("\n")[1:]
    assert part == lines[1:]
    error = memory.refused(command="view", path=TEA, view_range=[3, 9]) or ""
    assert "Invalid `view_range` parameter: [3, 9]" in error
    assert "[1, 4]" in error


def test_it_is_a_memory_that_the_other_face_reads(memory: Desk, store: Any) -> None:
    made = memory(command="create", path=TEA, file_text=TEXT)
    document = Desk(store, "document")
    read = document(action="read", id=made["id"], full_content=True)
    assert (read["title"], read["type"], read["content"]) == ("user/tea.md", "memory", TEXT)
    coffee = document(action="create", title="Coffee", content="Black.")
    assert memory(command="view", path="/memories/Coffee")["id"] == coffee["id"]
    report = document(action="create", title="Report", content="Long.", type="document")
    assert "does not exist" in (memory.refused(command="view", path="/memories/Report") or "")
    assert "does not exist" in (memory.refused(command="view", path=f"/memories/{report['id']}") or "")


def test_a_file_that_is_there_is_not_written_over(memory: Desk) -> None:
    memory(command="create", path=TEA, file_text=TEXT)
    assert memory.refused(command="create", path=TEA, file_text="x") == f"File {TEA} already exists"
    assert memory.refused(command="create", path="/memories/user", file_text="x") == (
        "The path /memories/user is a directory"
    )
    again = memory(command="create", path="/memories/b", file_text=TEXT)
    assert again["text"] == f"Not created: {TEA} says the same already"


def test_folders_are_listed_two_levels_deep(memory: Desk) -> None:
    empty = memory(command="view", path="/memories")
    assert empty["entries"] == []
    paths = ["/memories/a.md", TEA, "/memories/yard/x/1.md", "/memories/yard/x/y/2.md"]
    ids = [memory(command="create", path=path, file_text=path)["id"] for path in paths]
    top = memory(command="view", path="/memories")
    assert top["text"] == "Here're the files and directories up to 2 levels deep in /memories:"
    assert [entry["path"] for entry in top["entries"]] == [
        "/memories/a.md", "/memories/user/", TEA, "/memories/yard/", "/memories/yard/x/",
    ]  # fmt: skip
    assert top["entries"][0] == {"path": "/memories/a.md", "size": 14, "id": ids[0]}
    below = memory(command="view", path="/memories/yard/")["entries"]
    assert [entry["path"] for entry in below] == [
        "/memories/yard/x/", paths[2], "/memories/yard/x/y/",
    ]  # fmt: skip
    assert memory.refused(command="view", path="/memories/user", view_range=[1, 2]) == (
        "view_range is for files, not for directories"
    )
    assert memory.refused(command="view", path="/memories/us") == (
        "The path /memories/us does not exist. Please provide a valid path."
    )


def test_titles_that_are_no_paths_or_taken_are_found_by_id(memory: Desk) -> None:
    first = memory.make("1", title="Tea", type="memory")
    second, odd = memory.make("2", title="Tea", type="memory"), memory.make("3", title="a//b", type="memory")
    entries = memory(command="view", path="/memories")["entries"]
    assert {entry["id"]: entry["path"] for entry in entries} == {
        first.id: "/memories/Tea",
        second.id: f"/memories/{second.id}",
        odd.id: f"/memories/{odd.id}",
    }
    for made in (first, second, odd):
        path = next(entry["path"] for entry in entries if entry["id"] == made.id)
        assert memory(command="view", path=path)["id"] == made.id


def test_text_is_replaced_where_it_stands_once(memory: Desk) -> None:
    made = memory(command="create", path=TEA, file_text=TEXT)
    done = memory(command="str_replace", path=TEA, old_str="mint", new_str="mint\nand sage")
    assert done["text"].startswith(
        "The memory file has been edited.\n     1\tLikes oolong.\n     2\tHates mint\n"
    )
    assert "     3\tand sage." in done["text"]
    assert memory.service.read(memory.user, made["id"]).text == TEXT.replace("mint", "mint\nand sage")
    error = memory.refused(command="str_replace", path=TEA, old_str="coffee", new_str="x")
    assert error == f"No replacement was performed, old_str `coffee` did not appear verbatim in {TEA}."
    error = memory.refused(command="str_replace", path=TEA, old_str=".", new_str="x")
    assert error == (
        "No replacement was performed. Multiple occurrences of old_str `.` in lines: 1, 3, 4. "
        "Please ensure it is unique"
    )
    memory(command="str_replace", path=TEA, old_str="No milk.\n")
    assert "milk" not in memory.service.read(memory.user, made["id"]).text


@pytest.mark.parametrize(
    ("line", "expected"),
    [(0, "new\nLikes oolong.\nHates mint.\nNo milk.\n"), (3, TEXT + "new\n")],
)
@pytest.mark.parametrize("text", ["new", "new\n"])
def test_text_is_inserted_behind_a_line(memory: Desk, line: int, expected: str, text: str) -> None:
    made = memory(command="create", path=TEA, file_text=TEXT)
    done = memory(command="insert", path=TEA, insert_line=line, insert_text=text)
    assert done == {"id": made["id"], "text": f"The file {TEA} has been edited."}
    assert memory.service.read(memory.user, made["id"]).text == expected


def test_a_line_that_is_none_is_refused(memory: Desk) -> None:
    memory(command="create", path=TEA, file_text=TEXT)
    error = memory.refused(command="insert", path=TEA, insert_line=4, insert_text="x") or ""
    assert error.startswith("Invalid `insert_line` parameter: 4.")
    assert error.endswith("[0, 3]")


def test_files_and_folders_are_renamed_and_nothing_is_written_over(memory: Desk) -> None:
    made = memory(command="create", path=TEA, file_text=TEXT)
    other = memory(command="create", path="/memories/user/deep/x", file_text="other")
    done = memory(command="rename", old_path=TEA, new_path="/memories/tea.md")
    assert done == {"id": made["id"], "text": f"Successfully renamed {TEA} to /memories/tea.md"}
    done = memory(command="rename", old_path="/memories/user", new_path="/memories/ann")
    assert done["entries"] == [{"id": other["id"]}]
    assert memory(command="view", path="/memories/ann/deep/x")["id"] == other["id"]
    for new in ("/memories/ann", "/memories/ann/deep/x"):
        error = memory.refused(command="rename", old_path="/memories/tea.md", new_path=new)
        assert error == f"The destination {new} already exists"
    error = memory.refused(command="rename", old_path="/memories/ann", new_path="/memories/ann/b")
    assert error == "The destination /memories/ann/b is inside of /memories/ann"
    long = f"/memories/{'x' * 250}"
    assert "has" in (memory.refused(command="rename", old_path="/memories/ann", new_path=long) or "")
    assert memory(command="view", path="/memories/ann/deep/x")["id"] == other["id"]


def test_files_and_folders_are_deleted_after_a_yes(memory: Desk) -> None:
    made = memory(command="create", path=TEA, file_text=TEXT)
    assert memory.refused(command="delete", path=TEA) == 'action "delete" needs the user\'s approval'
    assert memory.explain(command="delete", path=TEA) == 'memory "user/tea.md", 35 characters'
    assert memory.explain(command="delete", path="/memories/user") == "1 memories below /memories/user"
    done = memory(command="delete", path="/memories/user", approved=True)
    assert done == {"text": "Successfully deleted /memories/user", "entries": [{"id": made["id"]}]}
    assert memory.hindrance(command="delete", path=TEA) == (
        f"The path {TEA} does not exist. Please provide a valid path."
    )
    memory.service.trash.undelete(memory.user, made["id"])
    memory.config = {"hard_delete": True}
    assert memory(command="delete", path=TEA, approved=True)["id"] == made["id"]
    with pytest.raises(Exception, match="not found"):
        memory.service.trash.undelete(memory.user, made["id"])


def test_another_users_files_do_not_exist(memory: Desk) -> None:
    foreign = memory.make("secret", user="bob", title="tea", type="memory")
    for path in ("/memories/tea", f"/memories/{foreign.id}"):
        for arguments in (
            {"command": "view", "path": path},
            {"command": "delete", "path": path, "approved": True},
            {"command": "str_replace", "path": path, "old_str": "secret"},
            {"command": "rename", "old_path": path, "new_path": "/memories/mine"},
        ):
            assert (
                memory.refused(**arguments) == f"The path {path} does not exist. Please provide a valid path."
            )
    assert memory(command="view", path="/memories")["entries"] == []


def test_without_a_user_nothing_works(memory: Desk) -> None:
    memory.user = None
    assert memory.refused(command="view", path="/memories") == "this tool needs a user"
    assert memory.hindrance(command="view", path="/memories") == "this tool needs a user"


def test_what_strangers_had_a_hand_in_is_marked(memory: Desk) -> None:
    memory.make("x", title="tea", type="memory", untrusted=True)
    result = memory.call(command="view", path="/memories/tea")
    assert result.data["untrusted"] is True
    assert result.metadata["holds"] == ["private", "untrusted"]
    assert memory.call(command="view", path="/memories").metadata["holds"] == ["private", "untrusted"]


def test_a_limit_of_the_config_holds(memory: Desk) -> None:
    memory.config = {"max_content_length": 40}
    assert "exceeds the maximum length: 41 of 40" in (
        memory.refused(command="create", path=TEA, file_text="x" * 41) or ""
    )
    memory(command="create", path=TEA, file_text=TEXT)
    assert "exceeds" in (memory.refused(command="insert", path=TEA, insert_line=0, insert_text="x" * 9) or "")
