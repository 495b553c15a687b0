"""DuckDuckGo through its library: what the library is asked, and that it may be missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agentctl.errors import ConfigError
from agentctl.tools.search.duckduckgo import is_installed
from tests.tools.http_calls import call_tool

# The library as far as it is used here: `DDGS(timeout=...).text(query, ...)` gives title, href and body.
LIBRARY = """
from ddgs.exceptions import DDGSException, TimeoutException

class DDGS:
    def __init__(self, proxy=None, timeout=5):
        self.timeout = timeout

    def text(self, query, region="us-en", safesearch="moderate", timelimit=None, max_results=10, page=1,
             backend="auto"):
        if query == "nothing":
            raise DDGSException("No results found.")
        if query == "slow":
            raise TimeoutException("timed out")
        said = [query, region, safesearch, timelimit, max_results, backend, self.timeout]
        return [{"title": "<b>T</b>", "href": "https://a.example/", "body": repr(said)}] * 30
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A stand-in for the library, for this test only."""
    folder = tmp_path / "site" / "ddgs"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(LIBRARY)
    (folder / "exceptions.py").write_text(
        "class DDGSException(Exception): ...\nclass TimeoutException(DDGSException): ...\n"
    )
    kept = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "ddgs"}
    for name in kept:
        del sys.modules[name]
    monkeypatch.syspath_prepend(folder.parent)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "ddgs"]:
        del sys.modules[name]
    sys.modules.update(kept)


def search(arguments: dict[str, Any], **config: Any) -> Any:
    return call_tool("search", {"backend": "duckduckgo", **config}, arguments)


@pytest.mark.skipif(is_installed(), reason="the library is installed")
def test_without_the_library_it_says_how_to_install_it() -> None:
    with pytest.raises(ConfigError, match=r"needs the package ddgs: pip install 'agentctl-cli\[search\]'"):
        search({"query": "x"})


@pytest.mark.usefixtures("library")
def test_the_library_is_asked_in_its_own_words() -> None:
    arguments = {"query": "wal", "count": 3, "site": "a.example", "since": "month"}
    results = search(arguments, language="de-AT", safe="strict", timeout=7).data["results"]
    assert len(results) == 3
    assert results[0] == {
        "title": "T",
        "url": "https://a.example/",
        "snippet": "['wal site:a.example', 'at-de', 'on', 'm', 3, 'duckduckgo', 7]",
        "date": None,
    }


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("language", "region"),
    [(None, "wt-wt"), ("en", "us-en"), ("zh", "cn-zh"), ("fr", "fr-fr"), ("en-GB", "gb-en")],
)
def test_a_language_becomes_a_region(language: str | None, region: str) -> None:
    (first, *_) = search({"query": "x"}, **({"language": language} if language else {})).data["results"]
    assert f"'{region}'" in first["snippet"]


@pytest.mark.usefixtures("library")
def test_nothing_found_and_failures_are_told_apart() -> None:
    assert search({"query": "nothing"}).data == {"results": []}
    assert search({"query": "slow"}).error == "duckduckgo: timed out"
