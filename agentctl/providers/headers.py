"""The headers that no provider can set."""

from __future__ import annotations

# What frames a request is the HTTP client's to say; a wrong one breaks the request or the connection.
FRAMING_HEADERS = frozenset(
    {
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
