"""Bodies are counted unpacked, in bounded memory, and the clock ends what does not end by itself."""

from __future__ import annotations

import asyncio
import gzip
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import pytest

import agentctl
from agentctl.net.failure import NetworkFailure
from agentctl.net.guard.client import GuardedAnswer, GuardedClient
from agentctl.net.guard.failure import Refused
from agentctl.net.guard.policy import AddressPolicy
from tests.loopback import Received, Response, Server
from tests.net.guard.network import Network

TEXT = b"What is packed is what comes out. " * 100


def get(url: str, **settings: Any) -> GuardedAnswer:
    policy = AddressPolicy(allow_private=True, **settings)
    return asyncio.run(GuardedClient(policy).request("GET", url))


def serve(body: bytes, encoding: str, size: int = 1_000) -> Server:
    chunks = [body[place : place + size] for place in range(0, len(body), size)]
    return Server(Response(chunks, headers={"content-type": "text/plain", "content-encoding": encoding}))


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("identity", TEXT),
        ("gzip", gzip.compress(TEXT)),
        ("X-GZIP", gzip.compress(TEXT)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", _raw_deflate(TEXT)),
        ("gzip, gzip", gzip.compress(gzip.compress(TEXT))),
        ("deflate, gzip", gzip.compress(zlib.compress(TEXT))),
        ("gzip", gzip.compress(TEXT[:1000]) + gzip.compress(TEXT[1000:])),
        ("gzip", gzip.compress(TEXT) + b"\0" * 512),
    ],
)
@pytest.mark.parametrize("size", [1, 100_000])
def test_a_packed_body_is_unpacked(encoding: str, body: bytes, size: int) -> None:
    with serve(body, encoding, size) as server:
        answer = get(server.url)
    assert answer.body == TEXT
    assert not answer.truncated


@pytest.mark.parametrize(
    ("encoding", "body", "reason"),
    [
        ("br", b"x", r"cannot be read \(br\)"),
        ("zstd", b"x", r"cannot be read \(zstd\)"),
        ("gzip, gzip, gzip", b"x", "packed 3 times over"),
        (", ".join(["gzip"] * 500), b"x", "packed 500 times over"),
        ("gzip", b"no gzip at all", "damaged"),
        ("deflate", b"\xff\xff\xff no deflate", "damaged"),
        ("gzip", gzip.compress(TEXT)[:40] + b"\xff" * 400, "damaged"),
    ],
)
def test_what_cannot_be_unpacked_is_refused(encoding: str, body: bytes, reason: str) -> None:
    with serve(body, encoding) as server, pytest.raises(Refused, match=reason):
        get(server.url)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(TEXT)[:-1]),
        ("gzip", gzip.compress(TEXT)[:-20]),
        ("gzip", gzip.compress(TEXT)[:5]),
        ("deflate", zlib.compress(TEXT)[:-1]),
        ("deflate", _raw_deflate(TEXT)[:-1]),
        ("deflate", b"x"),
        ("gzip, gzip", gzip.compress(gzip.compress(TEXT)[:-9])),
    ],
)
def test_what_ends_in_the_middle_is_not_taken_for_the_whole(encoding: str, body: bytes) -> None:
    with serve(body, encoding) as server, pytest.raises(Refused, match="it ends too early"):
        get(server.url)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_nothing_at_all_may_be_called_packed(encoding: str) -> None:
    with serve(b"", encoding) as server:
        assert get(server.url).body == b""


def test_nothing_is_asked_for_that_cannot_be_unpacked() -> None:
    with Server(Response(["x"])) as server:
        get(server.url)
    assert server.requests[0].headers["accept-encoding"] == "gzip, deflate"


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_the_limit_counts_unpacked_bytes(encoding: str) -> None:
    body = gzip.compress(TEXT) if encoding == "gzip" else TEXT
    with serve(body, encoding) as server:
        short = get(server.url, max_bytes=1_000)
        exact = get(server.url, max_bytes=len(TEXT))
    assert (short.body, short.truncated) == (TEXT[:1_000], True)
    assert (exact.body, exact.truncated) == (TEXT, False)


def test_a_bomb_inside_a_bomb_ends() -> None:
    inner = gzip.compress(b"\0" * 50_000_000, 9)
    with serve(gzip.compress(inner, 9), "gzip, gzip") as server:
        assert get(server.url, max_bytes=100_000).truncated


