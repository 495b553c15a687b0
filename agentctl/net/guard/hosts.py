"""Host names in one spelling each, and the patterns of `allow_hosts` and `deny_hosts`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import AddressValueError, IPv4Address, IPv6Address

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
ANY = "*"


def spell_host(host: str) -> str:
    """`host` in the one spelling that is looked up, compared and sent, without the dot at its end.

    Numbers in any form that system libraries take for an IPv4 address become four decimal ones; other scripts
    become ASCII (UTS 46). Raises ValueError, with why, for what is no host.
    """
    if ":" in host or host.startswith("["):
        return _spell_v6(host[1:-1] if host[:1] + host[-1:] == "[]" else host)
    if not host.isascii():
        host = _to_ascii(host)
    host = host.lower().removesuffix(".")
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise ValueError("this is no host name")
    return _spell_v4(labels) if _NUMBER.fullmatch(labels[-1]) else host


def read_pattern(pattern: str) -> str:
    """A pattern in the spelling that `matches` compares: `host`, `*.suffix` or `*`.

    Raises ValueError, with why, for anything else.
    """
    text = pattern.strip()
    if text == ANY:
        return text
    if text.startswith("*."):
        return "*." + spell_host(text[2:])
    return spell_host(text)


def matches(host: str, patterns: Iterable[str]) -> bool:
    """Whether one of `patterns` (as read) means `host` (as spelt); `*.a.b` means every name below `a.b`."""
    return any(
        pattern in (ANY, host) or (pattern[:2] == "*." and host.endswith(pattern[1:])) for pattern in patterns
    )


def _spell_v6(host: str) -> str:
    if "%" in host:
        raise ValueError("a zone in an address is refused")
    try:
        return str(IPv6Address(host))
    except AddressValueError:
        raise ValueError("this is no IPv6 address") from None


def _to_ascii(host: str) -> str:
    import idna

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        raise ValueError("this is no host name") from None


def _spell_v4(labels: list[str]) -> str:
    """What inet_aton makes of it: up to four numbers, the last of which fills the rest."""
    try:
        numbers = [_read_number(label) for label in labels]
    except ValueError:
        numbers = []
    if not 1 <= len(numbers) <= 4:
        raise ValueError("this is neither a host name nor an IPv4 address")
    *first, last = numbers
    room = 256 ** (4 - len(first))
    if any(number > 255 for number in first) or last >= room:
        raise ValueError("this is no IPv4 address: a number in it is too large")
    total = last
    for place, number in enumerate(first):
        total += number << 8 * (3 - place)
    return str(IPv4Address(total))


def _read_number(label: str) -> int:
    if len(label) > 20:
        raise ValueError("too long")
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    return int(label, 8 if label.startswith("0") else 10)
