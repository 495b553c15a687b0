"""A key goes to the origin of the applied base_url, whatever servers and environments say."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentctl.errors import ConfigError
from tests.loopback import Received, Response, Server, said
from tests.providers.asking import ask, make_runtime

KEY = "sk-test-0123456789"
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def carried(requests: list[Received]) -> bool:
    return any(KEY in f"{request.target}{request.headers}{request.body!r}" for request in requests)


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308])
@pytest.mark.parametrize("place", ["{other}/v1", "//127.0.0.1:{port}/v1", "https://127.0.0.1:{port}/v1"])
def test_a_redirect_carries_no_key_to_another_port_or_scheme(tmp_path: Path, status: int, place: str) -> None:
    runtime = make_runtime(tmp_path, {"MY_KEY": KEY})
    with Server(Response(said("stolen"))) as other:
        target = place.format(other=other.url, port=other.port)
        with Server(
            Response(status=status, headers={"location": target, "refresh": f"0;url={target}"})
        ) as server:
            reply = ask(server.url, runtime, api_key_env="MY_KEY")
            assert reply.fault is not None
            assert reply.fault.type == "redirect"
            assert len(server.requests) == 1
        assert other.requests == []


def test_a_redirect_on_the_same_origin_is_not_followed_either(tmp_path: Path) -> None:
    runtime = make_runtime(tmp_path, {"MY_KEY": KEY})
    with Server(Response(status=308, headers={"location": "/elsewhere"}), Response(said("no"))) as server:
        assert ask(server.url, runtime, api_key_env="MY_KEY").fault is not None
        assert len(server.requests) == 1


def test_a_proxy_for_https_learns_the_host_and_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server(Response(status=502)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        reply = ask("https://llm.example.com", make_runtime(tmp_path, {"MY_KEY": KEY}), api_key_env="MY_KEY")
    assert reply.fault is not None
    assert [(request.method, request.target) for request in proxy.requests] == [
        ("CONNECT", "llm.example.com:443")
    ]
    assert not carried(proxy.requests)


def test_a_proxy_without_its_own_tls_gets_what_goes_to_plain_http(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever sets HTTP_PROXY and a base_url without TLS has chosen who can read along.
    with Server(Response(said("Hi"))) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        runtime = make_runtime(tmp_path, {"MY_KEY": KEY})
        assert ask("http://llm.example.com", runtime, api_key_env="MY_KEY").text == "Hi"
        assert proxy.requests[0].target == "http://llm.example.com/v1/chat/completions"
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        with Server(Response(said("direct"))) as server:
            assert ask(server.url, runtime, api_key_env="MY_KEY").text == "direct"
    assert len(proxy.requests) == 1


def test_an_address_with_a_password_is_never_asked(tmp_path: Path) -> None:
    # The HTTP client would send it in place of the key.
    with Server(Response(said("Hi"))) as server, pytest.raises(ConfigError) as caught:
        ask(f"http://me:password@127.0.0.1:{server.port}", make_runtime(tmp_path))
    assert "password" not in caught.value.message
    assert server.requests == []


def test_the_users_netrc_is_nobodys_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text(f"machine 127.0.0.1 login me password {KEY}\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HOME", str(tmp_path))
    with Server(Response(said("Hi"))) as server:
        ask(server.url, make_runtime(tmp_path))
    assert "authorization" not in server.requests[0].headers


def test_a_server_without_tls_gets_no_key_that_is_meant_for_https(tmp_path: Path) -> None:
    runtime = make_runtime(tmp_path, {"MY_KEY": KEY})
    with Server(Response(said("Hi"))) as server:
        assert ask(f"https://127.0.0.1:{server.port}", runtime, api_key_env="MY_KEY").fault is not None
    assert not carried(server.requests)
