from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
import sys
import threading
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from agentctl.errors import ConfigError
from agentctl.net.client import USER_AGENT, HttpClient
from agentctl.net.failure import NetworkFailure
from tests.loopback import Response, Server, json_body


async def post(client: HttpClient, url: str) -> bytes:
    try:
        async with client.post(url, headers={"authorization": "Bearer sk-secret"}, content=b"{}") as answer:
            return b"".join([chunk async for chunk in answer.chunks()])
    finally:
        await client.close()


def fetch(url: str, **limits: Any) -> bytes:
    async def run() -> bytes:
        return await post(HttpClient(url, **{"connect_timeout": 5, "idle_timeout": 5, **limits}), url)

    return asyncio.run(run())


def fail(url: str, **limits: Any) -> NetworkFailure:
    with pytest.raises(NetworkFailure) as caught:
        fetch(url, **limits)
    assert "secret" not in f"{caught.value.message}{caught.value.hint}"
    return caught.value


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_a_request_carries_our_name_and_no_wish_for_compression() -> None:
    with Server(Response(["a", "b"])) as server:
        assert fetch(f"{server.url}/x") == b"ab"
    (request,) = server.requests
    assert (request.method, request.target, request.body) == ("POST", "/x", b"{}")
    assert request.headers["user-agent"] == USER_AGENT
    assert request.headers["accept-encoding"] == "identity"


def test_a_unix_socket_stands_in_for_the_host(tmp_path: Path) -> None:
    path = tmp_path / "model.sock"
    with Server(Response(["over the socket"]), uds=path):
        assert fetch("http://localhost/v1", uds=path) == b"over the socket"
    missing = fail("http://localhost/v1", uds=tmp_path / "none.sock")
    assert missing.type == "connect"
    assert "none.sock" in missing.message


def test_a_refused_connection_names_the_place_and_asks_for_a_server() -> None:
    url = f"http://user:secret@127.0.0.1:{free_port()}/v1?key=secret"
    failure = fail(url)
    assert (failure.type, failure.retryable) == ("connect", True)
    assert failure.message.startswith("connection refused by http://127.0.0.1:")
    assert failure.hint == "Is a server running there?"


def test_a_name_without_address_says_so() -> None:
    failure = fail("http://no-such-host.invalid/v1")
    assert failure.type == "dns"
    assert "http://no-such-host.invalid/v1" in failure.message


def test_silence_ends_after_the_idle_limit() -> None:
    with Server(Response(["a", 5.0, "b"])) as server:
        failure = fail(server.url, idle_timeout=0.2)
    assert (failure.type, failure.retryable) == ("idle", True)
    assert failure.message.endswith("was silent for 0.2 s")


def test_a_slow_stream_is_not_silent() -> None:
    with Server(Response(["a", 0.15, "b", 0.15, "c", 0.15, "d"])) as server:
        assert fetch(server.url, idle_timeout=0.4) == b"abcd"


@pytest.mark.parametrize("response", [Response(["a"], cut=True), Response(drop=True)], ids=["body", "head"])
def test_a_broken_connection_may_be_tried_again(response: Response) -> None:
    with Server(response) as server:
        failure = fail(server.url)
    assert (failure.type, failure.retryable) == ("network", True)
    assert failure.message.startswith(f"the connection to {server.url} broke: ")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_answer_and_is_never_followed(status: int) -> None:
    async def run(url: str) -> tuple[int, str | None]:
        client = HttpClient(url)
        try:
            async with client.post(url, headers={"authorization": "Bearer sk-secret"}, content=b"") as answer:
                return answer.status, answer.location
        finally:
            await client.close()

    with Server() as other:
        moved = Response(status=status, headers={"location": f"{other.url}/elsewhere?key=secret"})
        with Server(moved) as server:
            assert asyncio.run(run(server.url)) == (status, f"{other.url}/elsewhere")
        assert other.requests == []


def test_leaving_the_block_ends_the_request() -> None:
    async def run(url: str) -> bytes:
        client = HttpClient(url)
        try:
            async with (
                client.post(url, headers={}, content=b"") as answer,
                aclosing(answer.chunks()) as chunks,
            ):
                return await anext(chunks)
        finally:
            await client.close()

    with Server(Response(["first", 30.0, "second"])) as server:
        assert asyncio.run(run(server.url)) == b"first"
        assert server.hung_up.wait(10)


