"""What a tool may connect to: hosts, addresses and ports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address

from agentctl.net.address import USUAL_PORTS
from agentctl.net.guard.addresses import Verdict, judge
from agentctl.net.guard.failure import Refused
from agentctl.net.guard.hosts import ANY, matches, read_pattern


@dataclass(frozen=True)
class AddressPolicy:
    """The limits of a tool's requests; the defaults are the public internet and nothing else.

    `allow_hosts`, where it is not empty, is all that may be reached, and its hosts may be private (`*` lifts
    nothing). `deny_hosts` beats it. `timeout` is for the whole of a request, redirects and body, in seconds;
    `max_bytes` counts the body unpacked. With `one_host` no redirect leads to another host.
    Raises ValueError, with the pattern, for a pattern that is none.
    """

    allow_hosts: Sequence[str] = ()
    deny_hosts: Sequence[str] = ()
    allow_private: bool = False
    allow_ports: Sequence[int] = ()
    max_redirects: int = 5
    max_bytes: int = 2_000_000
    timeout: float = 30.0
    one_host: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "allow_hosts", _read_all("allow_hosts", self.allow_hosts))
        object.__setattr__(self, "deny_hosts", _read_all("deny_hosts", self.deny_hosts))

    def check_host(self, host: str) -> None:
        """Raise Refused where the name alone forbids a request to `host` (as spelt)."""
        if matches(host, self.deny_hosts):
            raise Refused(f"{host} is refused: deny_hosts in the tool's config names it")
        if self.allow_hosts and not matches(host, self.allow_hosts):
            raise Refused(f"{host} is refused: allow_hosts in the tool's config does not name it")

    def check_addresses(self, host: str, port: int, addresses: Sequence[str]) -> None:
        """Raise Refused unless every one of the addresses that `host` has may be connected to."""
        public = False
        for text in addresses:
            address = ip_address(text)
            if str(address) != host and matches(str(address), self.deny_hosts):
                raise Refused(f"{host} leads to {address}, which deny_hosts in the tool's config names")
            verdict = judge(address)
            if verdict is None:
                public = True
            elif not self._lifts(verdict, host, str(address)):
                raise Refused(_explain(verdict, host, str(address)))
        if public and port not in (*USUAL_PORTS.values(), *self.allow_ports):
            hint = f"allow_ports: [{port}] in the tool's config would allow it"
            raise Refused(f"port {port} of {host} is refused; {hint}")

    def _lifts(self, verdict: Verdict, host: str, address: str) -> bool:
        if verdict.lift == "never":
            return False
        listed = [pattern for pattern in self.allow_hosts if pattern != ANY]
        if address in listed:
            return True
        return verdict.lift == "private" and (self.allow_private or matches(host, listed))


def _read_all(key: str, patterns: Sequence[str]) -> tuple[str, ...]:
    read = []
    for pattern in patterns:
        try:
            read.append(read_pattern(pattern))
        except ValueError as error:
            raise ValueError(f'{key}: "{pattern}" is no host and no *.suffix ({error})') from None
    return tuple(read)


def _explain(verdict: Verdict, host: str, address: str) -> str:
    what = f"{host} is {verdict.words}" if host == address else f"{host} leads to {address}, {verdict.words}"
    if verdict.lift == "private":
        return f"{what}; allow_private: true in the tool's config would allow it"
    if verdict.lift == "listed":
        return f'{what}; only allow_hosts: ["{address}"] in the tool\'s config would allow it'
    return f"{what}; nothing can be fetched from there"
