"""URLs as people may see them: without user, password, query and fragment."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit


def hide_secrets(url: str) -> str:
    """`url` with nothing left of it but scheme, host, port and path."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "an unreadable URL"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