def test_an_environment_proxy_is_used_and_no_proxy_beats_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(json_body("from the proxy")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        assert fetch("http://models.invalid/v1") == b'"from the proxy"'
        assert proxy.requests[0].target == "http://models.invalid/v1"
        monkeypatch.setenv("NO_PROXY", "models.invalid")
        assert fail("http://models.invalid/v1").type == "dns"


def test_https_goes_through_a_tunnel_of_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(json_body("no tunnel here", 403)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:secret@127.0.0.1:{proxy.port}")
        failure = fail("https://models.invalid/v1")
        (request,) = proxy.requests
        assert (request.method, request.target) == ("CONNECT", "models.invalid:443")
        assert "bearer" not in str(request.headers).lower()
        monkeypatch.setenv("NO_PROXY", "models.invalid")
        assert fail("https://models.invalid/v1").type == "dns"
    assert (failure.type, failure.retryable) == ("proxy", False)
    assert failure.message == (
        f"the proxy http://127.0.0.1:{proxy.port} did not let the request through: 403 Played"
        " (on the way to https://models.invalid/v1)"
    )
    assert "NO_PROXY" in (failure.hint or "")


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_proxy_that_does_not_reach_the_server_now_may_do_so_later(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server(Response(status=status)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        assert fail("https://models.invalid/v1").retryable


@pytest.mark.parametrize("url", ["http://models.invalid/v1", "https://models.invalid/v1"])
def test_a_proxy_that_is_not_there_is_named_and_not_the_server(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = f"127.0.0.1:{free_port()}"
    monkeypatch.setenv("ALL_PROXY", f"http://user:secret@{proxy}")
    failure = fail(url)
    assert (failure.type, failure.retryable) == ("proxy", True)
    assert failure.message == f"connection refused by the proxy http://{proxy} (on the way to {url})"


@pytest.mark.parametrize(
    ("variable", "value", "url"),
    [
        ("HTTP_PROXY", "ftp://user:secret@proxy", "http://localhost"),
        ("SSL_CERT_FILE", "/no/such/file.pem", "https://localhost"),
    ],
)
def test_settings_that_cannot_be_used_are_named(
    variable: str, value: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError, match=variable) as caught:
        fetch(url)
    assert "secret" not in caught.value.message


def test_a_server_without_tls_is_explained() -> None:
    def answer_plainly() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            # Closing first could reset the connection before the client has read the answer.
            connection.recv(65536)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer_plainly, daemon=True)
        thread.start()
        failure = fail(f"https://127.0.0.1:{listener.getsockname()[1]}")
        thread.join(10)
    assert (failure.type, failure.retryable) == ("tls", False)


@pytest.mark.skipif(not shutil.which("openssl"), reason="makes a certificate with openssl")
def test_an_unknown_certificate_is_refused_until_ssl_cert_file_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost", "-out", str(certificate), "-keyout", str(key)]
    subprocess.run(["openssl", "req", *kind, *names], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with tls_server(context) as port:
        failure = fail(f"https://localhost:{port}/v1")
        assert (failure.type, failure.retryable) == ("tls", False)
        assert "SSL_CERT_FILE" in (failure.hint or "")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert fetch(f"https://localhost:{port}/v1") == b"ok"


class tls_server:  # noqa: N801
    """Answers `ok` to every request over TLS; gives its port."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.listener = context.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True)

    def __enter__(self) -> int:
        threading.Thread(target=self._serve, daemon=True).start()
        return int(self.listener.getsockname()[1])

    def __exit__(self, *error: object) -> None:
        self.listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except ssl.SSLError:
                continue
            except OSError:
                return
            with connection:
                received = b""
                while not received.endswith(b"{}"):
                    received += connection.recv(65536)
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "HTTP://127.0.0.1:9/v1"])
def test_no_certificates_are_loaded_for_a_plain_url(url: str) -> None:
    code = (
        "import ssl, sys; from agentctl.net.client import HttpClient\n"
        "assert 'httpx2' not in sys.modules\n"
        f"client = HttpClient({url!r})\n"
        "print(len(client._client._transport._pool._ssl_context.get_ca_certs()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
