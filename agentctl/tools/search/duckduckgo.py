"""DuckDuckGo through the library `ddgs`, whose connections are its own and pass no address guard."""

from __future__ import annotations

import asyncio
from typing import Any

from agentctl.tools.base import ToolError
from agentctl.tools.search.backend import Found, Question

_SAFE = {"off": "off", "moderate": "moderate", "strict": "on"}
_REGIONS = {"en": "us-en", "ja": "jp-jp", "ko": "kr-kr", "zh": "cn-zh"}
ANYWHERE = "wt-wt"


def is_installed() -> bool:
    """Whether the library is there; it is not loaded for that."""
    from importlib.util import find_spec

    return find_spec("ddgs") is not None


async def search_duckduckgo(question: Question, seconds: float) -> list[Found]:
    """What DuckDuckGo finds. Raises ToolError with the library's own words."""
    return await asyncio.to_thread(_search, question, seconds)


def _search(question: Question, seconds: float) -> list[Found]:
    from ddgs import DDGS
    from ddgs.exceptions import DDGSException

    options: dict[str, Any] = {
        "region": _find_region(question.language),
        "safesearch": _SAFE[question.safe],
        "timelimit": question.since[0] if question.since else None,
        "max_results": question.most,
        "backend": "duckduckgo",
    }
    try:
        rows = DDGS(timeout=max(1, int(seconds))).text(question.with_site, **options)
    except DDGSException as error:
        if "no results" in str(error).lower():
            return []
        raise ToolError(f"duckduckgo: {error}") from None
    return [Found(row["title"], row["href"], row.get("body")) for row in rows][: question.most]


def _find_region(language: str | None) -> str:
    """Country and language, in the order of the library."""
    if language is None:
        return ANYWHERE
    short, _, country = language.lower().partition("-")
    return f"{country}-{short}" if len(country) == 2 else _REGIONS.get(short, f"{short}-{short}")
