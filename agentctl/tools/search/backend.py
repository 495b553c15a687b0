"""What a backend is: how a question is put to it, and how its answer is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from agentctl.tools.search.config import Safe, Since


class Question(NamedTuple):
    """What is searched for; `language` as in `de-AT`."""

    text: str
    most: int
    site: str | None = None
    since: Since | None = None
    language: str | None = None
    safe: Safe = "moderate"

    @property
    def with_site(self) -> str:
        """The text with the site in the operator that most engines know."""
        return f"{self.text} site:{self.site}" if self.site else self.text


class Sent(NamedTuple):
    """A request to a backend: a path below its address, with a query (GET) or a JSON body (POST)."""

    path: str
    query: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None


class Found(NamedTuple):
    """One result as a backend gives it; texts may hold markup."""

    title: Any
    url: Any
    snippet: Any
    date: Any = None


class Backend(NamedTuple):
    """One web search API. `key_header` gives the headers that carry a key."""

    base_url: str | None
    api_key_env: str | None
    key_header: Callable[[str], Mapping[str, str]]
    ask: Callable[[Question], Sent]
    read: Callable[[Any], Iterable[Found]]
    hints: Mapping[int, str] = {}
