"""Finds and reads the YAML files of an apply."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agentctl.errors import NotFound
from agentctl.formats.document import Document
from agentctl.formats.yaml import read
from agentctl.sync.declared import Origin
from agentctl.sync.templates import NAMES

SUFFIXES = (".yaml", ".yml")
_START = "Write agents.yaml and tools.yaml with agentctl init, or name files with -f."


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file that was read; its absolute `path` is the owner, in the database, of what it declares."""

    path: Path
    document: Document


def read_files(paths: Sequence[str | Path], folder: Path) -> tuple[list[SourceFile], Origin]:
    """The files that `paths` name (relative to `folder`), or else agents.yaml and tools.yaml of `folder`.

    Raises NotFound where there is nothing, ConfigError for a file that cannot be read or is over 1 MB.
    What is wrong in a file stays in its document.
    """
    found, origin = _find_named(paths, folder) if paths else _find_default(folder)
    files = [SourceFile(path, read(path, name)) for path, name in found.items()]
    return files, origin


def _find_default(folder: Path) -> tuple[dict[Path, str], Origin]:
    root = Path(os.path.realpath(folder))
    found = {root / name: name for name in NAMES if (root / name).exists()}
    if not found:
        raise NotFound(f"no agents.yaml or tools.yaml in {folder}", hint=_START)
    return found, Origin(frozenset(str(root / name) for name in NAMES))


def _find_named(paths: Iterable[str | Path], folder: Path) -> tuple[dict[Path, str], Origin]:
    found: dict[Path, str] = {}
    folders: set[str] = set()
    for given in paths:
        path = folder / given
        if path.is_dir():
            root = Path(os.path.realpath(path))
            folders.add(str(root))
            for name in _names_in(root, given):
                found.setdefault(root / name, os.path.normpath(os.path.join(given, name)))
        elif path.exists():
            # The folder's true path, but the name as it was given: a link may be turned to another file.
            found.setdefault(Path(os.path.realpath(path.parent)) / path.name, str(given))
        else:
            raise NotFound(f"{given}: no such file or folder", hint=_START)
    return found, Origin(frozenset(map(str, found)), frozenset(folders))


def _names_in(root: Path, given: str | Path) -> list[str]:
    names = sorted(
        entry.name
        for entry in root.iterdir()
        if entry.suffix in SUFFIXES and not entry.name.startswith(".") and entry.is_file()
    )
    if not names:
        raise NotFound(f"{given}: no *.yaml or *.yml in this folder", hint=_START)
    return names
