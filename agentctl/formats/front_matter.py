"""Markdown with a head of YAML between two lines of dashes, read and written without loss."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agentctl.errors import ConfigError, UsageError
from agentctl.formats.dump import dump

_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_GAP = re.compile(r"\r?\n")


def join(fields: Mapping[str, Any], content: str) -> str:
    """`content` behind a head that holds `fields`; `split` gives both back exactly."""
    return f"---\n{dump(fields)}---\n\n{content}"


def split(text: str, name: str) -> tuple[Mapping[str, Any], str]:
    """The fields of the head and what stands behind it; no fields where the text has no head.

    One empty line between them belongs to neither. Raises UsageError, with `name`, line and column, for a
    head that is no YAML or no mapping.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return {}, text
    content = text[closing.end() :]
    gap = _GAP.match(content)
    return _read(text[opening.end() : closing.start()], name), content[gap.end() if gap else 0 :]


def _read(head: str, name: str) -> Mapping[str, Any]:
    from agentctl.formats.yaml import load

    try:
        # With the line of the dashes, so that the lines of errors are those of the file.
        value = load("\n" + head.replace("\r\n", "\n"), name).value
    except ConfigError as error:
        raise UsageError(f"{error.message} (in the front matter)", hint=error.hint) from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UsageError(
            f"{name}: the front matter is no mapping such as title: Rice",
            hint="Text that begins with a line of dashes needs an empty line before it.",
        )
    return value
