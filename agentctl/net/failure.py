"""What can go wrong on the way to a server, in our own words."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from agentctl.errors import TemporaryFailure
from agentctl.net.proxy import find_proxy

if TYPE_CHECKING:
    import ssl

    import httpx2

# What a proxy says of a server that it could not reach just now.
_PASSING = ("502", "503", "504")
_PROXY_HINT = "Check HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, or add the host to NO_PROXY."
_TRUST_HINT = "SSL_CERT_FILE can name the certificates of your own authority."
# Characters of what an error says: some of it may come from the server.
_LONGEST = 200

FailureType = Literal["connect", "dns", "idle", "network", "proxy", "tls", "url"]


class NetworkFailure(TemporaryFailure):
    """The request did not get through, or its answer broke off.

    `type` says where it went wrong; `retryable` is False where the same request cannot do better.
    """

    def __init__(
        self, message: str, *, where: FailureType, retryable: bool = True, hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.type = where
        self.retryable = retryable


def translate(
    error: Exception, url: str, *, connect_timeout: float, idle_timeout: float | None
) -> NetworkFailure:
    """The failure behind an exception of the HTTP client; `url` must hold no secrets."""
    import httpx2

    if isinstance(error, httpx2.ConnectTimeout):
        return _explain_place(url, "no connection to {} within " + f"{connect_timeout:g} s")
    if isinstance(error, httpx2.TimeoutException):
        waited = "" if idle_timeout is None else f" for {idle_timeout:g} s"
        return NetworkFailure(f"{url} was silent{waited}", where="idle")
    if isinstance(error, httpx2.ProxyError):
        again = str(error).startswith(_PASSING)
        return _explain_place(url, "{} did not let the request through: " + str(error), retryable=again)
    if isinstance(error, httpx2.ConnectError):
        return _explain_connect(error, url)
    if isinstance(error, httpx2.LocalProtocolError):
        # Its words quote the header that it refuses, which may be the key.
        return NetworkFailure(f"cannot send a request to {url}: bad header", where="url", retryable=False)
    if isinstance(error, (httpx2.UnsupportedProtocol, httpx2.InvalidURL)):
        return NetworkFailure(f"cannot send a request to {url}: {error}", where="url", retryable=False)
    if isinstance(error, httpx2.DecodingError):
        return NetworkFailure(f"{url} sent damaged data: {error}", where="network", retryable=False)
    return NetworkFailure(f"the connection to {url} broke: {last_words(error)}", where="network")


def _explain_connect(error: httpx2.ConnectError, url: str) -> NetworkFailure:
    import socket
    import ssl

    for cause in find_causes(error):
        if isinstance(cause, socket.gaierror):
            again = cause.errno == socket.EAI_AGAIN
            words = "no address found for {}: " + str(cause.strerror)
            return _explain_place(url, words, where="dns", retryable=again)
        if isinstance(cause, ssl.SSLError):
            return explain_tls(cause, url, hint=_TRUST_HINT)
        if isinstance(cause, FileNotFoundError):
            return NetworkFailure(f"no socket at {url}", where="connect")
        if isinstance(cause, OSError) and cause.errno == errno.ECONNREFUSED:
            return _explain_place(url, "connection refused by {}", hint="Is a server running there?")
    return _explain_place(url, "no connection to {}: " + last_words(error))


def explain_tls(cause: ssl.SSLError, place: str, *, hint: str | None = None) -> NetworkFailure:
    """Why there is no TLS with `place`; `hint` is for a certificate that is not trusted."""
    import ssl

    if isinstance(cause, ssl.SSLCertVerificationError):
        words = f"the certificate of {place} is not trusted: {cause.verify_message}"
        return NetworkFailure(words, where="tls", retryable=False, hint=hint)
    return NetworkFailure(f"no TLS with {place}: {cause.reason or cause}", where="tls", retryable=False)


def _explain_place(
    url: str,
    words: str,
    *,
    where: FailureType = "connect",
    retryable: bool = True,
    hint: str | None = None,
) -> NetworkFailure:
    """A failure before the server was reached: of the proxy on the way where there is one."""
    proxy = find_proxy(url)
    if proxy is None:
        return NetworkFailure(words.replace("{}", url, 1), where=where, retryable=retryable, hint=hint)
    message = words.replace("{}", f"the proxy {proxy}", 1) + f" (on the way to {url})"
    return NetworkFailure(message, where="proxy", retryable=retryable, hint=_PROXY_HINT)


def find_causes(error: BaseException) -> Iterator[BaseException]:
    """`error`, what it was raised from, and the members of groups on the way."""
    todo: list[BaseException | None] = [error]
    seen: set[int] = set()
    while todo:
        current = todo.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        if isinstance(current, BaseExceptionGroup):
            todo += current.exceptions
        todo += (current.__context__, current.__cause__)


def last_words(error: Exception) -> str:
    """What the error says on one short line, else what it came from says; HTTP clients often say nothing."""
    said = (" ".join(str(cause).split()) for cause in find_causes(error))
    return next((words[:_LONGEST] for words in said if words), type(error).__name__)
