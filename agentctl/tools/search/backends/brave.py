"""Brave Search: its own index, with a key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentctl.tools.search.backend import Backend, Found, Question, Sent

_FRESHNESS = {"day": "pd", "week": "pw", "month": "pm", "year": "py"}
# Where its codes are not those of the language.
_LANGUAGES = {"ja": "jp", "zh": "zh-hans", "zh-cn": "zh-hans", "zh-hk": "zh-hant", "zh-tw": "zh-hant"}
_WITH_REGION = ("en-gb", "pt-br", "pt-pt", "zh-hans", "zh-hant")


def _ask(question: Question) -> Sent:
    query: dict[str, Any] = {
        "q": question.with_site,
        "count": question.most,
        "safesearch": question.safe,
        "text_decorations": "false",
    }
    if question.since:
        query["freshness"] = _FRESHNESS[question.since]
    if question.language:
        query["search_lang"] = _spell(question.language.lower())
    return Sent("/res/v1/web/search", query=query)


def _spell(language: str) -> str:
    short = language.partition("-")[0]
    known = _LANGUAGES.get(language) or (language if language in _WITH_REGION else None)
    return known or _LANGUAGES.get(short, short)


def _read(answer: Any) -> Iterator[Found]:
    for each in answer.get("web", {}).get("results", ()):
        yield Found(
            each["title"], each["url"], each.get("description"), each.get("page_age") or each.get("age")
        )


BRAVE = Backend(
    base_url="https://api.search.brave.com",
    api_key_env="BRAVE_API_KEY",
    key_header=lambda key: {"x-subscription-token": key},
    ask=_ask,
    read=_read,
)
