"""Plays one section of a recording: each thing that is asked for must be the one that was recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from agentctl.errors import ConfigError, ProviderError
from agentctl.net.recording import Exchange
from agentctl.providers.recording.difference import AGAIN, compare, same
from agentctl.providers.recording.exchanges import describe_request, exchange_from_line
from agentctl.providers.recording.file import Line, Section

T = TypeVar("T")


class Player:
    """Hands out what a section holds, each line once. `failed` is whether something else was asked for."""

    def __init__(self, path: Path, section: Section) -> None:
        self._where = f"turn {section.turn} of {path}"
        self._left = {kind: list(lines) for kind, lines in section.lines.items()}
        self._asked = 0
        self.failed = False

    def find_exchange(self, url: str, content: bytes) -> Exchange:
        """The next exchange. Raises ProviderError with a diff where its request was another."""
        return self.read(exchange_from_line, self._next("exchange", describe_request(url, content)))

    def find_answer(self, request: dict[str, Any]) -> Line:
        """The line of the next answer. Raises ProviderError with a diff where its request was another."""
        return self._next("answer", request)

    def find_call(self, kind: str, tool: str, arguments: Mapping[str, Any]) -> Line:
        """The first unused line of a kind (`tool`, `decision`) for this call.

        Raises ProviderError with a diff to the one that comes next.
        """
        call = {"tool": tool, "arguments": dict(arguments)}
        left = self._left[kind]
        for line in left:
            if same(_call(line), call):
                left.remove(line)
                return line
        what = f"the call of {tool}" if kind == "tool" else f"the question about {tool}"
        where = f"{what} in {self._where}"
        self._compare(_call(left[0]) if left else None, call, where)
        raise AssertionError(where)

    def find_check(self, model: str) -> Mapping[str, Any] | None:
        """Why this model could not be asked; None where it could."""
        found = (line["error"] for line in self._left["check"] if line["model"] == model)
        return next(found, None)

    def read(self, reader: Callable[[Any], T], line: Any) -> T:
        """What `reader` makes of a line. Raises ConfigError for a line that is not as it should be."""
        try:
            return reader(line)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"{self._where} cannot be read: {error}", hint="Record it anew.") from error

    def list_leftovers(self) -> list[str]:
        """What was recorded and never asked for, in words; nothing where the replay failed anyway."""
        if self.failed:
            return []
        names = {
            "exchange": "requests",
            "answer": "requests",
            "tool": "tool results",
            "decision": "decisions",
        }
        return [
            f"{self._where}: {len(left)} recorded {names[kind]} not asked for"
            for kind, left in sorted(self._left.items())
            if left and kind in names
        ]

    def _next(self, kind: str, request: dict[str, Any]) -> Line:
        self._asked += 1
        left = self._left[kind]
        where = f"request {self._asked} in {self._where}"
        if not left:
            self.failed = True
            raise ProviderError(
                f"{where} was not recorded: the recorded run sent {self._asked - 1}", hint=AGAIN
            )
        line = left.pop(0)
        self._compare(line["request"], request, where)
        return line

    def _compare(self, recorded: Any, sent: Any, where: str) -> None:
        try:
            compare(recorded, sent, where)
        except ProviderError:
            self.failed = True
            raise


def _call(line: Line) -> dict[str, Any]:
    return {"tool": line["tool"], "arguments": line["arguments"]}
