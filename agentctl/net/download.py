"""Streams a large file from a URL."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

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
    expect: Callable[[int | None], object] = lambda size: None,
    connect_timeout: float = CONNECT_TIMEOUT,
    idle_timeout: float = IDLE_TIMEOUT,
) -> None:
    """Hand the body of `url` to `write`, piece by piece; redirects are followed, but to safe places only.

    `expect` hears the size before the first piece, None where the server names none. Times in seconds. Raises
    TemporaryFailure where it cannot be had; what `write` and `expect` raise passes through.
    """
    import httpx2

    timeout = httpx2.Timeout(idle_timeout, connect=connect_timeout)
    shown = hide_secrets(url)
    try:
        # Packed on the way, it would not be the file whose bytes are counted and hashed.
        plain = {"accept-encoding": "identity"}
        with httpx2.stream("GET", url, headers=plain, timeout=timeout, follow_redirects=True) as response:
            if response.status_code != 200:
                raise TemporaryFailure(f"{shown} answered {response.status_code}")
            if not is_safe(str(response.url)):
                raise TemporaryFailure(f"{shown} leads to {hide_secrets(str(response.url))}, without TLS")
            size = response.headers.get("content-length", "")
            expect(int(size) if size.isdecimal() else None)
            for piece in response.iter_raw(_CHUNK):
                write(piece)
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
        raise translate(error, shown, connect_timeout=connect_timeout, idle_timeout=idle_timeout) from error


def is_safe(url: str) -> bool:
    """Whether nobody on the way can change what comes from `url`: https, or http on this machine."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if parts.scheme == "https":
        return bool(parts.hostname)
    return parts.scheme == "http" and _is_loopback(parts.hostname or "")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
