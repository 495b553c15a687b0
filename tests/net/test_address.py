from __future__ import annotations

import httpx2
import pytest

from agentctl.net.address import find_origin, hide_secrets


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://api.example.com/v1", "https://api.example.com"),
        (" HTTPS://API.Example.com:443 ", "https://api.example.com"),
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434"),
        ("http://[::1]:80/v1", "http://[::1]"),
        ("https://me:secret@host/v1?key=secret#x", "https://host"),
        ("https://host:444", "https://host:444"),
        ("https://host:99999", None),
        ("ftp://host", None),
        ("host/v1", None),
        ("", None),
    ],
)
def test_an_origin_is_scheme_host_and_unusual_port(url: str, origin: str | None) -> None:
    assert find_origin(url) == origin


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com@evil.example/v1",
        "https://a@b@evil.example/v1",
        "https://api.example.com:443@evil.example",
        "https://api.example.com\\@evil.example",
        "https://evil.example\\.api.example.com",
        "https://evil.example#@api.example.com",
        "https://evil.example?@api.example.com",
        "https://api.example.com.:443/",
        "https://api.example.com%2f.evil.example",
        "https://[::1]:8443/",
        "https://api.example.com:0443/",
        "https://\uff41pi.example.com/",
        "https://api\u3002example.com/",
        "https://api.example.com\t.evil.example/",
        "https:///api.example.com",
        "https:api.example.com",
    ],
)
def test_the_client_asks_no_other_place_than_the_origin_says(url: str) -> None:
    origin = find_origin(url)
    try:
        asked = httpx2.URL(url)
        usable = asked.scheme in ("http", "https") and bool(asked.host)
    except httpx2.InvalidURL:
        usable = False
    if usable and origin == "https://api.example.com":
        assert (asked.host, asked.port or 443) == ("api.example.com", 443)


def test_a_url_is_shown_without_secrets() -> None:
    assert hide_secrets("https://me:secret@host:1/v1?key=secret#secret") == "https://host:1/v1"
    assert hide_secrets("http://[") == "an unreadable URL"
