"""Puts tool calls together from the fragments in which they arrive."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agentctl.domain.surrogates import mend
from agentctl.providers.arguments import read_arguments
from agentctl.providers.base import WireCall
from agentctl.providers.wire.calls import close_call


class OpenCall:
    """A call that is still arriving."""

    __slots__ = ("arguments", "extra", "id", "index", "name", "pieces")

    def __init__(self, index: int | None) -> None:
        self.index = index
        self.id = ""
        self.name = ""
        self.pieces: list[str] = []
        self.arguments: Mapping[str, Any] | None = None
        self.extra: Any = None

    def add(self, call_id: str, name: str, arguments: Any) -> None:
        """Take in what one fragment says; a whole object of arguments replaces what came before."""
        self.id = self.id or call_id
        # A name comes once, in pieces, repeated with each fragment, or growing.
        self.name = name if name.startswith(self.name) else self.name + name
        if isinstance(arguments, Mapping):
            self.arguments = arguments
        elif arguments is not None and arguments != "":
            self.pieces.append(arguments if isinstance(arguments, str) else json.dumps(arguments))

    def raw(self) -> str:
        """The arguments as text."""
        if self.arguments is not None and not self.pieces:
            return mend(json.dumps(self.arguments, ensure_ascii=False))
        return mend("".join(self.pieces))

    def is_complete(self) -> bool:
        """Whether the arguments are a whole object already, so that more text could only break them."""
        if self.arguments is not None:
            return True
        last = next((piece for piece in reversed(self.pieces) if piece.strip()), "")
        return last.rstrip().endswith("}") and read_arguments(self.raw()) is not None


class CallBuffer:
    """All calls of one answer.

    Calls are told apart by index, by id where two ids share an index, and by position where there is neither.
    """

    def __init__(self) -> None:
        self.calls: list[OpenCall] = []
        self._by_index: dict[int, OpenCall] = {}

    def take(self, fragment: Any, *, whole: bool = False) -> None:
        """Add a member of `tool_calls`; `whole` says that each one is a call of its own."""
        if not isinstance(fragment, Mapping):
            return
        function = fragment.get("function")
        function = function if isinstance(function, Mapping) else {}
        index = _read_index(fragment.get("index"))
        call_id, name = _text(fragment.get("id")), _text(function.get("name"))
        arguments = function.get("arguments")
        call = None if whole else self._find(index, call_id, name)
        if call and name and arguments and call.is_complete():
            if _is_repeated(call, call_id, index, arguments):
                return
            call = None
        if call is None:
            call = OpenCall(index)
            self.calls.append(call)
        if index is not None:
            self._by_index[index] = call
        call.add(call_id, name, arguments)
        call.extra = fragment.get("extra_content") or call.extra

    def close(self, *, run: bool) -> tuple[WireCall, ...]:
        """The calls; none of them is to be run where `run` is False or its arguments are no object."""
        return tuple(close_call(call.id, call.name, call.raw(), run=run) for call in self.calls)

    def extras(self) -> list[Any]:
        """What a provider attached to each call for the next request (None where nothing)."""
        return [call.extra for call in self.calls]

    def _find(self, index: int | None, call_id: str, name: str) -> OpenCall | None:
        """The open call that a fragment belongs to, None where it opens one."""
        same_id = [call for call in self.calls if call_id and call.id == call_id]
        if index is None:
            if same_id:
                return same_id[-1]
            # An id that changes with every fragment is seen in the wild; only a new call has a name as well.
            return None if call_id and name else (self.calls[-1] if self.calls else None)
        current = self._by_index.get(index)
        if current is None:
            return same_id[-1] if same_id and not name else None
        if not call_id or not current.id or current.id == call_id:
            return current
        return next((call for call in same_id if call.index == index), None if name else current)


def _is_repeated(call: OpenCall, call_id: str, index: int | None, arguments: Any) -> bool:
    """Whether a fragment sends a finished call once more, as some servers do at the end."""
    if not (call_id and call_id == call.id) and (index is None or call_id):
        return False
    sent = arguments if isinstance(arguments, Mapping) else read_arguments(str(arguments))
    return sent == read_arguments(call.raw())


def _read_index(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal() and len(value) < 6:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
