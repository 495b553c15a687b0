"""Makes the connections below the HTTP client: to addresses that were checked, and no others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from ipaddress import ip_address
from typing import Any

import httpcore2

from agentctl.net.failure import NetworkFailure
from agentctl.net.guard.lookup import Resolve
from agentctl.net.guard.policy import AddressPolicy

# Opens a connection to an address (never a name) and a port, within so many seconds.
Connect = Callable[[str, int, float], Awaitable[httpcore2.AsyncNetworkStream]]

CONNECT_TIMEOUT = 10.0
_MOST_TRIES = 4


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """Makes the connections of a client: the one look-up, the check of every answer, the connection to one.

    The host name goes no further than this: what is connected to is an address that was checked a moment
    ago, so that another answer to another look-up cannot come between.
    """

    def __init__(self, policy: AddressPolicy, resolve: Resolve, connect: Connect) -> None:
        self._policy = policy
        self._resolve = resolve
        self._connect = connect

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the interface of the HTTP client
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """A connection to one of the addresses of `host`. Raises NetworkFailure, Refused among them."""
        self._policy.check_host(host)
        addresses = [host] if _is_address(host) else await self._find(host)
        self._policy.check_addresses(host, port, addresses)
        failure: Exception | None = None
        for address in addresses[:_MOST_TRIES]:
            try:
                return await self._connect(address, port, timeout or CONNECT_TIMEOUT)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = failure or error
        raise failure or httpcore2.ConnectError("no address")

    async def _find(self, host: str) -> list[str]:
        # A zone is no part of an address; what has one is link-local and refused without it.
        addresses = [address.partition("%")[0] for address in await self._resolve(host)]
        if not addresses or not all(map(_is_address, addresses)):
            raise NetworkFailure(f"no address found for {host}", where="dns")
        return addresses


async def connect_directly(address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
    """A plain TCP connection."""
    return await httpcore2.AnyIOBackend().connect_tcp(address, port, timeout=seconds)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