@pytest.mark.parametrize(
    ("encoding", "body", "reason"),
    [
        ("gzip", gzip.compress(b"") * 100_000, "larger packed than unpacked"),
        ("gzip, gzip", gzip.compress(gzip.compress(b"") * 100_000), "unpacks into more than it may"),
    ],
)
def test_packed_nothing_without_end_is_refused(encoding: str, body: bytes, reason: str) -> None:
    with serve(body, encoding, 100_000) as server, pytest.raises(Refused, match=reason):
        get(server.url, max_bytes=100_000)


PROBE = """
import asyncio, resource, sys
from agentctl.net.guard.client import GuardedClient
from agentctl.net.guard.policy import AddressPolicy
url = sys.argv[1]
client = GuardedClient(AddressPolicy(allow_private=True))
asyncio.run(client.request("GET", url))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
answer = asyncio.run(client.request("GET", url))
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
unit = 1 if sys.platform == "darwin" else 1024
print(len(answer.body), answer.truncated, (after - before) * unit)
"""


def test_a_bomb_of_256_megabytes_costs_at_most_20(tmp_path: Path) -> None:
    packer = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)
    body = b"".join(packer.compress(b"\0" * 1_000_000) for _ in range(256)) + packer.flush()
    small = Response([gzip.compress(b"hi")], headers={"content-encoding": "gzip"})
    bomb = Response([body], headers={"content-encoding": "gzip"})
    with Server(small, bomb) as server:
        found = subprocess.run(
            [sys.executable, "-c", PROBE, server.url],
            cwd=Path(agentctl.__file__).parent.parent,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
    length, truncated, cost = found.stdout.split()
    assert (length, truncated) == ("2000000", "True")
    assert int(cost) < 20_000_000


def test_a_slow_drip_ends_at_the_deadline() -> None:
    drip: list[bytes | str | float] = ["x", 0.1] * 600
    started = time.monotonic()
    with Server(Response(drip)) as server, pytest.raises(NetworkFailure, match=r"took longer than 0\.5 s"):
        get(server.url, timeout=0.5)
    assert time.monotonic() - started < 20


def test_redirects_share_one_deadline() -> None:
    def think(_: Received) -> Response:
        time.sleep(0.2)
        return Response([], 302, {"location": "/again"})

    with Server(think) as server, pytest.raises(NetworkFailure, match=r"took longer than 0\.5 s"):
        get(server.url, timeout=0.5, max_redirects=1_000_000)


def test_headers_without_end_are_refused() -> None:
    head = b"HTTP/1.1 200 OK\r\n" + b"".join(b"x-%d: %s\r\n" % (n, b"y" * 1_000) for n in range(1_000))
    with pytest.raises(NetworkFailure, match="does not keep to HTTP"):
        Network({"a.example": [["93.184.216.34"]]}, [head]).get("http://a.example/")


@pytest.mark.parametrize("answer", [b"SSH-2.0-OpenSSH\r\n", b"\x00\x01\x02", b"HTTP/1.1 abc\r\n\r\n", b""])
def test_what_is_no_http_is_said_to_be_none(answer: bytes) -> None:
    with pytest.raises(NetworkFailure, match=r"^a\.example does not keep to HTTP"):
        Network({"a.example": [["93.184.216.34"]]}, [answer]).get("http://a.example/")


def test_a_connection_that_breaks_is_told_from_an_end() -> None:
    with Server(Response(["half"], cut=True)) as server, pytest.raises(NetworkFailure, match="HTTP"):
        get(server.url)


def test_charset_and_type_are_read_from_the_header() -> None:
    answer = GuardedAnswer(200, {"content-type": 'Text/HTML; x=y; Charset="GB2312"'}, "http://a/", b"")
    assert (answer.content_type, answer.charset) == ("text/html", "gb2312")
    answer = GuardedAnswer(200, {}, "http://a/", b"")
    assert (answer.content_type, answer.charset) == ("", None)


def test_a_header_cannot_smuggle_another_one() -> None:
    network = Network({"a.example": [["93.184.216.34"]]})
    with pytest.raises(NetworkFailure, match="bad header") as error:
        network.get("http://a.example/", headers={"x": "secret\r\ny: z"})
    assert "secret" not in error.value.message
