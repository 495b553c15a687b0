"""What the lines of a recording must look like, so that one that somebody edited is refused in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_args

from agentctl.domain.question import Choice
from agentctl.net.failure import FailureType
from agentctl.providers.base import FaultKind
from agentctl.providers.recording.file import Section


class Leaf(NamedTuple):
    """One value that is no container of ours, and what it must be, in words."""

    words: str
    fits: Callable[[Any], bool]


class Maybe(NamedTuple):
    """A shape, or null; its place may also be missing."""

    shape: Any


# A shape is a leaf, a list of one shape, or an object of shapes; an object may hold more than it names.
Shape = Leaf | Maybe | list[Any] | Mapping[str, Any]


def _one_of(words: tuple[str, ...]) -> Leaf:
    return Leaf(f"one of {', '.join(words)}", lambda value: value in words)


def _is_text(value: Any) -> bool:
    """Half a surrogate pair can be in no database and no request."""
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def _is_piece(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, dict) and _is_text(value.get("base64")))


def _is_chunk(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and TIME.fits(value[0]) and _is_piece(value[1])


def _is_item(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 1 and TIME.fits(value[0])


ANY = Leaf("anything", lambda _: True)
TEXT = Leaf("a text", _is_text)
FLAG = Leaf("true or false", lambda value: isinstance(value, bool))
OBJECT = Leaf("an object", lambda value: isinstance(value, dict))
# What a calendar can show and a database can hold, twice added up.
TIME = Leaf("a number of milliseconds", lambda value: type(value) is int and 0 <= value < 10**14)
COUNT = Leaf("a whole number", lambda value: type(value) is int and 0 <= value < 2**53)
PRICE = Leaf("a number", lambda value: type(value) in (int, float) and 0 <= value < 2**53)

_MODEL = {
    "reference": TEXT,
    "reason": TEXT,
    "model": {
        "slug": TEXT,
        "provider": TEXT,
        "name": TEXT,
        "context_window": Maybe(COUNT),
        "max_output_tokens": Maybe(COUNT),
        "input_price": Maybe(PRICE),
        "output_price": Maybe(PRICE),
        "cached_input_price": Maybe(PRICE),
        "options": Maybe(OBJECT),
        "inputs": Maybe([TEXT]),
        "assumed": Maybe([TEXT]),
    },
    "provider": {
        "slug": TEXT,
        "kind": TEXT,
        "base_url": Maybe(TEXT),
        "api_key_env": Maybe(TEXT),
        "options": Maybe(OBJECT),
    },
}
_RUN = {"began": TIME, "seed": TEXT, "session": TEXT, "models": [_MODEL]}
_REPLY = {
    "text": TEXT,
    "reasoning": TEXT,
    "calls": [
        {"id": Maybe(TEXT), "name": TEXT, "arguments": Maybe(OBJECT), "raw": TEXT, "run": FLAG},
    ],
    "finish": TEXT,
    "usage": Maybe(dict.fromkeys(("input", "output", "cached", "reasoning", "cache_write"), Maybe(COUNT))),
    "fault": Maybe(
        {
            "kind": _one_of(get_args(FaultKind)),
            "type": TEXT,
            "message": TEXT,
            "status": Maybe(COUNT),
            "retry_after": Maybe(PRICE),
            "hint": Maybe(TEXT),
        }
    ),
    "replay": OBJECT,
}
_FAILURE = {
    "message": TEXT,
    "where": _one_of(get_args(FailureType)),
    "retryable": FLAG,
    "hint": Maybe(TEXT),
}
_CALL = {"tool": TEXT, "arguments": OBJECT}
_LINES: Mapping[str, Shape] = {
    "answer": {"request": OBJECT, "items": [Leaf("a time and an item", _is_item)]},
    "check": {"model": TEXT, "error": {"kind": TEXT, "message": TEXT, "hint": Maybe(TEXT)}},
    "decision": {
        **_CALL,
        "at": TIME,
        "answer": {"choice": _one_of(get_args(Choice)), "arguments": OBJECT, "reason": Maybe(TEXT)},
    },
    "exchange": {
        "at": TIME,
        "request": {"url": TEXT},
        "status": COUNT,
        "headers": OBJECT,
        "chunks": [Leaf("a time and a piece of text", _is_chunk)],
        "whole": FLAG,
        "failure": Maybe(_FAILURE),
    },
    "recalled": {"text": TEXT, "ids": [TEXT], "untrusted": [TEXT]},
    "tool": {
        **_CALL,
        "at": TIME,
        "result": {"success": FLAG, "data": ANY, "error": Maybe(TEXT), "metadata": OBJECT},
    },
}


def check_section(section: Section) -> None:
    """Raise ValueError with the place of the first thing that is not as a recording has it."""
    _check(section.run, _RUN, "run")
    if not section.run["models"]:
        raise ValueError("run.models is empty")
    for kind, shape in _LINES.items():
        for number, line in enumerate(section.lines.get(kind, ()), start=1):
            _check(line, shape, f"{kind} {number}")
    for number, line in enumerate(section.lines.get("exchange", ()), start=1):
        for name, text in line["headers"].items():
            _check(text, TEXT, f"exchange {number}.headers.{name}")
    for number, line in enumerate(section.lines.get("answer", ()), start=1):
        for place, (_, kind, *data) in enumerate(line["items"]):
            if kind == "reply" and data:
                _check(data[0], _REPLY, f"answer {number}.items[{place}]")


def _check(value: Any, shape: Shape, place: str) -> None:
    match shape:
        case Maybe(inner):
            if value is not None:
                _check(value, inner, place)
        case Leaf(words, fits):
            if not fits(value):
                raise ValueError(f"{place} must be {words}")
        case list():
            if not isinstance(value, list):
                raise ValueError(f"{place} must be a list")
            for number, item in enumerate(value):
                _check(item, shape[0], f"{place}[{number}]")
        case Mapping():
            if not isinstance(value, dict):
                raise ValueError(f"{place} must be an object")
            for name, inner in shape.items():
                _check(value.get(name), inner, f"{place}.{name}")
