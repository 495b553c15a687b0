"""Shows a run: the answer on stdout, everything else on stderr, or one JSON form of it all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agentctl.domain.event import WAITS, Event
from agentctl.domain.ids import rfc3339
from agentctl.errors import READER_GONE
from agentctl.render.controls import ControlFilter, show_controls, strip_controls
from agentctl.render.error import error_line
from agentctl.render.outlet import Outlet
from agentctl.render.streams import Streams

LINE_LENGTH = 160


class Renderer:
    """Shows the events of one run, in order: `show` takes one, `drain` passes on what it made of it."""

    def __init__(self, outlet: Outlet) -> None:
        self._outlet = outlet

    def show(self, event: Event) -> None:
        """Take one event."""
        raise NotImplementedError

    async def drain(self) -> None:
        """Pass on what waits; raises OutputClosed."""
        await self._outlet.drain()


def make_renderer(streams: Streams, name: str, *, final: bool, color: bool) -> Renderer:
    """The renderer for `-o text`, `json` or `stream-json`."""
    outlet = Outlet(streams)
    if name == "json":
        return JsonRenderer(outlet)
    if name == "stream-json":
        return StreamJsonRenderer(outlet)
    return TextRenderer(outlet, final=final, color=color)


class JsonRenderer(Renderer):
    """One object, the result, and nothing before it."""

    def show(self, event: Event) -> None:
        """Write the result; errors also go to stderr, for people."""
        if event.type != "result":
            return
        self._outlet.write(json.dumps(dict(event.data), ensure_ascii=False) + "\n")
        _complain(self._outlet, event.data)


class StreamJsonRenderer(Renderer):
    """One event a line."""

    def show(self, event: Event) -> None:
        """Write the event with its number and time."""
        line = {"type": event.type, "seq": event.seq, "ts": rfc3339(event.ts), **event.data}
        self._outlet.write(json.dumps(line, ensure_ascii=False) + "\n")
        if event.type == "result":
            _complain(self._outlet, event.data)


class TextRenderer(Renderer):
    """The texts of a run, one blank line apart, as they arrive."""

    def __init__(self, outlet: Outlet, *, final: bool, color: bool) -> None:
        super().__init__(outlet)
        streams = outlet.streams
        self._final = final
        self._color = color and streams.stderr_is_terminal
        self._filter = ControlFilter() if streams.stdout_is_terminal else None
        self._newlines = 0
        self._wrote = False
        self._in_message = False
        self._thinking = False

    def show(self, event: Event) -> None:
        """Show one event."""
        match event.type:
            case "message.delta":
                self._say(event.data["text"])
            case "reasoning.delta":
                self._think(event.data["text"])
            case "message":
                self._end_message(event.data["text"])
            case "tool.call":
                self._note(f"· {_short(event.data['tool'])} {_arguments(event.data)}")
            case "tool.decision" if event.data["decision"] == "deny":
                self._note("  denied")
            case "tool.result":
                self._note(f"  {_outcome(event.data)}")
            # A limit that ended the run is the error at its end, with what to do about it.
            case "warning" if event.data["kind"] != "limit":
                self._note(f"{_label(event.data['kind'])}: {strip_controls(event.data['message'])}")
            case "result":
                self._end(event.data)

    def _say(self, text: str) -> None:
        """Write a piece of the answer; newlines at the end wait until something follows them."""
        self._stop_thinking()
        if self._final:
            return
        if self._filter:
            text = self._filter.feed(text)
        body = text.rstrip("\n")
        trailing = len(text) - len(body)
        if not body:
            self._newlines += trailing if self._in_message else 0
            return
        if not self._in_message:
            self._newlines = 2 if self._wrote else 0
            body = body.lstrip("\n")
        self._outlet.write("\n" * self._newlines + body)
        self._newlines, self._wrote, self._in_message = trailing, True, True

    def _end_message(self, text: str) -> None:
        if not self._in_message and text:
            self._say(text)
        if self._filter:
            rest = self._filter.end()
            if rest and not self._final:
                self._outlet.write(rest)
        self._in_message = False

    def _end(self, result: Mapping[str, Any]) -> None:
        self._stop_thinking()
        if self._final and result["result"]:
            text = result["result"].strip("\n")
            self._outlet.write(strip_controls(text) if self._filter else text)
            self._wrote = True
        if self._wrote:
            self._outlet.write("\n")
        _complain(self._outlet, result)

    def _think(self, text: str) -> None:
        if self._outlet.streams.quiet:
            return
        start = "\x1b[2m" if self._color and not self._thinking else ""
        self._thinking = True
        self._outlet.draw(start + strip_controls(text))

    def _stop_thinking(self) -> None:
        if self._thinking:
            self._outlet.draw("\x1b[0m\n" if self._color else "\n")
            self._thinking = False

    def _note(self, line: str) -> None:
        self._stop_thinking()
        if self._filter and self._in_message:
            # On a shared screen the note must not be glued to the last word.
            self._outlet.write("\n")
            self._newlines = max(0, self._newlines - 1)
        self._outlet.note(f"\x1b[2m{line}\x1b[0m" if self._color else line)


def _label(kind: str) -> str:
    return "note" if kind in WAITS else "warning"


def _arguments(data: Mapping[str, Any]) -> str:
    if "raw" in data:
        return _short(str(data["raw"]))
    return _short(json.dumps(data["arguments"], ensure_ascii=False))


def _outcome(data: Mapping[str, Any]) -> str:
    if not data["success"]:
        return f"failed: {_short(str(data['error']))}"
    value = data["data"]
    return _short(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _short(text: str) -> str:
    """One line for the eye; the whole is in the database."""
    line = show_controls(" ".join(text.split()))
    return line if len(line) <= LINE_LENGTH else line[: LINE_LENGTH - 1] + "…"


def _complain(outlet: Outlet, result: Mapping[str, Any]) -> None:
    error = result["error"]
    if error and error["message"] != READER_GONE:
        outlet.complain(error_line(error["message"], error["hint"]))
