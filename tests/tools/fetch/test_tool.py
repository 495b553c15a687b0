"""The tool `fetch` from the URL to what a model gets, over real sockets."""

from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import agentctl
from agentctl.domain.tool import Tool, ToolContext, ToolResult
from agentctl.errors import ConfigError
from agentctl.net.guard.client import GuardedClient
from agentctl.tools.base import Services
from agentctl.tools.executor import execute
from agentctl.tools.fetch.settings import FetchArguments, FetchConfig
from agentctl.tools.fetch.tool import Fetch
from agentctl.tools.ready import make_ready
from tests.loopback import Response, Server
from tests.net.guard.network import Network

HTML = {"content-type": "text/html"}


def test_a_page_comes_as_markdown_with_its_title_and_url(fetch: Any) -> None:
    moved = Response([], 302, {"location": "/new"})
    page = Response(["<title>T</title><h1>H</h1><p>x <a href=y>z</a>"], headers=HTML)
    with Server(moved, page) as server:
        result = fetch(server.url, mode="markdown")
    assert result.data == {
        "url": server.url + "/new",
        "status": 200,
        "content_type": "text/html",
        "title": "T",
        "text": f"# H\n\nx [z]({server.url}/y)",
        "truncated": False,
    }


@pytest.mark.parametrize(
    ("mode", "kind", "body", "text"),
    [
        ("auto", "text/html", "<h1>H</h1>", "# H"),
        ("markdown", "application/xhtml+xml", "<h1>H</h1>", "# H"),
        ("html", "text/html", "<h1>H</h1><script>x</script>", "<h1>H</h1>"),
        ("text", "text/html", "<h1>H</h1>", "H"),
        ("auto", "application/json", '{"a":1}', '{\n  "a": 1\n}'),
        ("markdown", "application/ld+json", "[1]", "[\n  1\n]"),
        ("json", "text/plain", "[1]", "[\n  1\n]"),
        ("text", "application/json", "[1]", "[1]"),
        ("auto", "application/json", "{broken", "{broken"),
        ("auto", "text/plain", "<h1>as it is</h1>", "<h1>as it is</h1>"),
        ("markdown", "text/markdown", "# As\n\nit is", "# As\n\nit is"),
        ("auto", "text/csv", "a,b", "a,b"),
        ("auto", "application/xml", "<a>b</a>", "<a>b</a>"),
        ("auto", "image/svg+xml", "<svg/>", "<svg/>"),
        ("auto", None, "<!doctype html><h1>H</h1>", "# H"),
        ("auto", "application/octet-stream", "plain words", "plain words"),
        ("auto", None, "[1]", "[\n  1\n]"),
        ("auto", "text/html", "", ""),
        ("auto", "text/html; charset=gbk", "<p>中文".encode("gbk"), "中文"),
    ],
)
def test_the_mode_and_the_type_decide_what_becomes_of_it(
    fetch_body: Any, mode: str, kind: str | None, body: str | bytes, text: str
) -> None:
    assert fetch_body(body, kind, mode=mode).data["text"] == text


@pytest.mark.parametrize(
    ("kind", "body", "name"),
    [
        ("application/pdf", b"%PDF-1.7", "a PDF document (application/pdf)"),
        ("text/html", b"%PDF-1.7", "a PDF document (application/pdf)"),
        ("application/pdf", b"?", "a PDF document (application/pdf)"),
        ("image/png", b"\x89PNG\r\n\x1a\n", "an image (image/png)"),
        ("image/webp", b"RIFF", "an image (image/webp)"),
        ("video/mp4", b"x", "a video (video/mp4)"),
        ("application/zip", b"PK\x03\x04", "a ZIP archive (application/zip)"),
        ("application/octet-stream", b"\0\1\2\3", "a binary file (application/octet-stream)"),
        ("text/plain", b"MZ\0\0\1", "a binary file (text/plain)"),
        ("application/vnd.ms-excel", b"x", "an Excel file (application/vnd.ms-excel)"),
    ],
)
@pytest.mark.parametrize("mode", ["auto", "json"])
def test_what_is_no_text_is_refused_by_name(
    fetch_body: Any, kind: str, body: bytes, name: str, mode: str
) -> None:
    assert fetch_body(body, kind, mode=mode).error.endswith(f"/d/page is {name}, which this tool cannot read")


