"""YAML in: files and texts to plain values that know where they stood.

Scalars follow the core schema of YAML 1.2. Refused before they cost memory: more than 1 MB, aliases that
expand to more than that, deep nesting. Refused as well: keys given twice, tags, merge keys, two documents.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from yaml import SafeLoader
from yaml.error import MarkedYAMLError, YAMLError

from agentctl.formats.compose import Composer, Events
from agentctl.formats.document import Document, Problem, as_error
from agentctl.formats.dump import dump
from agentctl.formats.text import MAX_BYTES, TextError, check_characters, decode, read_bytes, too_large

try:
    from yaml._yaml import CParser
except ImportError:
    FastParser: Callable[[str], Events] = SafeLoader
else:
    FastParser = CParser

__all__ = ["Document", "Problem", "as_error", "dump", "load", "parse", "read"]


def load(text: str | bytes, name: str) -> Document:
    """The document in `text`; `name` stands before line and column in errors.

    Raises ConfigError with every problem that was found, surprises not counted.
    """
    document = parse(text, name)
    if document.faults:
        raise as_error(document.faults, name)
    return document


def read(path: Path, name: str | None = None) -> Document:
    """The document in a file, faults not raised. Raises NotFound, or ConfigError where it cannot be read."""
    name = name or str(path)
    return parse(read_bytes(path, name), name)


def parse(text: str | bytes, name: str, parser: Callable[[str], Events] = FastParser) -> Document:
    """Like `load`, with what is wrong in `faults`. Raises ConfigError for more than 1 MB."""
    if len(text) > MAX_BYTES:
        raise too_large(name, MAX_BYTES)
    try:
        text = decode(text) if isinstance(text, bytes) else text
        check_characters(text)
    except TextError as error:
        return Document(name, None, 0, {}, (Problem(name, error.line, error.column, error.message),))
    found: list[Problem] = []
    try:
        composer = Composer(parser(text), name)
        found = composer.faults
        return composer.compose()
    except YAMLError as error:
        return Document(name, None, 0, {}, (*found, _translate(error, name, text)))


def _translate(error: YAMLError, name: str, text: str) -> Problem:
    """The parser's complaint in one line, at the place it speaks of, with advice where it is a usual one."""
    if not isinstance(error, MarkedYAMLError):
        return Problem(name, 1, 1, " ".join(str(error).split()))
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    said = [part for part in (error.problem, error.context) if part]
    message = ", ".join(said) or "this is no YAML"
    if "cannot start any token" in message:
        character = _character_at(text, line, column)
        message = f"a value cannot start with `{character}`: quote it"
        if character == "\t":
            message = "indented with a tab: use spaces"
    elif "mapping values are not allowed" in message:
        message += ": indent it like its neighbours, and quote a text that holds a colon and a space"
    return Problem(name, line + 1, column + 1, message)


def _character_at(text: str, line: int, column: int) -> str:
    lines = text.splitlines()
    return lines[line][column : column + 1] if line < len(lines) else ""
