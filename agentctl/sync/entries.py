"""One entry of a section as it was read: what is sound of it, and where complaints about it go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agentctl.sync.fields import FILE, SECTIONS
from agentctl.sync.files import SourceFile
from agentctl.sync.kinds import describe
from agentctl.sync.report import Report


@dataclass(frozen=True, slots=True)
class Entry:
    """`raw` is the mapping in the document, `sound` its valid fields (by key, with plain values)."""

    section: str
    raw: dict[str, Any]
    sound: dict[str, Any]
    report: Report
    file: SourceFile

    @property
    def slug(self) -> str | None:
        """The slug where it is a valid one."""
        slug: str | None = self.sound.get("slug")
        return slug


@dataclass(frozen=True, slots=True)
class Contents:
    """What one file holds: the sound fields of its top level, and the entries of all sections."""

    raw: dict[str, Any]
    top: dict[str, Any]
    entries: tuple[Entry, ...]
    report: Report


def read_contents(file: SourceFile, report: Report) -> Contents:
    """Check keys and values of one file; what is wrong goes into `report`."""
    root = file.document.value
    if not isinstance(root, dict):
        if root is not None:
            message = f"expected a mapping with agents: or tools:, got {describe(root)}"
            report.at_document(message)
        return Contents({}, {}, (), report)
    top = report.fields(root, FILE)
    entries = tuple(entry for name in SECTIONS if name in top for entry in _entries(report, file, name))
    return Contents(root, top, entries, report)


def _entries(report: Report, file: SourceFile, section: str) -> Iterator[Entry]:
    items = file.document.value[section]
    for index, raw in enumerate(items):
        if isinstance(raw, dict):
            yield Entry(section, raw, report.fields(raw, SECTIONS[section]), report, file)
        else:
            message = f"{section}: expected a mapping with `slug`, got {describe(raw)}"
            report.at_value(items, index, message)
