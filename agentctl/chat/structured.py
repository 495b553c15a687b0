"""Checks an answer that has a JSON Schema to keep to, and asks for a better one once."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from agentctl.domain.surrogates import mend
from agentctl.errors import SchemaBroken

# Says how a value breaks the schema, one sentence each; [] for one that keeps to it.
Checker = Callable[[Any], list[str]]

_FENCE = re.compile(r"\s*(`{3,})[^`]*\Z")
_OPENING = re.compile(r"[{\[]")
# In a text without JSON every bracket is tried; a text has few, and a hostile one gets no more tries.
_MOST_TRIES = 100
_SHOWN_FAULTS = 3
_REPAIR = """\
Your last answer is not valid:
{faults}

Answer again, in full, with one JSON value that keeps to the schema, and with nothing else: no words, no \
code fence."""


class NotJson(Exception):
    """Why a text holds no JSON value, or more than one."""


class Found(NamedTuple):
    """A JSON value, and the piece of the answer that it was read from."""

    value: Any
    text: str


class StructuredOutput:
    """The answers of one run. `value` is the last one that kept to the schema, `text` its JSON.

    `repaired` says that the run asked for a better answer before.
    """

    def __init__(self, checker: Checker, *, repaired: bool = False) -> None:
        self._checker = checker
        self._faults: list[str] = []
        self._repaired = repaired
        self.value: Any = None
        self.text: str | None = None

    def check(self, text: str) -> bool:
        """Whether `text` is JSON that keeps to the schema; words or a fence around it are passed over."""
        self.value = self.text = None
        try:
            found = read_answer(text)
        except NotJson as error:
            self._faults = [str(error)]
            return False
        self._faults = self._checker(found.value)
        if self._faults:
            return False
        self.value, self.text = found
        return True

    def repair(self) -> str | None:
        """What to say to the model about its last answer, the first time that one is wrong; else None."""
        if not self._faults or self._repaired:
            return None
        self._repaired = True
        return _REPAIR.format(faults="\n".join(f"- {fault}" for fault in self._faults))

    def require(self) -> None:
        """Raise SchemaBroken where the last answer did not keep to the schema."""
        if not self._faults:
            return
        more = len(self._faults) - _SHOWN_FAULTS
        faults = "; ".join(self._faults[:_SHOWN_FAULTS]) + (f"; and {more} more" if more > 0 else "")
        raise SchemaBroken(
            f"the answer breaks the schema: {faults}",
            hint="Ask again, choose another model with -m, or ask for less with --schema.",
        )


def read_answer(text: str) -> Found:
    """The one JSON value of an answer.

    All of the text, else all of its only code block, else the only object or array that stands in it. Raises
    NotJson, also for a key that stands twice in an object and for NaN.
    """
    whole = text.strip().removeprefix("\ufeff")
    if not whole:
        raise NotJson("the answer is empty")
    try:
        return _read(whole)
    except json.JSONDecodeError as error:
        unread = error
    blocks = _code_blocks(text)
    if len(blocks) > 1:
        raise NotJson("the answer has more than one code block")
    if blocks:
        try:
            return _read(blocks[0])
        except json.JSONDecodeError as error:
            raise NotJson(f"the code block is not JSON: {_explain(error)}") from None
    return _find_only(whole, unread)


def _code_blocks(text: str) -> list[str]:
    """What stands between lines of three and more backticks."""
    blocks: list[str] = []
    block: list[str] = []
    fence = ""
    for line in text.split("\n"):
        opening = _FENCE.match(line)
        if not fence:
            fence, block = (opening[1] if opening else ""), []
        elif opening and line.strip().startswith(fence) and not line.strip().strip("`"):
            blocks.append("\n".join(block).strip())
            fence = ""
        else:
            block.append(line)
    return blocks


def _find_only(text: str, unread: json.JSONDecodeError) -> Found:
    """The only object or array in a text that is more than that."""
    found: list[Found] = []
    position = 0
    for _ in range(_MOST_TRIES):
        opening = _OPENING.search(text, position)
        if opening is None:
            break
        try:
            value, position = _decode(text, opening.start())
        except json.JSONDecodeError:
            position = opening.end()
        else:
            found.append(Found(value, text[opening.start() : position]))
    if len(found) > 1:
        raise NotJson("the answer holds more than one JSON value")
    if not found:
        raise NotJson(f"the answer is not JSON: {_explain(unread)}")
    return found[0]


def _read(text: str) -> Found:
    """All of `text` as JSON. Raises JSONDecodeError where it is none, NotJson where it is no good."""
    value, end = _decode(text, 0)
    if end < len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return Found(value, text)


def _decode(text: str, start: int) -> tuple[Any, int]:
    """The value that starts at `start`, and where it ends."""
    try:
        value, end = _DECODER.raw_decode(text, start)
        return _mended(value), end
    except json.JSONDecodeError:
        raise
    except ValueError:
        raise NotJson("the answer holds a number that is too long") from None
    except RecursionError:
        raise NotJson("the answer is nested too deeply") from None


def _explain(error: json.JSONDecodeError) -> str:
    return f"{error.msg[0].lower()}{error.msg[1:]} at line {error.lineno}, column {error.colno}"


def _mended(value: Any) -> Any:
    """`value` with half surrogate pairs, which no file can hold, replaced."""
    written = json.dumps(value, ensure_ascii=False)
    mended = mend(written)
    return value if mended is written else json.loads(mended)


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise NotJson(f"the key {json.dumps(key, ensure_ascii=False)} stands twice in one object")
        found[key] = value
    return found


def _read_float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _refuse(constant: str) -> NoReturn:
    raise NotJson(f"{constant} is no number in JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_read_object, parse_constant=_refuse, parse_float=_read_float)
