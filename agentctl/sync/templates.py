"""The commented files that `init` writes, and writing files without ever losing one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from agentctl.errors import UsageError

NAMES = ("agents.yaml", "tools.yaml")
FOLDER = Path(__file__).parent / "shipped"
SCHEMA_PATH = Path(__file__).parent / "agentctl.schema.json"
_HEADER = "# yaml-language-server: $schema="


def templates() -> Mapping[str, str]:
    """The commented agents.yaml and tools.yaml (name -> text) for a new folder.

    Their first line points editors to the schema of this installation.
    """
    return {name: _with_schema((FOLDER / name).read_text(encoding="utf-8")) for name in NAMES}


def write_templates(folder: Path, *, replace_files: bool = False) -> list[Path]:
    """Write the templates into `folder`, made if need be, and give their paths.

    Raises UsageError, before anything is written, where one is there already, unless `replace_files`.
    """
    return write_files(folder, templates(), replace_files=replace_files)


def write_files(folder: Path, texts: Mapping[str, str], *, replace_files: bool = False) -> list[Path]:
    """Write `texts` (name -> text) into `folder`; raises UsageError as `write_templates` does."""
    paths = {folder / name: text for name, text in texts.items()}
    existing = [str(path) for path in paths if os.path.lexists(path)]
    if existing and not replace_files:
        raise UsageError(f"already there: {', '.join(existing)}", hint="nothing was written")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in paths.items():
            path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None
    return list(paths)


def _with_schema(text: str) -> str:
    """`text` with the schema of this installation in place of the one in its first line."""
    first, newline, rest = text.partition("\n")
    if not first.startswith(_HEADER):
        return text
    return f"{_HEADER}{SCHEMA_PATH.resolve().as_uri()}{newline}{rest}"
