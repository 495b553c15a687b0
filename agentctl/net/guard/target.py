"""Reads a URL so strictly that nobody else on the way can understand another one."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import quote, urljoin

from agentctl.net.address import USUAL_PORTS
from agentctl.net.guard.failure import Refused
from agentctl.net.guard.hosts import spell_host

LONGEST = 8_000
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?![0-9]+(?:/|$))")
_PLACE = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]{0,5}))?")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
# What may stand in a path or query as it is; a percent sign is taken for the start of an escape.
_PLAIN = "%/:=&?~+!$,;'@()*[]"


@dataclass(frozen=True)
class Target:
    """Where a request goes; `host` as it is looked up, without brackets."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def place(self) -> str:
        """Host and port as the header `host` has them, the usual port left out."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        return shown if self.port == USUAL_PORTS[self.scheme] else f"{shown}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.place}"

    @property
    def url(self) -> str:
        """The whole URL, in its one spelling, without a fragment."""
        return self.origin + self.path


def read_target(url: str) -> Target:
    """The target of an http or https URL. Raises Refused, which names what is wrong with it."""
    text = url.strip(" \t\r\n")
    if len(text) > LONGEST:
        raise Refused(f"the URL has {len(text):,} characters; at most {LONGEST:,} are sent")
    if _CONTROLS.search(text):
        raise Refused("the URL holds a control character, or what is no character at all")
    scheme = _SCHEME.match(text)
    if scheme is None:
        raise Refused(f"{_show(text)} is no URL: it has no scheme; write https://...")
    if scheme[1].lower() not in USUAL_PORTS:
        raise Refused(f"only http and https can be requested, not {scheme[1][:30].lower()}:")
    found = _URL.fullmatch(text)
    if found is None:
        raise Refused(f"{_show(text)} is no URL: after {scheme[1]}: two slashes must follow")
    authority, path, query = found[2], found[3], found[4] or ""
    if "\\" in authority + path:
        raise Refused("a backslash in a URL is refused: programs disagree about what it means")
    if "@" in authority:
        raise Refused("a user name or password in a URL is refused")
    host, port = _read_place(authority, scheme[1].lower())
    path = quote(path or "/", safe=_PLAIN) + quote(query, safe=_PLAIN)
    return Target(scheme[1].lower(), host, port, path)


def follow(target: Target, location: str) -> Target:
    """Where the redirect `location` of an answer from `target` leads. Raises Refused."""
    try:
        with suppress(UnicodeError):  # headers are bytes; the ones outside of ASCII are mostly UTF-8
            location = location.encode("latin-1").decode()
        return read_target(urljoin(target.url, location.strip(" \t\r\n")))
    except ValueError:
        raise Refused("a redirect leads to what is no URL") from None


def _read_place(authority: str, scheme: str) -> tuple[str, int]:
    place = _PLACE.fullmatch(authority)
    if place is None or not place[1]:
        raise Refused(f"{_show(authority)} is no host" if authority else "the URL names no host")
    try:
        host = spell_host(place[1])
    except ValueError as error:
        raise Refused(f"{_show(place[1])}: {error}") from None
    port = int(place[2]) if place[2] else USUAL_PORTS[scheme]
    if not 1 <= port <= 65_535:
        raise Refused(f"there is no port {port}")
    return host, port


def _show(text: str) -> str:
    return f'"{text}"' if len(text) <= 100 else f'"{text[:100]}..."'