@pytest.mark.parametrize(
    ("status", "kind", "body", "end"),
    [
        (
            404,
            "text/html",
            "<title>x</title><h1>Not\nhere</h1><p>Try elsewhere",
            "404 Not Found: Not here Try elsewhere",
        ),
        (500, "text/plain", "oops " * 1_000, "500 Internal Server Error: " + ("oops " * 60)),
        (403, "application/json", '{"error": "no"}', '403 Forbidden: {"error": "no"}'),
        (503, "image/png", b"\x89PNG\r\n", "503 Service Unavailable"),
        (418, "text/plain", "", "418 I'm a Teapot"),
        (599, "text/plain", "x", "599: x"),
    ],
)
def test_an_error_of_the_server_is_an_error_with_its_status_and_words(
    fetch_body: Any, status: int, kind: str, body: str | bytes, end: str
) -> None:
    result = fetch_body(body, kind, status)
    assert not result.success
    assert result.error.endswith("/d/page answered " + end)


def test_json_that_is_none_is_an_error_with_its_place(fetch_body: Any) -> None:
    error = fetch_body('{"a": }', "application/json", mode="json").error
    assert error.endswith("(application/json): not valid JSON: expecting value at line 1 column 7")
    error = fetch_body("[" * 50_000, "application/json", mode="json").error
    assert "nested more than" in error
    error = fetch_body("[" + "1," * 5_000 + "1]", "application/json", mode="json", max_bytes=1_000).error
    assert error == "the JSON is larger than max_bytes (1,000)"


def test_a_refused_address_names_the_reason(fetch: Any) -> None:
    assert fetch("http://127.0.0.1:9", allow_private=False).error == (
        "127.0.0.1 is a loopback address; allow_private: true in the tool's config would allow it"
    )
    assert fetch("http://169.254.169.254/").error.startswith(
        "169.254.169.254 is the link-local address of cloud"
    )
    assert fetch("ftp://a.example/").error == "only http and https can be requested, not ftp:"


def test_the_config_reaches_the_guard(services: Services, context: ToolContext) -> None:
    network = Network({"a.example": [["93.184.216.34"]], "b.example": [["10.0.0.1"]]})

    class Offline(Fetch):
        def open_client(self, *, confined: bool = False) -> GuardedClient:
            return GuardedClient(self._policy(), resolve=network.resolve, connect=network.connect)

    def run(url: str, **config: Any) -> ToolResult:
        return asyncio.run(execute(Offline(FetchConfig(**config), services), {"url": url}, context))

    assert run("http://a.example/").data["text"] == "hi"
    assert "port 8080" in (run("http://a.example:8080/").error or "")
    assert run("http://a.example:8080/", allow_ports=(8080,)).success
    assert "deny_hosts" in (run("http://a.example/", deny_hosts=("*.example",)).error or "")
    assert "allow_hosts" in (run("http://a.example/", allow_hosts=("b.example",)).error or "")
    assert run("http://b.example:99/", allow_hosts=("b.example",)).success


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"deny_hosts": ["a.example", "http://a.example/"]}, "config.deny_hosts.1: is no host"),
        ({"allow_hosts": ["a b"]}, "config.allow_hosts.0: is no host"),
        ({"allow_ports": [443, 70_000]}, "config.allow_ports.1: there is no such port"),
        ({"allow_hosts": "a.example"}, "config.allow_hosts: must be a list"),
        ({"allow_private": "yes"}, "config.allow_private: must be true or false"),
        ({"proxy": "http://user:secret@proxy.example"}, "config.proxy: must match"),
        ({"proxy": "socks5://proxy.example"}, "config.proxy: must match"),
        ({"mode": "pdf"}, "config.mode: must be one of"),
        ({"max_bytes": 1 << 40}, "config.max_bytes: must be at most"),
        ({"user_agent": "a\nb: c"}, "config.user_agent: must match"),
    ],
)
def test_a_wrong_config_makes_the_tool_not_ready(
    services: Services, config: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ConfigError) as error:
        make_ready(Tool(slug="x", name="X", type="fetch", config=config), {}, services)
    assert reason in error.value.message


