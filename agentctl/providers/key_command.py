"""Runs a command that prints a key: limited in time and output, and ended with all it started."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType

MAX_OUTPUT = 64 * 1024
_POLL = 0.05
_ENDING = ("SIGHUP", "SIGINT", "SIGTERM")


class CommandFailure(Exception):
    """Why the command gave nothing, in words that follow its name."""


class CommandTimeout(CommandFailure):
    """The command took too long."""


def run_command(command: Sequence[str], seconds: float) -> str:
    """What `command` prints. Raises CommandFailure.

    There is no shell; stdin is empty, because it is the user's data; stderr and the terminal stay open for a
    password manager that asks. Whatever ends the wait, a signal too, ends the command.
    """
    deadline = time.monotonic() + seconds
    # A group of its own can be ended as a whole, but could not ask on the terminal.
    grouped = not _may_ask()
    signals = _HeldSignals()
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            process_group=0 if grouped else None,
        )
    except (OSError, ValueError) as error:
        signals.release()
        raise CommandFailure(f"cannot be run: {getattr(error, 'strerror', None) or error}") from None
    try:
        signals.release()
        output = _read(process, deadline)
        process.wait(max(deadline - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        raise CommandTimeout(f"took more than {seconds:g} s") from None
    finally:
        _end(process, grouped=grouped)
    if process.returncode:
        raise CommandFailure(f"ended with {process.returncode}")
    return output.decode("utf-8", "replace")


class _HeldSignals:
    """Holds back what would end this process while a command starts: it could not be ended yet."""

    def __init__(self) -> None:
        self._came: list[tuple[int, FrameType | None]] = []
        self._handlers: dict[int, Callable[[int, FrameType | None], object]] = {}
        if threading.current_thread() is not threading.main_thread():
            return  # handlers run in the main thread only
        for name in _ENDING:
            number = getattr(signal, name, None)
            handler = None if number is None else signal.getsignal(number)
            if number is not None and callable(handler):
                self._handlers[number] = handler
                signal.signal(number, lambda *came: self._came.append(came))

    def release(self) -> None:
        """From here on signals end the process again; one that came meanwhile does so now."""
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        for number, frame in self._came:
            self._handlers[number](number, frame)


def _may_ask() -> bool:
    """Whether this process is in the foreground of a terminal."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


def _read(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    """The output up to its end, or up to the end of the command: a child may keep the pipe open for ever."""
    assert process.stdout is not None
    pipe = process.stdout.fileno()
    output = b""
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise subprocess.TimeoutExpired(process.args, 0)
        ended = process.poll() is not None
        if select.select([pipe], [], [], 0 if ended else min(left, _POLL))[0]:
            piece = os.read(pipe, 4096)
            if not piece:
                return output
            output += piece
        elif ended:
            return output
        if len(output) > MAX_OUTPUT:
            raise CommandFailure("printed more than a key")


def _end(process: subprocess.Popen[bytes], *, grouped: bool) -> None:
    """Leave nothing of a command that is still at it; what one that ended left behind is its own affair."""
    if process.poll() is None:
        if grouped:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
    assert process.stdout is not None
    process.stdout.close()
