"""Server-sent events from bytes, in linear time and whatever the reads were.

The rules are those of the WHATWG standard (https://html.spec.whatwg.org/multipage/server-sent-events.html),
made lenient where servers are known to break them: an event that the end of the stream cuts off is still
given (marked), a line that starts like JSON or HTML begins an unframed document that lasts until the end, and
right after a data line it continues that.
"""

from __future__ import annotations

from typing import NamedTuple

MAX_EVENT = 16 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_UNFRAMED = (b"{", b"[", b"<")
_CONTINUES = (b"{", b"[", b"}", b"]", b'"', b" ", b"\t")


class Event(NamedTuple):
    """One event: its `event:` name ("" when none was sent) and its data lines, joined by line feeds.

    `whole` is False for what was still open when the stream ended: a cut event, or an unframed document.
    """

    name: str
    data: str
    whole: bool = True


class EventSizeError(Exception):
    """An event passed the limit on its size."""


class EventFramer:
    """Turns chunks of bytes into events; only LF, CR and CRLF end a line.

    Lines are cut out as bytes and decoded whole, so a character that is split over two reads stays whole.
    `ignored` is the first line that was no field at all; it tells what came where no event did.
    """

    def __init__(self, max_event: int = MAX_EVENT) -> None:
        self.max_event = max_event
        self.ignored = ""
        self._open_line = bytearray()
        self._after_cr = False
        self._at_start = True
        self._unframed = False
        self._name = ""
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that `chunk` completes. Raises EventSizeError."""
        if chunk[-2:] == b"\n\n" and chunk[:6] in (b"data: ", b"event:") and self._is_between_events():
            # Nearly every read of nearly every server: one event, its name (if any) and one line of data.
            name, data = _cut_common(chunk)
            if not (b"\n" in data or b"\r" in data or data.isspace()) and 0 < len(data) <= self.max_event:
                self._at_start = False
                return [Event(name, _decode(data))]
        if self._after_cr and chunk:
            self._after_cr = False
            if chunk[0] == 0x0A:
                chunk = chunk[1:]
        if self._unframed or not (b"\n" in chunk or b"\r" in chunk):
            self._open_line += chunk
            self._check_size(len(self._open_line))
            return []
        if self._open_line:
            self._open_line += chunk
            chunk = bytes(self._open_line)
            self._open_line.clear()
        self._after_cr = chunk.endswith(b"\r")
        return self._cut(chunk)

    def close(self) -> list[Event]:
        """What the end of the stream leaves open: at most one event, with `whole` False."""
        if self._open_line and not self._unframed:
            self._take_line(bytes(self._open_line))
        if self._unframed:
            return [Event(self._name, _decode(bytes(self._open_line)).lstrip("\ufeff"), False)]
        event = self._dispatch()
        return [event._replace(whole=False)] if event else []

    def _is_between_events(self) -> bool:
        return not (self._open_line or self._data or self._name or self._unframed)

    def _cut(self, chunk: bytes) -> list[Event]:
        """Split `chunk`, which holds a line end, into lines; what follows the last one stays open."""
        events: list[Event] = []
        lines = chunk.splitlines(keepends=True)
        if not chunk.endswith((b"\n", b"\r")):
            self._open_line += lines.pop()
        for number, line in enumerate(lines):
            content = line.rstrip(b"\r\n")
            if content:
                self._take_line(content)
            else:
                event = self._dispatch()
                if event:
                    events.append(event)
            if self._unframed:
                self._open_line[:0] = b"".join(lines[number:])
                break
        self._check_size(len(self._open_line) + self._size)
        return events

    def _take_line(self, line: bytes) -> None:
        """Read one line that is not empty."""
        if self._at_start:
            self._at_start = False
            line = line.removeprefix(_BOM)
        field, _, value = line.partition(b":")
        if field == b"data":
            self._add_data(value[1:] if value[:1] == b" " else value)
        elif field == b"event":
            self._name = _decode(value.strip())
        elif not field or field in (b"id", b"retry"):
            return
        elif self._data and line[:1] in _CONTINUES:
            self._add_data(line)
        elif line.lstrip()[:1] in _UNFRAMED:
            self._unframed = True
        elif not self.ignored:
            self.ignored = _decode(line[:400])

    def _add_data(self, value: bytes) -> None:
        self._size += len(value) + 1
        self._check_size(self._size)
        self._data.append(value)

    def _dispatch(self) -> Event | None:
        """The event that an empty line ends, or None where it has no data."""
        name, lines = self._name, self._data
        self._name, self._data, self._size = "", [], 0
        if not lines:
            return None
        data = lines[0] if len(lines) == 1 else b"\n".join(lines)
        return Event(name, _decode(data)) if data and not data.isspace() else None

    def _check_size(self, size: int) -> None:
        if size > self.max_event:
            raise EventSizeError(f"an event of more than {self.max_event // (1024 * 1024)} MiB")


def _cut_common(chunk: bytes) -> tuple[str, bytes]:
    """Name and data of `chunk` where it is one usual event; no data where it is anything else."""
    if chunk[:6] == b"data: ":
        return "", chunk[6:-2]
    line, _, rest = chunk.partition(b"\n")
    if rest[:6] != b"data: " or b"\r" in line:
        return "", b""
    return _decode(line[6:].strip()), rest[6:-2]


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")
