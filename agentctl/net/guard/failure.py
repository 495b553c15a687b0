"""What ends a guarded request, in our own words."""

from __future__ import annotations

import errno

from agentctl.net.failure import NetworkFailure, explain_tls, find_causes, last_words


class Refused(NetworkFailure):
    """The guard does not let the request, or what came back, through; it cannot do better another time."""

    def __init__(self, message: str) -> None:
        super().__init__(message, where="url", retryable=False)


def explain(error: Exception, place: str, *, connect_timeout: float) -> NetworkFailure:
    """The failure behind an exception of the HTTP client on the way to `place`."""
    import ssl

    import httpcore2

    for cause in find_causes(error):
        if isinstance(cause, ssl.SSLError):
            return explain_tls(cause, place)
        if isinstance(cause, OSError) and cause.errno == errno.ECONNREFUSED:
            return NetworkFailure(f"connection refused by {place}", where="connect")
    if isinstance(error, httpcore2.ConnectTimeout):
        return NetworkFailure(f"no connection to {place} within {connect_timeout:g} s", where="connect")
    if isinstance(error, httpcore2.ConnectError):
        return NetworkFailure(f"no connection to {place}: {last_words(error)}", where="connect")
    if isinstance(error, httpcore2.LocalProtocolError):
        # Its words quote the header that it refuses, which may be a key.
        return NetworkFailure(f"cannot send a request to {place}: bad header", where="url", retryable=False)
    if isinstance(error, httpcore2.RemoteProtocolError):
        return NetworkFailure(f"{place} does not keep to HTTP: {last_words(error)}", where="network")
    return NetworkFailure(f"the connection to {place} broke: {last_words(error)}", where="network")
