"""Reads JSON and writes it again; numbers stay as they were written and duplicate keys stay."""

from __future__ import annotations

import json
import re

from agentctl.tools.failure import ToolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

DEEPEST = 200
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(-?Infinity|NaN)')


class Number(str):
    """A number in its own spelling: 1.10 stays 1.10, and 1e400 does not become infinite."""

    __slots__ = ()


class Members(list["tuple[str, Any]"]):
    """The members of an object, in order, keys that repeat included."""


class Fault(ToolError):
    """What is wrong with a text, and where; lines and columns count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"not valid JSON: {message} at line {line} column {column}")
        self.message = message
        self.line = line
        self.column = column


def perform(request: Mapping[str, Any]) -> dict[str, Any]:
    """The result of one request with the keys `action, text, indent, sort_keys`.

    Raises ToolError for what is no JSON, except for the action "validate", which says so in its result.
    """
    try:
        tree = read(request["text"])
    except Fault as fault:
        if request["action"] != "validate":
            raise
        return {"valid": False, "error": fault.message, "line": fault.line, "column": fault.column}
    repeated = sorted(set(_repeated_keys(tree, 0)))
    notes = {"duplicate_keys": repeated[:20]} if repeated else {}
    if request["action"] == "validate":
        return {"valid": True, **_describe(tree), **notes}
    indent = request["indent"] if request["action"] == "format" else None
    return {"text": "".join(_write(tree, indent, request["sort_keys"], 0)), **notes}


def read(text: str) -> Any:
    """`text` as Members, lists, Numbers and plain values. Raises Fault, or ToolError where it is too deep."""
    text = text.removeprefix("\ufeff")
    try:
        return json.loads(
            text,
            object_pairs_hook=Members,
            parse_float=Number,
            parse_int=Number,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        message = error.msg[:1].lower() + error.msg[1:]
        raise Fault(message.removesuffix(" at"), error.lineno, error.colno) from None
    except _ConstantError:
        raise _find_constant(text) from None
    except RecursionError:
        raise _too_deep() from None


def _write(node: Any, indent: int | None, sort: bool, depth: int) -> Iterator[str]:
    if isinstance(node, Number):
        yield str(node)
        return
    if not isinstance(node, list) or not node:
        yield "{}" if isinstance(node, Members) else _scalar(node)
        return
    if depth >= DEEPEST:
        raise _too_deep()
    opening, closing = "{}" if isinstance(node, Members) else "[]"
    inner = "" if indent is None else "\n" + " " * (indent * (depth + 1))
    outer = "" if indent is None else "\n" + " " * (indent * depth)
    between = opening
    for key, value in _children(node, sort):
        yield between + inner
        if key is not None:
            yield _scalar(key) + (":" if indent is None else ": ")
        yield from _write(value, indent, sort, depth + 1)
        between = ","
    yield outer + closing


def _children(node: list[Any], sort: bool) -> list[tuple[str | None, Any]]:
    if not isinstance(node, Members):
        return [(None, value) for value in node]
    members: list[tuple[str, Any]] = node
    return [*sorted(members, key=lambda member: member[0])] if sort else [*members]


def _scalar(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair: as an escape it can be stored and sent
        return json.dumps(value)
    return text


def _repeated_keys(node: Any, depth: int) -> Iterator[str]:
    if depth > DEEPEST:
        raise _too_deep()
    if isinstance(node, Members):
        seen = set()
        for key, value in node:
            if key in seen:
                yield key
            seen.add(key)
            yield from _repeated_keys(value, depth + 1)
    elif isinstance(node, list):
        for value in node:
            yield from _repeated_keys(value, depth + 1)


def _describe(tree: Any) -> dict[str, Any]:
    if isinstance(tree, Members):
        return {"type": "object", "keys": len(tree)}
    if isinstance(tree, list):
        return {"type": "array", "items": len(tree)}
    if isinstance(tree, Number):
        return {"type": "number"}
    return {"type": {"bool": "boolean", "NoneType": "null", "str": "string"}[type(tree).__name__]}


class _ConstantError(Exception):
    """NaN or an infinity was met; Python's reader does not say where."""


def _refuse_constant(_: str) -> None:
    raise _ConstantError


def _find_constant(text: str) -> Fault:
    for match in _CONSTANT.finditer(text):
        if match[1]:
            before = text[: match.start()]
            line, column = before.count("\n") + 1, match.start() - before.rfind("\n")
            return Fault(f"{match[1]} is no JSON number", line, column)
    return Fault("NaN is no JSON number", 1, 1)


def _too_deep() -> ToolError:
    return ToolError(f"the JSON is nested more than {DEEPEST} levels deep")
