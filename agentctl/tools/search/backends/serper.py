"""Serper: Google's results, with a key. It has no word for safe search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentctl.tools.search.backend import Backend, Found, Question, Sent

_SINCE = {"day": "qdr:d", "week": "qdr:w", "month": "qdr:m", "year": "qdr:y"}


def _ask(question: Question) -> Sent:
    body: dict[str, Any] = {"q": question.with_site, "num": question.most}
    if question.since:
        body["tbs"] = _SINCE[question.since]
    if question.language:
        body["hl"] = question.language.lower()
    return Sent("/search", body=body)


def _read(answer: Any) -> Iterator[Found]:
    for each in answer.get("organic", ()):
        yield Found(each["title"], each["link"], each.get("snippet"), each.get("date"))


SERPER = Backend(
    base_url="https://google.serper.dev",
    api_key_env="SERPER_API_KEY",
    key_header=lambda key: {"x-api-key": key},
    ask=_ask,
    read=_read,
)
