"""Looks up the addresses of a host, once, and never holds up a process that wants to end."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from agentctl.net.failure import NetworkFailure

# Gives the addresses of a host as texts, best first. Raises NetworkFailure where there are none.
Resolve = Callable[[str], Awaitable[list[str]]]


async def resolve(host: str) -> list[str]:
    """The addresses of `host` by the system's resolver, in its order."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Any] = loop.create_future()
    # A thread of the loop's own pool would be waited for at the end, and a look-up can take half a minute.
    threading.Thread(target=_look_up, args=(host, loop, answer), daemon=True).start()
    try:
        found = await answer
    except socket.gaierror as error:
        again = error.errno == socket.EAI_AGAIN
        words = f"no address found for {host}: {error.strerror}"
        raise NetworkFailure(words, where="dns", retryable=again) from None
    except (OSError, UnicodeError) as error:
        raise NetworkFailure(f"no address found for {host}: {error}", where="dns") from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def _look_up(host: str, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[Any]) -> None:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except Exception as error:
        _hand_over(loop, answer, None, error)
    else:
        _hand_over(loop, answer, found, None)


def _hand_over(
    loop: asyncio.AbstractEventLoop, answer: asyncio.Future[Any], found: Any, error: Exception | None
) -> None:
    def settle() -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(found)
        else:
            answer.set_exception(error)

    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:  # the loop is closed: nobody waits any more
        return
