"""Tavily: search made for models, with a key. It has no word for language and safe search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentctl.tools.search.backend import Backend, Found, Question, Sent


def _ask(question: Question) -> Sent:
    body: dict[str, Any] = {"query": question.text, "max_results": question.most}
    if question.site:
        body["include_domains"] = [question.site]
    if question.since:
        body["time_range"] = question.since
    return Sent("/search", body=body)


def _read(answer: Any) -> Iterator[Found]:
    for each in answer["results"]:
        yield Found(each["title"], each["url"], each.get("content"), each.get("published_date"))


TAVILY = Backend(
    base_url="https://api.tavily.com",
    api_key_env="TAVILY_API_KEY",
    key_header=lambda key: {"authorization": f"Bearer {key}"},
    ask=_ask,
    read=_read,
    hints={432: "the plan's limit is reached", 433: "the pay-as-you-go limit is reached"},
)
