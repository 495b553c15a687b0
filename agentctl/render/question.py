"""Puts a tool call to a person: written to and read from /dev/tty, whatever stdin and stdout are."""

from __future__ import annotations

import asyncio
import json
import os
import termios
from collections.abc import Callable, Mapping
from typing import Any

from agentctl.domain.question import Answer, Question
from agentctl.render.controls import show_controls
from agentctl.render.editor import edit

KEYS = (
    "[y] once  [a] these arguments in this session  [t] this tool in this session  [e] edit  [n] no  [q] stop"
)


class Asker:
    """Asks on the terminal, one question at a time; `editor` is the command that edits arguments."""

    def __init__(self, open_terminal: Callable[[], int | None], editor: str) -> None:
        self._open_terminal = open_terminal
        self._editor = editor
        self._terminal = -1

    async def ask(self, question: Question) -> Answer:
        """The person's answer; the end of input, and a terminal that is gone, mean stop."""
        terminal = self._open_terminal()
        if terminal is None:
            return Answer("stop", question.arguments)
        self._terminal = terminal
        try:
            return await self._ask(question)
        finally:
            os.close(terminal)

    async def _ask(self, question: Question) -> Answer:
        arguments: Mapping[str, Any] = question.arguments
        self._write(f"\n{show_controls(question.tool)} wants to run with:\n{_shown(arguments)}\n")
        if question.why:
            self._write(f"  ({show_controls(question.why)})\n")
        while True:
            # What was typed before the question was not meant for it.
            termios.tcflush(self._terminal, termios.TCIFLUSH)
            self._write(f"{KEYS}? ")
            key = await self._line()
            match None if key is None else key.strip().lower():
                case "y" | "yes":
                    return Answer("once", arguments)
                case "a":
                    return Answer("arguments", arguments)
                case "t":
                    return Answer("tool", arguments)
                case "e":
                    arguments = await self._edited(question, arguments)
                    self._write(f"{_shown(arguments)}\n")
                case "n" | "no":
                    self._write("Reason for the model (may be empty): ")
                    return Answer("no", arguments, reason=(await self._line() or "").strip() or None)
                case "q" | None:
                    return Answer("stop", arguments)

    async def _edited(self, question: Question, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            edited = json.loads(await edit(_as_text(arguments), self._editor, self._terminal))
            faults = question.check(edited) if isinstance(edited, dict) else ["this is no JSON object"]
        except (ValueError, OSError) as error:
            edited, faults = None, [str(error)]
        if faults:
            self._write("Not taken: " + "; ".join(faults) + "\n")
            return arguments
        return dict(edited)

    async def _line(self) -> str | None:
        """One line, or None at the end of input; cancellable, unlike a read in a thread."""
        loop = asyncio.get_running_loop()
        data = b""
        while not data.endswith(b"\n"):
            ready: asyncio.Future[None] = loop.create_future()
            loop.add_reader(self._terminal, _announce, ready)
            try:
                await ready
            finally:
                loop.remove_reader(self._terminal)
            piece = os.read(self._terminal, 4096)
            if not piece:
                return None
            data += piece
        return data.decode("utf-8", "replace")

    def _write(self, text: str) -> None:
        os.write(self._terminal, text.encode("utf-8", "replace"))


def _as_text(arguments: Mapping[str, Any]) -> str:
    return json.dumps(dict(arguments), ensure_ascii=False, indent=2)


def _announce(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)


def _shown(arguments: Mapping[str, Any]) -> str:
    """The arguments whole, one line each, with nothing that could hide or move what follows."""
    return (
        "\n".join(
            f"  {show_controls(name)} = {show_controls(json.dumps(value, ensure_ascii=False))}"
            for name, value in arguments.items()
        )
        or "  (no arguments)"
    )
