"""SearXNG: a metasearch engine that one runs oneself, without a key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentctl.tools.search.backend import Backend, Found, Question, Sent

_SAFE = {"off": 0, "moderate": 1, "strict": 2}


def _ask(question: Question) -> Sent:
    query: dict[str, Any] = {
        "q": question.with_site,
        "format": "json",
        "safesearch": _SAFE[question.safe],
    }
    if question.since:
        query["time_range"] = question.since
    if question.language:
        query["language"] = question.language
    return Sent("/search", query=query)


def _read(answer: Any) -> Iterator[Found]:
    for each in answer["results"]:
        yield Found(each["title"], each["url"], each.get("content"), each.get("publishedDate"))


SEARXNG = Backend(
    base_url=None,
    api_key_env=None,
    key_header=lambda key: {"authorization": f"Bearer {key}"},
    ask=_ask,
    read=_read,
    hints={403: "its settings.yml must list json under search.formats"},
)
