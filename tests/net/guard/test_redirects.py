"""Every redirect is a request of its own: checked again, and without what belongs to another origin."""

from __future__ import annotations

import pytest

from agentctl.net.guard.failure import Refused
from tests.net.guard.network import PAGE, Network, redirect

NAMES = {
    "a.example": [["93.184.216.34"]],
    "b.example": [["93.184.216.35"]],
    "rebind.example": [["93.184.216.34"], ["10.0.0.1"]],
}
KEYS = {"authorization": "Bearer k", "cookie": "c=1", "x-api-key": "k", "accept": "text/html"}


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://127.0.0.1/", "a loopback address"),
        ("//127.0.0.1/", "a loopback address"),
        ("http://2130706433/", "a loopback address"),
        ("http://[::ffff:127.0.0.1]/", "a loopback address"),
        ("http://169.254.169.254/latest/", "cloud metadata"),
        ("https://a.example:22/", "port 22"),
        ("file:///etc/passwd", "only http and https"),
        ("gopher://a.example/", "only http and https"),
        ("http://user:pw@b.example/", "a user name or password"),
        ("http://rebind.example/", "leads to 10.0.0.1"),
        ("/\\127.0.0.1/", "a backslash"),
        ("http://[::1", "no URL|no host"),
    ],
)
def test_a_redirect_to_a_refused_place_is_refused(location: str, reason: str) -> None:
    network = Network(NAMES, [redirect(location), PAGE])
    network.names["rebind.example"] = [["10.0.0.1"]]
    with pytest.raises(Refused, match=reason):
        network.get("http://a.example/")
    assert network.connected == [("93.184.216.34", 80)]


def test_a_name_that_changes_during_a_redirect_to_itself_is_refused() -> None:
    network = Network(NAMES, [redirect("/again"), PAGE])
    with pytest.raises(Refused, match=r"rebind.example leads to 10.0.0.1"):
        network.get("http://rebind.example/")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    ("location", "kept"),
    [
        ("/next", True),
        ("http://a.example/next", True),
        ("http://b.example/next", False),
        ("https://a.example/next", False),
        ("http://a.example:443/next", False),
    ],
)
def test_credentials_stay_with_their_origin(status: int, location: str, kept: bool) -> None:
    network = Network(NAMES, [redirect(location, status), PAGE])
    answer = network.get("http://a.example/x", headers=KEYS)
    first, second = (sent.lower() for sent in network.sent)
    assert answer.url.endswith("/next")
    for name in ("authorization", "x-api-key"):
        assert f"\r\n{name}: ".encode() in first
        assert (f"\r\n{name}: ".encode() in second) is kept
    assert (b"c=1" in second) is kept
    assert b"accept: text/html" in second
    assert b"id=1" not in second  # a cookie that an answer sets is never sent


def test_at_most_five_redirects_are_followed() -> None:
    network = Network(NAMES, [*[redirect(f"/{step}") for step in range(5)], PAGE])
    assert network.get("http://a.example/").url == "http://a.example/4"
    network = Network(NAMES, [redirect("/again")])
    with pytest.raises(
        Refused, match=r"more than 5 redirects; the next one leads to http://a\.example/again"
    ):
        network.get("http://a.example/")
    assert len(network.connected) == 6


def test_a_config_may_allow_no_redirect() -> None:
    with pytest.raises(Refused, match="more than 0 redirects"):
        Network(NAMES, [redirect("/x")]).get("http://a.example/", max_redirects=0)


@pytest.mark.parametrize(("status", "method"), [(301, b"GET"), (302, b"GET"), (303, b"GET"), (307, b"POST")])
def test_the_method_follows_the_rules_of_http(status: int, method: bytes) -> None:
    network = Network(NAMES, [redirect("/next", status), PAGE])
    network.get("http://a.example/", "POST", content=b"data")
    assert network.sent[1].startswith(method + b" /next ")
    assert (b"data" in network.sent[1]) is (method == b"POST")


def test_data_is_not_sent_on_to_another_origin() -> None:
    network = Network(NAMES, [redirect("http://b.example/", 307), PAGE])
    with pytest.raises(Refused, match=r"a.example asks to send the data on to b.example"):
        network.get("http://a.example/", "POST", content=b"data")
    assert len(network.connected) == 1


def test_a_location_in_other_scripts_is_sent_as_utf8() -> None:
    network = Network(NAMES, [redirect("/café 日本?q=ü"), PAGE])
    assert network.get("http://a.example/").url == "http://a.example/caf%C3%A9%20%E6%97%A5%E6%9C%AC?q=%C3%BC"
