from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentctl.sync.prompt_file import MAX_PROMPT_BYTES, PromptError, read_prompt
from agentctl.sync.schema import read_declared
from tests.sync.conftest import Faults, Write


def test_the_text_of_the_file_becomes_the_prompt(folder: Path, write: Write) -> None:
    write("You are 编程助手.\nBe brief.\n", "prompts/coder.md")
    write("agents:\n  - slug: coder\n    system_prompt: {file: prompts/coder.md}\n")
    (agent,) = read_declared([], folder).agents
    assert agent.system_prompt == "You are 编程助手.\nBe brief.\n"


def test_the_path_counts_from_the_folder_of_the_file_that_names_it(folder: Path, write: Write) -> None:
    write("prompt", "conf/p.md")
    write("agents: [{slug: a, system_prompt: {file: p.md}}]", "conf/a.yaml")
    assert read_declared(["conf/a.yaml"], folder).agents[0].system_prompt == "prompt"


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "a/../../secret", "a\\b", "."])
def test_a_path_that_leads_out_is_refused(folder: Path, path: str) -> None:
    (folder.parent / "secret").write_text("s")
    with pytest.raises(PromptError, match="below the folder"):
        read_prompt(folder, path)


def test_links_are_refused_as_file_and_as_folder(folder: Path, write: Write) -> None:
    (folder.parent / "secret.md").write_text("s")
    write("inside", "real/p.md")
    (folder / "file.md").symlink_to("../secret.md")
    (folder / "inside.md").symlink_to("real/p.md")
    (folder / "dir").symlink_to("real")
    for path in ("file.md", "inside.md", "dir/p.md"):
        with pytest.raises(PromptError, match="links are not followed"):
            read_prompt(folder, path)


def test_what_is_no_text_file_is_refused(folder: Path) -> None:
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "latin").write_bytes(b"a\n\xe9")
    (folder / "binary").write_bytes(b"a\0b")
    (folder / "big").write_bytes(b"x" * (MAX_PROMPT_BYTES + 1))
    expected = {
        "folder": "Is a directory",
        "pipe": "no plain file",
        "latin": "latin:2:1: not UTF-8",
        "binary": "NUL",
        "big": "larger than 256,000 bytes",
        "gone": "no such file",
        "gone/too": "no such file",
        "big/x": "Not a directory",
    }
    for path, message in expected.items():
        with pytest.raises(PromptError, match=message):
            read_prompt(folder, path)


def test_the_error_stands_at_the_name_of_the_file(faults: Faults) -> None:
    assert faults("agents:\n  - slug: a\n    system_prompt: {file: no.md}\n") == [
        "agents.yaml:3:27: system_prompt: no such file: no.md"
    ]


def test_a_prompt_is_text_or_names_a_file(faults: Faults) -> None:
    found = faults("agents:\n  - {slug: a, system_prompt: {fle: x}}\n  - {slug: b, system_prompt: [x]}\n")
    assert found == [
        "agents.yaml:2:30: system_prompt: a prompt is text, or a mapping with `file:` and a path",
        "agents.yaml:3:30: system_prompt: expected text, got a list",
    ]
