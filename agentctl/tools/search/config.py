"""What the config of a `search` tool may say, and what a model may ask of it."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from agentctl.domain.value import value
from agentctl.tools.base import ToolConfig

MOST_RESULTS = 20
Since = Literal["day", "week", "month", "year"]
Safe = Literal["off", "moderate", "strict"]


@value
class SearchArguments:
    """What to look for."""

    query: str = field(
        metadata={"description": "What to search for, in a few words.", "min_length": 1, "max_length": 400}
    )
    count: int | None = field(
        default=None, metadata={"description": "How many results.", "minimum": 1, "maximum": MOST_RESULTS}
    )
    site: str | None = field(
        default=None,
        metadata={
            "description": "Only pages of this site, such as example.com.",
            "pattern": "[A-Za-z0-9.-]*",
            "max_length": 253,
        },
    )
    since: Since | None = field(
        default=None, metadata={"description": "Only what is newer than a day, week, month or year."}
    )


@value
class SearchConfig(ToolConfig):
    """Where is searched, with whose key, and how."""

    backend: Literal["brave", "documents", "duckduckgo", "searxng", "serper", "sessions", "tavily"] | None = (
        field(default=None, metadata={"description": "Where to search; without one the tool is not ready."})
    )
    base_url: str | None = field(
        default=None,
        metadata={
            "description": "Where the backend is: needed for searxng, else its public address.",
            "pattern": r"https?://[^@?#\s{}]+",
            "max_length": 500,
            "security": True,
        },
    )
    api_key_env: str | None = field(
        default=None,
        metadata={
            "description": "The environment variable that holds the key; by default the usual one.",
            "pattern": "[A-Za-z_][A-Za-z0-9_]*",
            "max_length": 100,
        },
    )
    key: str | None = field(
        default=None,
        metadata={
            "description": "A key that agentctl keys set keeps, in place of api_key_env.",
            "pattern": "[A-Za-z0-9._-]+",
            "max_length": 100,
        },
    )
    max_results: int = field(
        default=5,
        metadata={
            "description": "How many results where the model does not say.",
            "minimum": 1,
            "maximum": MOST_RESULTS,
        },
    )
    language: str | None = field(
        default=None,
        metadata={
            "description": "The language of results, such as en, de-AT or zh-CN.",
            "pattern": "[A-Za-z]{2,3}(-[A-Za-z]{2,4})?",
            "max_length": 10,
        },
    )
    safe: Safe = field(default="moderate", metadata={"description": "How much adult content is left out."})
