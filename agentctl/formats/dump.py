"""Plain values to YAML, block style, without PyYAML: what it writes reads the same in YAML 1.1 and 1.2."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agentctl.formats.scalars import CONSTANTS, FALSE_WORDS, LETTERS, TRUE_WORDS

# Nothing in here can be an indicator, a number, a date or a comment, wherever it stands.
_PLAIN = re.compile(r"[^\W\d_](?:[\w ./()+@-]|[:](?=[^\s\W])|[,'’](?=[^\s]| [^\W\d_]))*(?<! )\Z")
_WORDS = frozenset(word.lower() for word in (*CONSTANTS, *TRUE_WORDS, *FALSE_WORDS, *LETTERS))
# What a literal block cannot hold, or not in every reader: control characters, and other line breaks.
_NOT_LITERAL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_ESCAPED = re.compile('[\\\\"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]')
_SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
# A simple key may have 1,024 characters; with escapes this stays well below.
_LONG_KEY = 128


def dump(value: Any) -> str:
    """`value` (dict, list, tuple, str, int, float, bool, None) as one YAML document that ends in a newline.

    Raises TypeError for anything else.
    """
    return "\n".join(_lines(value, "")) + "\n"


def _lines(value: Any, indent: str) -> Iterator[str]:
    """The lines of a value that starts a line of its own."""
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _entry(_key(key, indent), item, indent + "  ")
    elif isinstance(value, (list, tuple)) and value:
        for item in value:
            yield from _item(item, indent)
    elif isinstance(value, str):
        yield from _text(indent, value, indent + "  ")
    else:
        yield indent + _scalar(value)


def _entry(head: str, item: Any, deeper: str) -> Iterator[str]:
    """A key with its value, which goes into lines of its own where it has any parts."""
    if isinstance(item, str):
        yield from _text(head + " ", item, deeper)
    elif isinstance(item, (Mapping, list, tuple)) and item:
        yield head
        yield from _lines(item, deeper)
    else:
        yield f"{head} {_scalar(item)}"


def _item(item: Any, indent: str) -> Iterator[str]:
    """One item of a list; a mapping or list in it starts behind the dash."""
    if isinstance(item, str):
        yield from _text(f"{indent}- ", item, indent + "  ")
    elif isinstance(item, (Mapping, list, tuple)) and item:
        deeper = indent + "  "
        lines = _lines(item, deeper)
        yield f"{indent}- {next(lines)[len(deeper) :]}"
        yield from lines
    else:
        yield f"{indent}- {_scalar(item)}"


def _key(key: Any, indent: str) -> str:
    """A key up to its colon; one that is too long for a plain key gets the long form on two lines."""
    if not isinstance(key, str):
        raise TypeError(f"a key must be text, not {type(key).__name__}")
    written = _inline(key)
    return f"{indent}? {written}\n{indent}:" if len(written) > _LONG_KEY else f"{indent}{written}:"


def _text(head: str, text: str, indent: str) -> Iterator[str]:
    """A text behind `head`: one line, or a literal block where it has several lines."""
    body = text.rstrip("\n")
    if "\n" not in text or not body or _NOT_LITERAL.search(text):
        yield head + _inline(text)
        return
    newlines = len(text) - len(body)
    keep = {0: "-", 1: ""}.get(newlines, "+")
    explicit = str(2) if text[0] in " \n\t" else ""
    yield f"{head}|{explicit}{keep}"
    lines = (body + "\n" * max(newlines - 1, 0)).split("\n")
    for line in lines:
        yield indent + line if line else ""


def _inline(text: str) -> str:
    if _PLAIN.match(text) and text.lower() not in _WORDS and text.isprintable():
        return text
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    character = found.group()
    if character in _SHORT:
        return _SHORT[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _scalar(value: Any) -> str:
    """Anything that is no text, and the empty containers."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, Sequence):
        return "[]"
    raise TypeError(f"cannot write {type(value).__name__} as YAML")


def _float(number: float) -> str:
    text = repr(number)
    if text.endswith(("inf", "nan")):
        return text.replace("inf", ".inf").replace("nan", ".nan")
    mantissa, exponent, power = text.partition("e")
    # YAML 1.1 knows no exponent without a point in front of it.
    if exponent and "." not in mantissa:
        return f"{mantissa}.0e{power}"
    return text
