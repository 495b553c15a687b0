"""Web search backends as they are documented, played on loopback: what is asked, what comes of the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from agentctl.domain.tool import ToolResult
from agentctl.tools.config import read_config
from agentctl.tools.search.backends import BACKENDS, load_backend
from agentctl.tools.search.tool import Search
from tests.loopback import Response, Server, json_body
from tests.tools.http_calls import KEYS, call_tool

SECRET = KEYS["WEATHER_KEY"]
# Answers in the shapes of the makers' own documentation.
BRAVE = {
    "type": "search",
    "web": {
        "type": "search",
        "results": [
            {
                "title": "SQLite &amp; <strong>WAL</strong>",
                "url": "https://sqlite.org/wal.html",
                "description": "Write-ahead <strong>log</strong>\n of SQLite",
                "page_age": "2026-03-01T10:00:00",
                "age": "March 1, 2026",
                "language": "en",
            },
            {"title": "No date", "url": "https://b.example/", "description": "two"},
        ],
    },
}
SEARXNG = {
    "query": "x",
    "number_of_results": 0,
    "results": [
        {
            "url": "https://sqlite.org/wal.html",
            "title": "SQLite & WAL",
            "content": "Write-ahead log of SQLite",
            "publishedDate": "2026-03-01T00:00:00",
            "engine": "bing",
            "score": 1.0,
        },
        {"url": "https://b.example/", "title": "No date", "content": "two", "publishedDate": None},
    ],
}
TAVILY = {
    "query": "x",
    "results": [
        {
            "title": "SQLite & WAL",
            "url": "https://sqlite.org/wal.html",
            "content": "Write-ahead log of SQLite",
            "score": 0.9,
            "published_date": "2026-03-01",
        },
        {"title": "No date", "url": "https://b.example/", "content": "two", "score": 0.1},
    ],
    "response_time": 0.5,
}
SERPER = {
    "searchParameters": {"q": "x", "type": "search"},
    "organic": [
        {
            "title": "SQLite & WAL",
            "link": "https://sqlite.org/wal.html",
            "snippet": "Write-ahead log of SQLite",
            "date": "2026-03-01",
            "position": 1,
        },
        {"title": "No date", "link": "https://b.example/", "snippet": "two", "position": 2},
    ],
}
ANSWERS = {"brave": BRAVE, "searxng": SEARXNG, "serper": SERPER, "tavily": TAVILY}
RESULTS = [
    {
        "title": "SQLite & WAL",
        "url": "https://sqlite.org/wal.html",
        "snippet": "Write-ahead log of SQLite",
        "date": "2026-03-01",
    },
    {"title": "No date", "url": "https://b.example/", "snippet": "two", "date": None},
]


def search(server: Server, backend: str, arguments: Mapping[str, Any], **config: Any) -> ToolResult:
    whole = {"backend": backend, "base_url": server.url, "api_key_env": "WEATHER_KEY", **config}
    return call_tool("search", whole, arguments)


def query(server: Server) -> dict[str, str]:
    """The parameters of the first request."""
    return {name: texts[0] for name, texts in parse_qs(urlsplit(server.requests[0].target).query).items()}


def test_every_backend_is_played_here() -> None:
    assert sorted(BACKENDS) == sorted(ANSWERS)


@pytest.mark.parametrize("backend", BACKENDS)
def test_results_look_the_same_whoever_found_them(backend: str) -> None:
    with Server(json_body(ANSWERS[backend])) as server:
        assert search(server, backend, {"query": "sqlite wal"}).data == {"results": RESULTS}
        assert search(server, backend, {"query": "sqlite wal", "count": 1}).data == {"results": RESULTS[:1]}


ALL = {"query": "北京 weather", "count": 7, "site": "example.com", "since": "week"}


def test_brave_is_asked_in_its_own_words() -> None:
    with Server(json_body(BRAVE)) as server:
        search(server, "brave", ALL, language="ja", safe="strict")
        request = server.requests[0]
        assert query(server) == {
            "q": "北京 weather site:example.com",
            "count": "7",
            "freshness": "pw",
            "safesearch": "strict",
            "search_lang": "jp",
            "text_decorations": "false",
        }
    assert (request.method, urlsplit(request.target).path) == ("GET", "/res/v1/web/search")
    assert request.headers["x-subscription-token"] == SECRET


def test_searxng_is_asked_in_its_own_words_and_needs_no_key() -> None:
    with Server(json_body(SEARXNG)) as server:
        config = {
            "backend": "searxng",
            "base_url": f"{server.url}/searx/",
            "language": "de-AT",
            "safe": "off",
        }
        assert call_tool("search", config, ALL).success
        request = server.requests[0]
        assert query(server) == {
            "q": "北京 weather site:example.com",
            "format": "json",
            "language": "de-AT",
            "safesearch": "0",
            "time_range": "week",
        }
    assert urlsplit(request.target).path == "/searx/search"
    assert "authorization" not in request.headers


def test_tavily_is_asked_in_its_own_words() -> None:
    with Server(json_body(TAVILY)) as server:
        search(server, "tavily", ALL)
        request = server.requests[0]
    assert (request.method, request.target) == ("POST", "/search")
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    assert request.json == {
        "query": "北京 weather",
        "max_results": 7,
        "include_domains": ["example.com"],
        "time_range": "week",
    }


def test_serper_is_asked_in_its_own_words() -> None:
    with Server(json_body(SERPER)) as server:
        search(server, "serper", ALL, language="de-AT")
        request = server.requests[0]
    assert (request.method, request.target) == ("POST", "/search")
    assert request.headers["x-api-key"] == SECRET
    assert request.json == {"q": "北京 weather site:example.com", "num": 7, "tbs": "qdr:w", "hl": "de-at"}


@pytest.mark.parametrize(
    ("language", "spelt"),
    [
        ("en-US", "en"),
        ("en-GB", "en-gb"),
        ("zh", "zh-hans"),
        ("zh-TW", "zh-hant"),
        ("pt-BR", "pt-br"),
        ("de", "de"),
    ],
)
def test_brave_spells_some_languages_its_own_way(language: str, spelt: str) -> None:
    with Server(json_body(BRAVE)) as server:
        search(server, "brave", {"query": "x"}, language=language)
        assert query(server)["search_lang"] == spelt


@pytest.mark.parametrize("backend", BACKENDS)
def test_nothing_found_is_no_error(backend: str) -> None:
    empty: dict[str, Any] = {"brave": {"type": "search"}, "serper": {}}.get(backend, {"results": []})
    with Server(json_body(empty)) as server:
        assert search(server, backend, {"query": "x"}).data == {"results": []}


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_answer_of_another_shape_is_told_in_words(backend: str) -> None:
    with Server(json_body([1, 2])) as server:
        assert (
            search(server, backend, {"query": "x"}).error
            == f"{backend} answered with something else than results"
        )


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_refused_key_is_told_without_the_key(backend: str) -> None:
    with Server(Response([f"bad key {SECRET}"], 401, {"content-type": "text/plain"}, length=True)) as server:
        result = search(server, backend, {"query": "x"})
    assert result.error == f"{backend} answered 401: bad key ***"


def test_a_searxng_without_json_says_how_to_allow_it() -> None:
    with Server(Response(["<html>"], 403, {"content-type": "text/html"}, length=True)) as server:
        error = search(server, "searxng", {"query": "x"}).error
    assert error == "searxng answered 403: an HTML page; its settings.yml must list json under search.formats"


def test_a_limit_says_when_to_try_again() -> None:
    with Server(json_body({"error": "slow down"}, 429, retry_after="30")) as server:
        assert "answered 429 (try again in 30 s)" in (search(server, "brave", {"query": "x"}).error or "")


def test_the_key_goes_to_no_other_origin() -> None:
    with Server(json_body(BRAVE)) as other:
        moved = Response(status=302, headers={"location": other.url}, length=True)
        with Server(moved) as server:
            result = search(server, "brave", {"query": "x"})
        assert other.requests == []
    assert "redirect" in (result.error or "")


def test_what_a_page_says_comes_as_plain_text_of_bounded_length() -> None:
    odd = [
        {"title": "<b>T</b> &lt;x&gt; 1 < 2", "url": "https://a.example/", "content": "y " * 9_000},
        {"title": "script", "url": "javascript:alert(1)", "content": "x"},
        {"title": None, "url": "https://c.example/", "content": 3},
        {"title": "long", "url": "https://d.example/" + "x" * 3_000, "content": "x"},
    ]
    with Server(json_body({"results": odd})) as server:
        results = search(server, "tavily", {"query": "x"}).data["results"]
    assert [one["url"] for one in results] == ["https://a.example/", "https://c.example/"]
    assert results[0]["title"] == "T <x> 1 < 2"
    assert len(results[0]["snippet"]) <= 603
    assert (results[1]["title"], results[1]["snippet"]) == ("", "")


def test_a_slow_backend_ends_at_the_deadline() -> None:
    with Server(Response(["{", 30.0])) as server:
        assert "took longer than 0.3 s" in (search(server, "brave", {"query": "x"}, timeout=0.3).error or "")


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"query": ""},
        {"query": "x", "count": 99},
        {"query": "x", "site": "a b"},
        {"query": "x", "since": "hour"},
    ],
)
def test_arguments_are_bounded(arguments: dict[str, Any]) -> None:
    with Server(json_body(BRAVE)) as server:
        assert (search(server, "brave", arguments).error or "").startswith("wrong arguments: ")
        assert server.requests == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_public_addresses_are_those_of_the_makers(backend: str) -> None:
    found = load_backend(backend)
    assert found.base_url is None or found.base_url.startswith("https://")
    assert (found.base_url is None) == (found.api_key_env is None)


@pytest.mark.parametrize(
    ("config", "fault"),
    [
        ({"backend": "google"}, "backend: must be one of brave, documents"),
        ({"backend": "searxng"}, "backend: searxng needs base_url"),
        ({"backend": "brave", "base_url": "https://u:p@h/"}, "base_url: must match"),
        ({"backend": "brave", "base_url": "https://h:99999/"}, "base_url: has no host, or a port"),
        ({"backend": "brave", "api_key_env": "A", "key": "b"}, "key: give api_key_env or key"),
        ({"backend": "brave", "api_key_env": "sk-123"}, "api_key_env: must match"),
        (
            {"backend": "sessions", "base_url": "https://h/"},
            "base_url: means nothing for the backend sessions",
        ),
        ({"backend": "brave", "max_results": 100}, "max_results: must be at most 20"),
        ({"backend": "brave", "language": "german"}, "language: must match"),
    ],
)
def test_a_wrong_config_is_named(config: dict[str, Any], fault: str) -> None:
    faults = read_config(Search, config)[1]
    assert len(faults) == 1
    assert faults[0].startswith(fault)


def test_a_config_of_each_backend_is_sound() -> None:
    for config in ({}, {"backend": "duckduckgo"}, {"backend": "searxng", "base_url": "http://[::1]:8080/s"}):
        assert read_config(Search, json.loads(json.dumps(config)))[1] == []
