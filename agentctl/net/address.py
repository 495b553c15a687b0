"""URLs as people may see them, without secrets, and the origins that keys are bound to."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

USUAL_PORTS = {"http": 80, "https": 443}


def hide_secrets(url: str) -> str:
    """`url` with nothing left of it but scheme, host, port and path."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "an unreadable URL"
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def find_origin(url: str) -> str | None:
    """Scheme, host and port of an http or https URL, the usual port left out; None for anything else."""
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    usual = USUAL_PORTS.get(parts.scheme)
    if usual is None or not host:
        return None
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + ("" if port in (None, usual) else f":{port}")
