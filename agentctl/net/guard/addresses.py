"""Which IP addresses are not the public internet, and what they are instead.

Sources: the special-purpose registries of IANA for IPv4 and IPv6 (RFC 6890 and its successors); RFC 6052
(NAT64), RFC 3056 (6to4), RFC 4380 (Teredo), RFC 5214 (ISATAP), RFC 9602 (segment routing).
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Literal

# What may lift a refusal: `private`, the tool's `allow_private` or a name in `allow_hosts`; `listed`, only
# the very address in `allow_hosts`; `never`, nothing, for no server can be there.
Lift = Literal["private", "listed", "never"]
Address = IPv4Address | IPv6Address


@dataclass(frozen=True)
class Verdict:
    """Why an address is refused: `words` complete "127.0.0.1 is ..."."""

    words: str
    lift: Lift


def judge(address: Address) -> Verdict | None:
    """Why `address` is not public; None for one on the public internet."""
    if isinstance(address, IPv4Address):
        return _search(address, _V4)
    return _judge_embedded(address) or _search(address, _V6) or _judge_region(address)


def _judge_embedded(address: IPv6Address) -> Verdict | None:
    """An IPv4 address inside an IPv6 one is no better than itself, and never public."""
    if address in _COMPATIBLE:
        return _judge_low(address)
    if address in _TEREDO:
        return Verdict(f"a Teredo address that holds {IPv4Address(~int(address) & 0xFFFFFFFF)}", "listed")
    for network, shift, words in _EMBEDDING:
        if address in network:
            inner = IPv4Address(int(address) >> shift & 0xFFFFFFFF)
            found = judge(inner)
            if found:
                return Verdict(f"{words} that holds {inner}, {found.words}", found.lift)
            return Verdict(f"{words} that holds {inner}", "private")
    if int(address) >> 32 & 0xFDFFFFFF == 0x00005EFE:
        inner = IPv4Address(int(address) & 0xFFFFFFFF)
        found = judge(inner)
        return Verdict(f"an ISATAP address that holds {inner}, {found.words}", found.lift) if found else None
    return None


def _judge_low(address: IPv6Address) -> Verdict:
    if int(address) <= 1:
        return _LOOPBACK if int(address) else _UNSPECIFIED
    inner = IPv4Address(int(address))
    return Verdict(f"an IPv4-compatible address that holds {inner}", "listed")


def _judge_region(address: IPv6Address) -> Verdict | None:
    # Only an eighth of the space has been given out for the public; what is not given out is refused.
    return None if address in _PUBLIC_V6 else Verdict("a reserved address", "never")


def _search(address: Address, table: tuple[tuple[IPv4Network | IPv6Network, Verdict], ...]) -> Verdict | None:
    return next((verdict for network, verdict in table if address in network), None)


_COMPATIBLE = IPv6Network("::/96")
_TEREDO = IPv6Network("2001::/32")
_PUBLIC_V6 = IPv6Network("2000::/3")
_LOOPBACK = Verdict("a loopback address", "private")
_PRIVATE = Verdict("a private address", "private")
_CARRIER = Verdict("a carrier-grade NAT address", "private")
_BENCHMARK = Verdict("an address for benchmarks", "private")
_METADATA = Verdict("the metadata service of a cloud", "listed")
_LINK_LOCAL = Verdict("a link-local address", "listed")
_RELAY = Verdict("a relay between IPv4 and IPv6", "listed")
_PROTOCOL = Verdict("reserved for protocols", "listed")
_UNSPECIFIED = Verdict("an unspecified address", "never")
_DOCUMENTATION = Verdict("an address for documentation", "never")
_MULTICAST = Verdict("a multicast address", "never")
_RESERVED = Verdict("a reserved address", "never")

# The first that fits holds.
_V4 = tuple(
    (IPv4Network(network), verdict)
    for network, verdict in (
        ("169.254.169.254/32", Verdict("the link-local address of cloud metadata", "listed")),
        ("100.100.100.200/32", _METADATA),
        ("168.63.129.16/32", _METADATA),
        ("192.0.0.192/32", _METADATA),
        ("0.0.0.0/8", _UNSPECIFIED),
        ("10.0.0.0/8", _PRIVATE),
        ("100.64.0.0/10", _CARRIER),
        ("127.0.0.0/8", _LOOPBACK),
        ("169.254.0.0/16", _LINK_LOCAL),
        ("172.16.0.0/12", _PRIVATE),
        ("192.0.0.0/24", _PROTOCOL),
        ("192.0.2.0/24", _DOCUMENTATION),
        ("192.31.196.0/24", _PROTOCOL),
        ("192.52.193.0/24", _PROTOCOL),
        ("192.88.99.0/24", _RELAY),
        ("192.168.0.0/16", _PRIVATE),
        ("192.175.48.0/24", _PROTOCOL),
        ("198.18.0.0/15", _BENCHMARK),
        ("198.51.100.0/24", _DOCUMENTATION),
        ("203.0.113.0/24", _DOCUMENTATION),
        ("224.0.0.0/4", _MULTICAST),
        ("240.0.0.0/4", _RESERVED),
    )
)
_V6 = tuple(
    (IPv6Network(network), verdict)
    for network, verdict in (
        ("fd00:ec2::254/128", _METADATA),
        ("fd20:ce::254/128", _METADATA),
        ("64:ff9b:1::/48", Verdict("an address for translation to IPv4", "listed")),
        ("100::/64", Verdict("an address that discards everything", "never")),
        ("2001:db8::/32", _DOCUMENTATION),
        ("3fff::/20", _DOCUMENTATION),
        ("2001:2::/48", _BENCHMARK),
        ("2001::/23", _PROTOCOL),
        ("2620:4f:8000::/48", _PROTOCOL),
        ("5f00::/16", Verdict("an address of segment routing", "never")),
        ("fc00::/7", _PRIVATE),
        ("fe80::/10", _LINK_LOCAL),
        ("fec0::/10", Verdict("a site-local address", "private")),
        ("ff00::/8", _MULTICAST),
    )
)
# Network, how far right the IPv4 address stands in it, and what such an address is called.
_EMBEDDING = tuple(
    (IPv6Network(network), shift, words)
    for network, shift, words in (
        ("::ffff:0:0/96", 0, "an IPv4-mapped address"),
        ("::ffff:0:0:0/96", 0, "an IPv4-translated address"),
        ("64:ff9b::/96", 0, "a NAT64 address"),
        ("2002::/16", 80, "a 6to4 address"),
    )
)
