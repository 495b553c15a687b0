"""A small real HTTP server on loopback (or a unix socket) that plays what a test wrote down.

with Server(Response(chunks=events({"choices": [...]}))) as server:
    ...  # talk to server.url
assert server.requests[0].json["model"] == "m"
"""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

SSE = {"content-type": "text/event-stream"}


@dataclass(frozen=True)
class Received:
    """A request as it arrived; header names in small letters."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Response:
    """What to answer: each chunk is one write, a number is a pause in seconds.

    `cut` closes the connection without the end of the body; `drop` closes it before a status is sent.
    `length` sends a content-length instead of chunked encoding.
    """

    chunks: Sequence[bytes | str | float] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: dict(SSE))
    cut: bool = False
    drop: bool = False
    length: bool = False


Answer = Response | Callable[[Received], Response]


def events(*documents: Any, done: bool = True) -> list[str]:
    """One chunk per document, framed as events; `[DONE]` at the end."""
    chunks = [f"data: {json.dumps(document, ensure_ascii=False)}\n\n" for document in documents]
    return [*chunks, "data: [DONE]\n\n"] if done else chunks


def said(*texts: str, finish: str | None = "stop", **last: Any) -> list[str]:
    """The events of a Chat Completions answer that says `texts`, one delta each."""
    deltas = [
        {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None}]} for text in texts
    ]
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}], **last}
    return events(*deltas, *([end] if finish else []), done=finish is not None)


def json_body(value: Any, status: int = 200, **headers: str) -> Response:
    """A whole JSON answer; `retry_after="1"` becomes the header `retry-after`."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Response([json.dumps(value)], status, {"content-type": "application/json", **named}, length=True)


class Server:
    """Answers requests in order with `answers`; the last one is repeated."""

    def __init__(self, *answers: Answer, uds: Path | None = None, pause: float = 0.0) -> None:
        self.requests: list[Received] = []
        self.hung_up = threading.Event()
        self._answers = answers or (Response(),)
        self._pause = pause
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX if uds else socket.AF_INET)
        self._listener.bind(str(uds) if uds else ("127.0.0.1", 0))
        self._listener.listen(64)
        self.port = 0 if uds else self._listener.getsockname()[1]
        self.url = "http://localhost" if uds else f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    @property
    def connections(self) -> int:
        """How many were opened so far."""
        return len(self._open)

    def _accept(self) -> None:
        while not self._stopping.is_set():
            try:
                if not select.select([self._listener], [], [], 0.2)[0]:
                    continue
                connection, _ = self._listener.accept()
            except (OSError, ValueError):
                return
            with self._lock:
                self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        if connection.family == socket.AF_INET:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            with connection, connection.makefile("rb") as reader:
                while (request := _read_request(reader)) is not None:
                    with self._lock:
                        answer = self._answers[min(len(self.requests), len(self._answers) - 1)]
                        self.requests.append(request)
                    if not self._play(
                        connection, answer if isinstance(answer, Response) else answer(request)
                    ):
                        return
        except (OSError, ValueError):
            self.hung_up.set()

    def _play(self, connection: socket.socket, response: Response) -> bool:
        """Send a response; False where the connection ends with it."""
        if response.drop:
            return False
        body = b"".join(_encode(chunk) for chunk in response.chunks if not isinstance(chunk, (int, float)))
        framing = f"content-length: {len(body)}" if response.length else "transfer-encoding: chunked"
        lines = [
            f"HTTP/1.1 {response.status} Played",
            *(f"{k}: {v}" for k, v in response.headers.items()),
            framing,
        ]
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        for chunk in response.chunks:
            if isinstance(chunk, (int, float)):
                self._wait(connection, chunk)
                continue
            data = _encode(chunk)
            connection.sendall(data if response.length else b"%x\r\n%s\r\n" % (len(data), data))
            if self._pause:
                time.sleep(self._pause)
        if response.cut:
            return False
        if not response.length:
            connection.sendall(b"0\r\n\r\n")
        return True

    def _wait(self, connection: socket.socket, seconds: float) -> None:
        """Pause; notice a client that goes away meanwhile."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self._stopping.is_set():
            if select.select([connection], [], [], min(left, 0.2))[0] and not connection.recv(
                1, socket.MSG_PEEK
            ):
                raise OSError("the client went away")


def _encode(chunk: bytes | str | float) -> bytes:
    return chunk if isinstance(chunk, bytes) else str(chunk).encode("utf-8", "surrogatepass")


def _read_request(reader: Any) -> Received | None:
    line = reader.readline().decode("latin-1").split()
    if len(line) != 3:
        return None
    headers: dict[str, str] = {}
    while (header := reader.readline().decode("latin-1").strip()) != "":
        name, _, value = header.partition(":")
        headers[name.strip().lower()] = value.strip()
    body = reader.read(int(headers.get("content-length", 0)))
    return Received(line[0], line[1], headers, body)
