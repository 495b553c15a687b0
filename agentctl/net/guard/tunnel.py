"""Connections through a proxy that the tool's config names: a tunnel to the address that was checked."""

from __future__ import annotations

import httpcore2

from agentctl.net.failure import NetworkFailure
from agentctl.net.guard.backend import Connect
from agentctl.net.guard.target import Target, read_target

_LONGEST_HEAD = 16_384


def connect_through(proxy: str) -> Connect:
    """Opens connections with CONNECT at `proxy` (http or https); it gets addresses, so it looks up nothing.

    The proxy may be anywhere: who wrote the config chose it. Raises Refused for what is no such URL.
    """
    place = read_target(proxy)

    async def connect(address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
        try:
            stream = await _reach(place, seconds)
        except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
            raise NetworkFailure(f"no connection to the proxy {place.place}", where="proxy") from None
        shown = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
        try:
            await stream.write(f"CONNECT {shown} HTTP/1.1\r\nHost: {shown}\r\n\r\n".encode(), seconds)
            status = await _read_status(stream, seconds)
        except (httpcore2.NetworkError, httpcore2.TimeoutException):
            status = "closed the connection"
        except BaseException:
            await stream.aclose()
            raise
        if not status.startswith("2"):
            await stream.aclose()
            words = f"the proxy {place.place} did not let the request through: {status or 'no HTTP'}"
            raise NetworkFailure(words, where="proxy")
        return stream

    return connect


async def _reach(place: Target, seconds: float) -> httpcore2.AsyncNetworkStream:
    stream = await httpcore2.AnyIOBackend().connect_tcp(place.host, place.port, timeout=seconds)
    if place.scheme == "http":
        return stream
    return await stream.start_tls(httpcore2.default_ssl_context(), place.host, seconds)


async def _read_status(stream: httpcore2.AsyncNetworkStream, seconds: float) -> str:
    """The status and words of the proxy's answer; "" for what is no HTTP."""
    head = b""
    while b"\r\n\r\n" not in head:
        # One byte past the head would belong to the server behind the proxy; such servers wait for us first.
        piece = await stream.read(_LONGEST_HEAD, seconds)
        head += piece
        if not piece or len(head) > _LONGEST_HEAD:
            return ""
    line = head.partition(b"\r\n")[0].decode("latin-1")
    return line.partition(" ")[2][:100] if line.startswith("HTTP/1.") else ""
