"""Finds the files of an import and reads what they hold, one document after the other."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentctl.app.docs_text import KNOWN, LARGEST, from_fields, from_markdown, is_archived, read_text, to_text
from agentctl.documents.checks import hash_content
from agentctl.domain.document import NewDocument
from agentctl.domain.surrogates import mend
from agentctl.domain.value import value
from agentctl.errors import AgentctlError, NotFound, UsageError

ENDINGS = (".md", ".markdown", ".jsonl")


@value
class Entry:
    """One document in a file: `place` is the path, with a line where the file holds several."""

    place: str
    new: NewDocument
    fields: Mapping[str, Any]
    archived: bool

    @property
    def unknown(self) -> set[str]:
        """Fields that mean nothing here."""
        return set(self.fields) - KNOWN

    @property
    def has_session(self) -> bool:
        """Whether a session is named, which files cannot give."""
        return self.fields.get("session_id") is not None

    def settled(self) -> NewDocument:
        """As it would be stored: bound to no session."""
        return replace(self.new, tier="long_term") if self.new.tier == "session" else self.new

    @contextmanager
    def blamed(self) -> Iterator[None]:
        """Put the place before an error that this entry raises."""
        try:
            yield
        except AgentctlError as error:
            error.message = f"{self.place}: {error.message}"
            raise


def find_files(given: Sequence[str]) -> list[str]:
    """The files that were named, and those in the folders that were named, sorted and each once.

    Hidden ones are left out. Raises NotFound, and UsageError for a folder with a link that leads out of it.
    """
    found: dict[str, str] = {}
    for name in given:
        if os.path.isdir(name):
            inside = sorted(_walk(name))
            if not inside:
                raise UsageError(f"{name}: no files that end in {', '.join(ENDINGS)}")
        elif os.path.exists(name):
            inside = [name]
        else:
            raise NotFound(f"{name}: no such file or folder")
        for path in inside:
            found.setdefault(os.path.realpath(path), path)
    return list(found.values())


def read_entries(files: Iterable[str]) -> Iterator[Entry]:
    """All documents in these files. Raises UsageError for what cannot be read."""
    for path in files:
        if path.lower().endswith(".jsonl"):
            yield from _read_lines(path)
        else:
            new, fields = from_markdown(read_text(path), path)
            yield Entry(path, _from(path, new), fields, is_archived(fields, path))


def _walk(folder: str) -> Iterator[str]:
    root = os.path.realpath(folder)

    def refuse(error: OSError) -> None:
        raise UsageError(f"{error.filename}: {error.strerror}")

    for where, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        shown = [name for name in files if not name.startswith(".")]
        for name in (*folders, *shown):
            _refuse_outside(os.path.join(where, name), root)
        # A link within the folder leads to a file that is met anyway.
        yield from (
            path
            for name in shown
            if name.lower().endswith(ENDINGS) and not os.path.islink(path := os.path.join(where, name))
        )


def _refuse_outside(path: str, root: str) -> None:
    if os.path.islink(path) and os.path.commonpath([root, os.path.realpath(path)]) != root:
        raise UsageError(
            f"{path}: this link leads out of the folder", hint="Name the file itself to import it."
        )


def _read_lines(path: str) -> Iterator[Entry]:
    try:
        with Path(path).open("rb") as file:
            number = 0
            while line := file.readline(LARGEST + 1):
                number += 1
                place = f"{path}:{number}"
                if len(line) > LARGEST:
                    raise UsageError(f"{place}: a line of more than {LARGEST:,} bytes")
                if line.strip():
                    fields = _object(to_text(line, place), place)
                    new = from_fields(fields, place)
                    # Of a file with many documents each is known again by its id, else by what it says.
                    source = f"{path}#{new.id or hash_content(mend(new.content))[:12]}"
                    yield Entry(place, _from(source, new), fields, is_archived(fields, place))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None


def _object(line: str, place: str) -> Mapping[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place}: no JSON: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f"{place}: no JSON object", hint="Each line is a document.")
    return found


def _from(source: str, new: NewDocument) -> NewDocument:
    # Whole, so that the same file is known again from any folder.
    return replace(new, source_path=os.path.abspath(source))
