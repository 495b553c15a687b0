"""Streams a large file from a URL."""

from __future__ import annotations

from collections.abc import Callable

from agentctl.errors import TemporaryFailure
from agentctl.net.address import hide_secrets
from agentctl.net.failure import translate

CONNECT_TIMEOUT = 5.0
IDLE_TIMEOUT = 60.0
_CHUNK = 1 << 18


def download(
    url: str,
    write: Callable[[bytes], object],
    *,
    connect_timeout: float = CONNECT_TIMEOUT,
    idle_timeout: float = IDLE_TIMEOUT,
) -> None:
    """Hand the body of `url` to `write`, piece by piece; redirects are followed.

    Times in seconds. Raises TemporaryFailure where it cannot be had; what `write` raises passes through.
    """
    import httpx2

    timeout = httpx2.Timeout(idle_timeout, connect=connect_timeout)
    shown = hide_secrets(url)
    try:
        with httpx2.stream("GET", url, timeout=timeout, follow_redirects=True) as response:
            if response.status_code != 200:
                raise TemporaryFailure(f"{shown} answered {response.status_code}")
            for piece in response.iter_raw(_CHUNK):
                write(piece)
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
        raise translate(error, shown, connect_timeout=connect_timeout, idle_timeout=idle_timeout) from error
