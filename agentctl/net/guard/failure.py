"""What ends a guarded request, in our own words."""

from __future__ import annotations

import errno
from collections.abc import Iterator

from agentctl.net.failure import NetworkFailure


class Refused(NetworkFailure):
    """The guard does not let the request, or what came back, through; it cannot do better another time."""

    def __init__(self, message: str) -> None:
        super().__init__(message, where="url", retryable=False)


def explain(error: Exception, place: str, *, connect_timeout: float) -> NetworkFailure:
    """The failure behind an exception of the HTTP client on the way to `place`."""
    import ssl

    import httpcore2

    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            words = f"the certificate of {place} is not trusted: {cause.verify_message}"
            return NetworkFailure(words, where="tls", retryable=False)
        if isinstance(cause, ssl.SSLError):
            return NetworkFailure(
                f"no TLS with {place}: {cause.reason or cause}", where="tls", retryable=False
            )
        if isinstance(cause, OSError) and cause.errno == errno.ECONNREFUSED:
            return NetworkFailure(f"connection refused by {place}", where="connect")
    if isinstance(error, httpcore2.ConnectTimeout):
        return NetworkFailure(f"no connection to {place} within {connect_timeout:g} s", where="connect")
    if isinstance(error, httpcore2.ConnectError):
        return NetworkFailure(f"no connection to {place}: {_last_words(error)}", where="connect")
    if isinstance(error, httpcore2.LocalProtocolError):
        # Its words quote the header that it refuses, which may be a key.
        return NetworkFailure(f"cannot send a request to {place}: bad header", where="url", retryable=False)
    if isinstance(error, httpcore2.RemoteProtocolError):
        return NetworkFailure(f"{place} does not keep to HTTP: {_last_words(error)}", where="network")
    return NetworkFailure(f"the connection to {place} broke: {_last_words(error)}", where="network")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        if isinstance(error, BaseExceptionGroup):
            yield from error.exceptions
        error = error.__cause__ or error.__context__


def _last_words(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:200]
