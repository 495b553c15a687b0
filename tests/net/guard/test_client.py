"""Real connections: names checked against certificates, proxies of the config and none of the environment."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agentctl.net.failure import NetworkFailure
from agentctl.net.guard.client import GuardedAnswer, GuardedClient
from agentctl.net.guard.failure import Refused
from agentctl.net.guard.lookup import resolve
from agentctl.net.guard.policy import AddressPolicy
from tests.loopback import Response, Server, json_body


async def loopback(host: str) -> list[str]:
    return ["127.0.0.1"]


def test_a_local_server_is_reached_where_the_config_allows_it() -> None:
    with Server(json_body({"a": 1})) as server:
        client = GuardedClient(AddressPolicy(allow_private=True))
        answer = asyncio.run(client.request("post", server.url + "/x?y=1#z", content=b"data"))
    assert (answer.status, answer.body, answer.content_type) == (200, b'{"a": 1}', "application/json")
    assert answer.url == server.url + "/x?y=1"
    (request,) = server.requests
    assert (request.method, request.target, request.body) == ("POST", "/x?y=1", b"data")


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(Response(["proxied"])) as proxy, Server(Response(["direct"])) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        client = GuardedClient(AddressPolicy(allow_private=True))
        assert asyncio.run(client.request("GET", server.url)).body == b"direct"
    assert proxy.requests == []


def test_a_refused_connection_is_said_to_be_refused() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        client = GuardedClient(AddressPolicy(allow_private=True))
        with pytest.raises(NetworkFailure, match="connection refused by 127"):
            asyncio.run(client.request("GET", url))


def test_the_systems_resolver_is_asked_without_holding_up_the_loop() -> None:
    assert "127.0.0.1" in asyncio.run(resolve("localhost"))
    with pytest.raises(NetworkFailure, match=r"no address found for a\.invalid"):
        asyncio.run(resolve("a.invalid"))


@contextmanager
def tunnel(*, refuse: bool = False) -> Iterator[tuple[str, list[bytes]]]:
    """A proxy that understands CONNECT; gives its URL and the heads that it got."""
    heads: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def pump(source: socket.socket, sink: socket.socket) -> None:
        while data := source.recv(65_536):
            sink.sendall(data)

    def serve() -> None:
        try:
            inner, _ = listener.accept()
        except OSError:
            return
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += inner.recv(1)
        heads.append(head)
        if refuse:
            inner.sendall(b"HTTP/1.1 403 Forbidden\r\n\r\n")
            inner.close()
            return
        address, _, port = head.split()[1].decode().rpartition(":")
        outer = socket.create_connection((address, int(port)))
        inner.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        threading.Thread(target=pump, args=(inner, outer), daemon=True).start()
        try:
            pump(outer, inner)
        except OSError:
            return

    threading.Thread(target=serve, daemon=True).start()
    with listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", heads


def test_the_proxy_of_the_config_gets_the_checked_address_and_no_name() -> None:
    with Server(Response(["hi"])) as server, tunnel() as (proxy, heads):
        policy = AddressPolicy(allow_hosts=["name.test"])
        client = GuardedClient(policy, proxy=proxy, resolve=loopback)
        answer = asyncio.run(client.request("GET", f"http://name.test:{server.port}/"))
    assert answer.body == b"hi"
    assert heads == [
        f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    ]
    assert server.requests[0].headers["host"] == f"name.test:{server.port}"


def test_a_proxy_lifts_no_check() -> None:
    with tunnel() as (proxy, heads):
        client = GuardedClient(AddressPolicy(), proxy=proxy, resolve=loopback)
        with pytest.raises(Refused, match="a loopback address"):
            asyncio.run(client.request("GET", "http://name.test/"))
    assert heads == []


def test_a_proxy_that_refuses_is_named() -> None:
    with tunnel(refuse=True) as (proxy, _):
        client = GuardedClient(AddressPolicy(allow_private=True), proxy=proxy, resolve=loopback)
        with pytest.raises(NetworkFailure, match=r"the proxy 127.* did not let .* through: 403 Forbidden"):
            asyncio.run(client.request("GET", "http://name.test/"))


def test_a_proxy_that_is_not_there_is_named() -> None:
    client = GuardedClient(AddressPolicy(allow_private=True), proxy="http://127.0.0.1:1", resolve=loopback)
    with pytest.raises(NetworkFailure, match=r"no connection to the proxy 127\.0\.0\.1:1"):
        asyncio.run(client.request("GET", "http://name.test/"))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for `name.test` and its key, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl")
    folder = tmp_path_factory.mktemp("tls")
    subject = ["-subj", "/CN=name.test", "-addext", "subjectAltName=DNS:name.test", "-days", "2"]
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    subprocess.run([openssl, "req", "-x509", *kind, *files, *subject], check=True, capture_output=True)
    whole = folder / "whole.pem"
    whole.write_bytes((folder / "key.pem").read_bytes() + (folder / "cert.pem").read_bytes())
    return whole


@contextmanager
def secure(certificate: Path) -> Iterator[tuple[int, list[str | None]]]:
    """A server that speaks TLS; gives its port and the names that were asked for."""
    names: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.sni_callback = lambda _socket, name, _context: names.append(name)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        try:
            plain, _ = listener.accept()
            with context.wrap_socket(plain, server_side=True) as connection:
                connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi")
                connection.recv(1)
        except OSError:
            return

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    with listener:
        yield listener.getsockname()[1], names
        thread.join(10)


def fetch_secure(
    host: str, certificate: Path, *, trusted: bool = True
) -> tuple[GuardedAnswer, list[str | None]]:
    trust = ssl.create_default_context(cafile=str(certificate) if trusted else None)
    with secure(certificate) as (port, names):
        client = GuardedClient(AddressPolicy(allow_private=True), resolve=loopback, trust=trust)
        return asyncio.run(client.request("GET", f"https://{host}:{port}/")), names


def test_the_certificate_is_checked_for_the_name_while_the_address_is_connected_to(certificate: Path) -> None:
    answer, names = fetch_secure("name.test", certificate)
    assert answer.body == b"hi"
    assert names == ["name.test"]


@pytest.mark.parametrize("host", ["other.test", "127.0.0.1"])
def test_a_certificate_for_another_name_is_not_trusted(certificate: Path, host: str) -> None:
    with pytest.raises(NetworkFailure, match=f"the certificate of {host}:.* is not trusted"):
        fetch_secure(host, certificate)


def test_a_certificate_of_nobody_is_not_trusted(certificate: Path) -> None:
    with pytest.raises(NetworkFailure, match="is not trusted: self-signed certificate"):
        fetch_secure("name.test", certificate, trusted=False)
