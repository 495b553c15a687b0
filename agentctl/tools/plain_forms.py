"""The forms in which paths and URLs are compared, so that another way to write one gets past no rule."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote

from agentctl.net.address import USUAL_PORTS
from agentctl.net.guard.failure import Refused
from agentctl.net.guard.hosts import spell_host
from agentctl.net.guard.target import read_target

_URL = re.compile(
    r"\s*(?P<scheme>[a-zA-Z*][a-zA-Z0-9+.*-]*)://(?P<place>[^/?#]*)(?P<path>[^?#]*)(?P<rest>.*)", re.DOTALL
)
_ODD = re.compile(r"[\x00-\x1f\x7f\\]")
_PORT = re.compile(r":([0-9*]*)\Z")
# As often as anybody has a reason to escape an escape.
_DECODINGS = 4


def is_url(text: str) -> bool:
    """Whether a text or pattern is meant as a URL."""
    return _URL.match(text) is not None


def plain_forms(text: str) -> tuple[str, ...]:
    """What `text` means as a path or URL: without detours, escapes undone once and as often as there are.

    Hosts are spelt as requests spell them, usual ports, users and fragments left out. None at all for a URL
    that programs understand in different ways.
    """
    found = _URL.match(text)
    if found is None:
        return tuple({_plain_path(form): None for form in (text, *_decoded(text))})
    origin = _read_origin(text, found)
    steps = _decoded(found["path"])
    if origin is None or _ODD.search(found["path"]) or len(steps) > _DECODINGS:
        return ()
    query = unquote(found["rest"].partition("#")[0])
    once = steps[0] if steps else found["path"]
    forms = [origin + _plain_url_path(path) + query for path in {once: None, (steps or [once])[-1]: None}]
    return () if any("\\" in form for form in forms) else tuple(forms)


def written_forms(text: str) -> tuple[str, ...]:
    """`text` as it was written; for a URL also with its host as requests spell it."""
    found = _URL.match(text)
    origin = None if found is None else _read_origin(text, found)
    return (text,) if found is None or origin is None else (text, origin + found["path"] + found["rest"])


def plain_pattern(pattern: str) -> str:
    """A pattern in the form that its texts are compared in.

    Raises ValueError, with why, for one that could never match, or match other hosts than it seems to.
    """
    found = _URL.match(pattern)
    path = pattern if found is None else found["path"]
    if ".." in path.split("/"):
        raise ValueError("`..` never matches: paths and URLs are compared without it")
    if found is None:
        return _plain_path(pattern)
    if found["place"] == "**" and not path:
        return f"{found['scheme'].lower()}://*/**"
    place = _plain_place(found["place"], found["scheme"].lower())
    return f"{found['scheme'].lower()}://{place}{_plain_url_path(unquote(path))}{unquote(found['rest'])}"


def find_host(pattern: str) -> str | None:
    """The host in a pattern that is a URL, with its stars and without its port; else None."""
    found = _URL.match(pattern)
    return None if found is None else _PORT.sub("", found["place"])


def _plain_place(place: str, scheme: str) -> str:
    if not place and scheme not in USUAL_PORTS:
        return ""  # file:///path
    if "**" in place:
        raise ValueError("`**` in a host would match paths of other hosts: write *")
    port = _PORT.search(place)
    host = _PORT.sub("", place)
    host = host.lower().removesuffix(".") if "*" in host else spell_host(host)
    host = f"[{host}]" if ":" in host else host
    if port is None or port[1] in ("", str(USUAL_PORTS.get(scheme))):
        return host
    return f"{host}:{port[1]}"


def _read_origin(text: str, found: re.Match[str]) -> str | None:
    """Scheme, host and port as requests have them; None where programs would not agree on them."""
    scheme = found["scheme"].lower()
    try:
        if scheme in USUAL_PORTS:
            return read_target(text).origin
        place = found["place"].rpartition("@")[2]
        return None if _ODD.search(place) else f"{scheme}://{_plain_place(place, scheme)}"
    except (Refused, ValueError):
        return None


def _decoded(text: str) -> list[str]:
    """The text with its escapes undone, and those that come out of that, until none is left."""
    steps: list[str] = []
    while len(steps) <= _DECODINGS and (plain := unquote(text)) != text:
        steps.append(text := plain)
    return steps


def _plain_path(path: str) -> str:
    if "/" not in path:
        return path
    plain = posixpath.normpath(path)
    # POSIX leaves two slashes at the beginning alone; to a system they are one.
    return "/" + plain.lstrip("/") if plain.startswith("/") else plain


def _plain_url_path(path: str) -> str:
    if not path:
        return "/"
    plain = "/" + posixpath.normpath(path).lstrip("/")
    is_folder = path.endswith(("/", "/.", "/.."))
    return plain + "/" if is_folder and not plain.endswith("/") else plain
