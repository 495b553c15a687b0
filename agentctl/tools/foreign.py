"""Runs tools of installed packages in threads: they neither hold up a run nor print into its answer."""

from __future__ import annotations

import asyncio
import copy
import io
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar, copy_context
from dataclasses import fields, replace
from functools import partial
from typing import Any, TextIO

from agentctl.domain.tool import ToolContext
from agentctl.tools.base import ToolType
from agentctl.tools.shield import stdout_shield

PRINTED = 2_000
_PRINTED: ContextVar[list[str] | None] = ContextVar("printed", default=None)


class Foreign:
    """One call of such a tool, in a thread and an event loop of its own.

    What it prints goes into `metadata`. A folder that it changes to is left again.
    """

    def __init__(self, tool: ToolType, metadata: dict[str, Any]) -> None:
        self._tool = tool
        self._metadata = metadata
        self._printed: list[str] = []
        self._loop = asyncio.get_running_loop()
        self._inner: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None

    async def run(self, arguments: Any, context: ToolContext) -> Any:
        """What the tool gives or raises; where this is cancelled, the thread is asked to end and left."""
        _watch_streams()
        done: asyncio.Future[tuple[Any, BaseException | None]] = self._loop.create_future()
        surroundings = copy_context()
        surroundings.run(_PRINTED.set, self._printed)
        folder = _find_folder()
        with stdout_shield().hold():
            work = partial(surroundings.run, self._work, arguments, context, done)
            threading.Thread(target=work, daemon=True).start()
            try:
                data, error = await done
            except asyncio.CancelledError:
                self._stop()
                raise
            finally:
                if folder is not None:
                    with suppress(OSError):
                        os.chdir(folder)
                if printed := "".join(self._printed):
                    self._metadata["printed"] = printed[:PRINTED]
        if error is not None:
            raise error
        return data

    def _work(self, arguments: Any, context: ToolContext, done: asyncio.Future[Any]) -> None:
        process = os.getpid()
        outcome: tuple[Any, BaseException | None]
        try:
            outcome = asyncio.run(self._call(arguments, context)), None
        except BaseException as error:
            outcome = None, error
        if os.getpid() != process:
            os._exit(0)  # a copy of this process that the tool made and let come back
        with suppress(RuntimeError):  # nobody waits any more, not even for the end of the run
            self._loop.call_soon_threadsafe(_settle, done, outcome)

    async def _call(self, arguments: Any, context: ToolContext) -> Any:
        self._inner, self._task = asyncio.get_running_loop(), asyncio.current_task()
        # A copy, because calls may run side by side.
        tool = _copy(self._tool, self._loop)
        return await tool.run(arguments, context)

    def _stop(self) -> None:
        if self._inner and self._task:
            with suppress(RuntimeError):
                self._inner.call_soon_threadsafe(self._task.cancel)


def _find_folder() -> str | None:
    """The folder of this process; None where it was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return None


def _settle(done: asyncio.Future[Any], outcome: Any) -> None:
    if not done.done():
        done.set_result(outcome)


def _copy(tool: ToolType, loop: asyncio.AbstractEventLoop) -> ToolType:
    """The tool, with services that may be asked from another thread than the one they belong to."""
    services = tool.services
    asked: dict[str, Any] = {
        each.name: _from_afar(getattr(services, each.name), loop)
        for each in fields(services)
        if callable(getattr(services, each.name))
    }
    copied = copy.copy(tool)
    copied.services = replace(services, **asked)
    return copied


def _from_afar(service: Callable[..., Any], loop: asyncio.AbstractEventLoop) -> Callable[..., Any]:
    """`service` as it is called in its own thread, which a database for example insists on."""

    async def call(*arguments: Any, **named: Any) -> Any:
        return service(*arguments, **named)

    def ask(*arguments: Any, **named: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(call(*arguments, **named), loop).result()

    async def ask_async(*arguments: Any, **named: Any) -> Any:
        async def wait() -> Any:
            return await service(*arguments, **named)

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(wait(), loop))

    return ask_async if asyncio.iscoroutinefunction(service) else ask


class _Watched(io.TextIOBase):
    """stdout or stderr: what the threads of tools print is kept apart, everything else passes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Print, or keep a bounded part."""
        printed = _PRINTED.get()
        if printed is None:
            return self._stream.write(text)
        if sum(map(len, printed)) < PRINTED:
            printed.append(text[:PRINTED])
        return len(text)

    def flush(self) -> None:
        """Pass on what passes."""
        if _PRINTED.get() is None:
            self._stream.flush()

    def close(self) -> None:
        """A tool cannot close it."""

    def fileno(self) -> int:
        """The descriptor of what it stands for."""
        return self._stream.fileno()

    def isatty(self) -> bool:
        """Whether people read it."""
        return _PRINTED.get() is None and self._stream.isatty()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of what it stands for."""
        return self._stream.encoding

    @property
    def buffer(self) -> Any:
        """Bytes of a tool go nowhere."""
        return io.BytesIO() if _PRINTED.get() is not None else self._stream.buffer


def _watch_streams() -> None:
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, _Watched):
            setattr(sys, name, _Watched(stream))
