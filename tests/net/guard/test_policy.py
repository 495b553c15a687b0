"""What a config allows and denies, and what no config can allow."""

from __future__ import annotations

from typing import Any

import pytest

from agentctl.net.failure import NetworkFailure
from agentctl.net.guard.failure import Refused
from agentctl.net.guard.policy import AddressPolicy
from tests.net.guard.network import PAGE, Network

NAMES = {
    "public.example": [["93.184.216.34"]],
    "wiki.corp.example": [["10.0.0.5"]],
    "cloud.example": [["169.254.169.254"]],
    "both.example": [["93.184.216.34", "10.0.0.5"]],
}


@pytest.mark.parametrize(
    ("url", "settings"),
    [
        ("http://127.0.0.1:8000/", {"allow_private": True}),
        ("http://[::1]:8000/", {"allow_private": True}),
        ("http://wiki.corp.example:8080/", {"allow_private": True}),
        ("http://100.64.0.1/", {"allow_private": True}),
        ("http://[64:ff9b::8.8.8.8]/", {"allow_private": True}),
        ("http://127.0.0.1:8000/", {"allow_hosts": ["127.0.0.1"]}),
        ("http://127.1:8000/", {"allow_hosts": ["0x7f.1"]}),
        ("http://[::1]:8000/", {"allow_hosts": ["[::1]"]}),
        ("http://wiki.corp.example:8080/", {"allow_hosts": ["WIKI.corp.example."]}),
        ("http://wiki.corp.example:8080/", {"allow_hosts": ["*.corp.example"]}),
        ("http://public.example/", {"allow_hosts": ["*.example"]}),
        ("http://public.example/", {"allow_hosts": ["*"], "deny_hosts": ["*.corp.example"]}),
        ("http://public.example:8080/", {"allow_ports": [8080]}),
        ("http://169.254.169.254/", {"allow_hosts": ["169.254.169.254"]}),
        ("http://cloud.example/", {"allow_hosts": ["cloud.example", "169.254.169.254"]}),
    ],
)
def test_what_the_config_allows_is_reached(url: str, settings: dict[str, Any]) -> None:
    assert Network(NAMES).get(url, **settings).status == 200


@pytest.mark.parametrize(
    ("url", "settings", "reason"),
    [
        ("http://169.254.169.254/", {"allow_private": True}, "cloud metadata"),
        ("http://cloud.example/", {"allow_private": True}, "cloud metadata"),
        ("http://cloud.example/", {"allow_hosts": ["cloud.example"]}, "cloud metadata"),
        ("http://[fd00:ec2::254]/", {"allow_private": True}, "the metadata service"),
        ("http://[::ffff:169.254.169.254]/", {"allow_private": True}, "cloud metadata"),
        ("http://[::]/", {"allow_private": True, "allow_hosts": ["::"]}, "an unspecified address"),
        ("http://224.0.0.1/", {"allow_private": True}, "a multicast address"),
        ("http://127.0.0.1/", {"allow_hosts": ["*"]}, "a loopback address"),
        ("http://public.example:8080/", {"allow_private": True}, "port 8080 of public.example is refused"),
        ("http://public.example:8080/", {"allow_hosts": ["public.example"]}, "port 8080"),
        ("http://both.example:8080/", {"allow_private": True}, "port 8080 of both.example is refused"),
        ("http://public.example/", {"allow_hosts": ["*.corp.example"]}, "allow_hosts"),
        ("http://corp.example/", {"allow_hosts": ["*.corp.example"]}, "allow_hosts"),
        ("http://evilcorp.example/", {"allow_hosts": ["*.corp.example"]}, "allow_hosts"),
        ("http://public.example/", {"deny_hosts": ["public.example"]}, "deny_hosts"),
        ("http://PUBLIC.example./", {"deny_hosts": ["public.example"]}, "deny_hosts"),
        ("http://public.example/", {"deny_hosts": ["*"], "allow_hosts": ["*"]}, "deny_hosts"),
        (
            "http://public.example/",
            {"deny_hosts": ["93.184.216.34"]},
            "leads to 93.184.216.34, which deny_hosts",
        ),
        ("http://0x7f.1/", {"deny_hosts": ["127.0.0.1"], "allow_private": True}, "deny_hosts"),
    ],
)
def test_what_the_config_does_not_allow_is_not_connected_to(
    url: str, settings: dict[str, Any], reason: str
) -> None:
    network = Network(NAMES)
    with pytest.raises(Refused, match=reason):
        network.get(url, **settings)
    assert network.connected == []


def test_a_host_that_is_denied_is_not_even_looked_up() -> None:
    network = Network(NAMES)
    with pytest.raises(Refused):
        network.get("http://public.example/", deny_hosts=["*.example"])
    assert network.looked_up == []


@pytest.mark.parametrize("pattern", ["http://a.example", "a.example/x", "a*b", "", "a b", "*.", "a:80"])
@pytest.mark.parametrize("key", ["allow_hosts", "deny_hosts"])
def test_a_pattern_that_is_none_is_an_error_for_it_would_allow_or_deny_nothing(
    key: str, pattern: str
) -> None:
    with pytest.raises(ValueError, match=key):
        AddressPolicy(**{key: [pattern]})


def test_another_answer_to_another_look_up_cannot_come_between_check_and_connection() -> None:
    network = Network({"rebind.example": [["93.184.216.34"], ["127.0.0.1"]]})
    network.get("http://rebind.example/")
    assert network.looked_up == ["rebind.example"]
    assert network.connected == [("93.184.216.34", 80)]


def test_a_name_that_turns_to_a_private_address_later_is_refused_then() -> None:
    network = Network({"rebind.example": [["93.184.216.34"], ["127.0.0.1"]]})
    network.get("http://rebind.example/")
    with pytest.raises(Refused, match=r"leads to 127\.0\.0\.1"):
        network.get("http://rebind.example/")
    assert len(network.connected) == 1


def test_the_next_address_is_tried_where_nobody_is_at_the_first() -> None:
    network = Network({"two.example": [["2606:2800:21f::1", "93.184.216.34"]]}, [PAGE])
    network.dead = {"2606:2800:21f::1"}
    assert network.get("http://two.example/").status == 200
    assert network.connected == [("2606:2800:21f::1", 80), ("93.184.216.34", 80)]


def test_a_name_without_an_address_is_said_to_have_none() -> None:
    for answers in ([[]], [["nonsense"]]):
        with pytest.raises(NetworkFailure, match=r"no address found for odd.example"):
            Network({"odd.example": answers}).get("http://odd.example/")
