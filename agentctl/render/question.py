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
from agentctl.render.pages import INDENT, lay_out

KEYS = (
    "[y] once  [a] these arguments in this session  [t] this tool in this session  [e] edit  [n] no  [q] stop"
)
ONCE_KEYS = "[y] once  [e] edit  [n] no  [q] stop"
MORE_KEYS = "[Enter] more  [G] to the end  [n] no  [q] stop"
# Rows that stay free for what stands around a page.
MARGIN = 4
USUAL_SIZE = (80, 24)


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
        self._write(f"\n{show_controls(question.tool)} wants to run with:\n")
        key = await self._show(arguments)
        if question.why:
            self._write(f"  ({show_controls(question.why)})\n")
        while True:
            key = key or await self._key(ONCE_KEYS if question.once_only else KEYS)
            match key:
                case "y" | "yes":
                    return Answer("once", arguments)
                case "a" if not question.once_only:
                    return Answer("arguments", arguments)
                case "t" if not question.once_only:
                    return Answer("tool", arguments)
                case "e":
                    arguments = await self._edited(question, arguments)
                    key = await self._show(arguments)
                    continue
                case "n" | "no":
                    self._write("Reason for the model (may be empty): ")
                    return Answer("no", arguments, reason=(await self._line() or "").strip() or None)
                case "q":
                    return Answer("stop", arguments)
            key = None

    async def _show(self, arguments: Mapping[str, Any]) -> str | None:
        """Show the arguments page by page; a no or a stop may come before the end, a yes may not."""
        columns, lines = self._size()
        rows = lay_out(arguments, columns)
        size = max(lines - MARGIN, 3)
        for start in range(0, len(rows), size):
            self._write("\n".join(rows[start : start + size]) + "\n")
            shown = start + size
            if shown >= len(rows):
                return None
            key = await self._more(shown, len(rows))
            if key in ("n", "no", "q"):
                return key
            if key == "g":
                self._write(f"{INDENT}... {len(rows) - shown} rows further\n")
                self._write("\n".join(rows[max(shown, len(rows) - size) :]) + "\n")
                return None
        return None

    async def _more(self, shown: int, total: int) -> str:
        while True:
            key = await self._key(f"{shown} of {total} rows  {MORE_KEYS}")
            if key in ("", "g", "n", "no", "q"):
                return key

    async def _key(self, keys: str) -> str:
        """What a person answers; `q` at the end of input."""
        # What was typed before the question was not meant for it.
        termios.tcflush(self._terminal, termios.TCIFLUSH)
        self._write(f"{keys}? ")
        line = await self._line()
        return "q" if line is None else line.strip().lower()

    def _size(self) -> tuple[int, int]:
        """Columns and lines of the terminal; one that does not know gets the usual ones."""
        try:
            size = os.get_terminal_size(self._terminal)
        except OSError:
            return USUAL_SIZE
        return size.columns or USUAL_SIZE[0], size.lines or USUAL_SIZE[1]

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
