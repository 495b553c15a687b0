from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agentctl.errors import ConfigError
from agentctl.store import Store
from agentctl.sync.schema import read_declared
from agentctl.sync.state import NOTHING, State

Write = Callable[..., Path]
Faults = Callable[..., list[str]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "home" / "agentctl.db")
    yield store
    store.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def write(folder: Path) -> Write:
    """Write a file below the folder: `write("agents:", name="agents.yaml")`."""

    def write(text: str, name: str = "agents.yaml") -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def faults(folder: Path, write: Write) -> Faults:
    """The problems of a text as agents.yaml, one line each."""

    def faults(text: str, known: State = NOTHING) -> list[str]:
        write(text)
        with pytest.raises(ConfigError) as caught:
            read_declared([], folder, known)
        return list(caught.value.problems)

    return faults