def test_validate_names_the_place_of_a_host_that_is_none(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text("tools: [{slug: f, type: fetch, config: {deny_hosts: [a b]}}]")
    told = run("validate", code=5).stderr
    assert "tools.yaml:1:54: config: deny_hosts.0: is no host and no *.suffix" in told


def test_a_long_page_is_read_in_parts_that_fit_and_lose_nothing(fetch: Any) -> None:
    body = "".join(f'<p>Paragraph {n} says "{n}" in words.</p>' for n in range(600))
    parts, start = [], 0
    with Server(Response([body], headers=HTML)) as server:
        while True:
            data = fetch(server.url, start, mode="markdown", max_output=3_000).data
            assert len(json.dumps(data, ensure_ascii=False)) <= 3_000
            parts.append(data["text"])
            if not data["truncated"]:
                break
            assert data["text"].endswith("\n\n")
            start = data["next_start"]
        whole = fetch(server.url, mode="markdown", max_output=1_000_000).data["text"]
        beyond = fetch(server.url, 1_000_000, mode="markdown").error
    assert len(parts) > 5
    assert "".join(parts) == whole
    assert beyond == f"the text has {len(whole):,} characters; there is nothing at 1,000,000"


def test_a_page_of_one_endless_line_is_read_in_parts_too(fetch_body: Any) -> None:
    data = fetch_body('\\"' * 5_000, "text/plain", max_output=500).data
    assert len(json.dumps(data)) <= 500
    assert data["next_start"] == len(data["text"]) > 100


def test_a_page_beyond_the_limit_is_cut_and_said_to_be(fetch_body: Any) -> None:
    data = fetch_body("<p>x</p>" * 1_000, max_bytes=1_000).data
    assert data["truncated"]
    assert "next_start" not in data


def test_twenty_thousand_nested_elements_are_read_in_a_helper(fetch_body: Any) -> None:
    assert fetch_body("<div>" * 20_000 + "deep" + "</div>" * 20_000).data["text"] == "deep"


def test_a_slow_page_ends_at_the_tools_own_limit(fetch: Any) -> None:
    drip: list[bytes | str | float] = ["<p>", 0.1] * 600
    started = time.monotonic()
    with Server(Response(drip, headers=HTML)) as server:
        error = fetch(server.url, timeout=0.5).error
    assert "took longer than 0.5 s" in error
    assert time.monotonic() - started < 20


def test_only_what_the_config_says_is_sent_along(fetch: Any) -> None:
    with Server(Response(["x"], headers=HTML)) as server:
        fetch(server.url, user_agent="Reader/1.0", mode="json")
    headers = dict(server.requests[0].headers)
    assert headers.pop("host") == f"127.0.0.1:{server.port}"
    assert headers == {
        "accept": "application/json, */*;q=0.5",
        "accept-encoding": "gzip, deflate",
        "connection": "close",
        "user-agent": "Reader/1.0",
    }


def test_the_host_of_a_call_is_known_before_it_is_made(services: Services) -> None:
    tool = Fetch(FetchConfig(), services)
    assert tool.find_host(FetchArguments("https://WWW.Example.com./x")) == "www.example.com"
    assert tool.find_host(FetchArguments("http://0x7f.1/")) == "127.0.0.1"
    assert tool.find_host(FetchArguments("no url")) is None


def test_the_description_says_what_comes(services: Services) -> None:
    assert "as Markdown, with its links" in Fetch(FetchConfig(mode="markdown"), services).describe()
    assert "Gives JSON" in Fetch(FetchConfig(mode="json"), services).describe()


PROBE = """
import asyncio, resource, sys
from agentctl.domain.tool import ToolContext
from agentctl.tools.base import Services
from agentctl.tools.executor import execute
from agentctl.tools.fetch.settings import FetchConfig
from agentctl.tools.fetch.tool import Fetch
services = Services(find_user=lambda _: None, locale="C", time_zone="UTC")
tool = Fetch(FetchConfig(allow_private=True), services)
def run():
    context = ToolContext("x", user_id=None, session_id=None)
    result = asyncio.run(execute(tool, {"url": sys.argv[1]}, context))
    return result, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
_, before = run()
result, after = run()
unit = 1 if sys.platform == "darwin" else 1024
print(result.success, result.data["truncated"], (after - before) * unit)
"""


@pytest.mark.parametrize("unit", [b"<p>x</p>", b"x", b'"\n', "é".encode("latin-1"), "日".encode()])
def test_a_bomb_of_256_megabytes_costs_at_most_20(unit: bytes) -> None:
    packer = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)
    piece = unit * (1_000_000 // len(unit))
    body = b"".join(packer.compress(piece) for _ in range(256)) + packer.flush()
    kind = {"content-type": "text/html", "content-encoding": "gzip"}
    # The first one also starts the helper process and loads what reading takes.
    small = Response([gzip.compress(b"<p>hi" * 10_000)], headers=kind)
    with Server(small, Response([body], headers=kind)) as server:
        found = subprocess.run(
            [sys.executable, "-c", PROBE, server.url],
            cwd=Path(agentctl.__file__).parent.parent,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
    success, truncated, cost = found.stdout.split()
    assert (success, truncated) == ("True", "True")
    assert int(cost) < 20_000_000
