"""What the documents say is what the code does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from agentctl.cli.group import Group
from agentctl.cli.root import root
from agentctl.errors import AgentctlError
from tests.architecture import DOCUMENT, ROOT, first_sentence, with_map

README = (ROOT.parent / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [README, *((ROOT.parent / name).read_text() for name in ("CONTRIBUTING.md", "ARCHITECTURE.md"))]


def command_lines() -> list[str]:
    """Every command line of ours in a code block of the README, without what surrounds it in a pipe."""
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    found = []
    for line in "\n".join(blocks).splitlines():
        line = line.partition("  #")[0]
        found += re.findall(r"(?:^|\| |=\.\.\. )(agentctl [^|<>]*)", line)
    return found


def test_the_map_is_true() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert document == with_map(document), "run: python -m tests.architecture"


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_in_one_sentence_what_it_is_for(path: Path) -> None:
    sentence = first_sentence(path)
    assert sentence.endswith(".")
    assert len(sentence) <= 120


def test_the_readme_opens_with_the_two_commands() -> None:
    first = re.search(r"```sh\n(.*?)```", README, re.DOTALL)
    assert first is not None
    assert [line.split("  ")[0] for line in first[1].splitlines()] == ["make demo", "make test"]


@pytest.mark.parametrize("line", command_lines())
def test_a_command_in_the_readme_can_be_parsed(line: str) -> None:
    words = shlex.split(line)[1:]
    command: click.Command = root
    context = click.Context(root)
    while isinstance(command, Group):
        name = words.pop(0)
        found = command.get_command(context, name)
        assert found is not None, line
        command = found
    # Parsing raises for an option that does not exist.
    command.make_context("agentctl", words, resilient_parsing=False, parent=context).close()


def test_the_readme_has_the_exit_codes_of_the_code() -> None:
    documented = {
        int(code) for row in re.findall(r"^\| ([\d, ]+) \|", README, re.MULTILINE) for code in row.split(", ")
    }
    assert documented == {
        0,
        129,
        143,
        *(cls.exit_code for cls in (AgentctlError, *AgentctlError.__subclasses__())),
    }


def test_make_targets_that_documents_name_exist() -> None:
    makefile = (ROOT.parent / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for document in DOCUMENTS:
        assert set(re.findall(r"`?make ([a-z]+)", document)) - {"agentctl"} <= targets | {"sure"}


def test_the_packaged_licence_is_there() -> None:
    assert "Apache License" in (ROOT.parent / "LICENSE").read_text()
