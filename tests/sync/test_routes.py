from __future__ import annotations

from typing import Any

import pytest

from agentctl.domain.model import Provider
from agentctl.sync.routes import key_routes


def provider(url: str | None = "https://host/v1", **values: Any) -> Provider:
    return Provider("mine", "openai", url, **values)


@pytest.mark.parametrize(
    "secret",
    [
        {"api_key_env": "MY_KEY"},
        {"api_key_cmd": ("pass", "x")},
        {"headers": {"x-a": {"env": "MY_KEY"}}},
        {"headers": {"authorization": {"key": "team"}}},
    ],
)
def test_any_secret_that_would_go_to_another_place_is_new(secret: dict[str, Any]) -> None:
    before = provider(**secret)
    for url in ("https://evil.example/v1", "http://host/v1", "https://host:8443/v1"):
        (route,) = key_routes([provider(url, **secret)], [before])
        assert route.is_new, url
    for url in ("https://host/v2", "https://HOST:443/v1"):
        (route,) = key_routes([provider(url, **secret)], [before])
        assert not route.is_new, url


def test_another_secret_for_the_same_place_is_new() -> None:
    before = provider(api_key_cmd=("pass", "x"))
    for after in (provider(api_key_cmd=("pass", "y")), provider(api_key_env="OTHER")):
        (route,) = key_routes([after], [before])
        assert route.is_new


def test_a_provider_without_an_address_shows_the_key_that_its_kind_brings_along() -> None:
    (route,) = key_routes([provider(None)], [])
    assert (route.variable, route.origin, route.is_new) == (
        "OPENAI_API_KEY",
        "https://api.openai.com",
        False,
    )
    (route,) = key_routes([provider(None, api_key_env="OTHER")], [])
    assert (route.variable, route.is_new) == ("OTHER", True)


@pytest.mark.parametrize("kind", ["local", "script"])
def test_a_kind_that_sends_nothing_anywhere_has_no_route(kind: str) -> None:
    assert key_routes([Provider("mine", kind, api_key_env="MY_KEY")], []) == ()
