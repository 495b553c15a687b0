"""A search that cannot work says why before anything is sent; one that nobody configured keeps silent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentctl.domain.tool import Tool, ToolContext
from agentctl.errors import ConfigError
from agentctl.tools.base import Services, ToolError
from agentctl.tools.ready import NotConfiguredError, make_ready
from agentctl.tools.search.config import SearchArguments, SearchConfig
from agentctl.tools.search.tool import Search
from tests.tools.http_calls import SERVICES


def test_without_a_backend_it_is_not_configured() -> None:
    with pytest.raises(NotConfiguredError, match=r"search has no backend: set config: \{backend: ...\}"):
        make_ready(Tool("search", "S", "search"), {}, SERVICES)


@pytest.mark.parametrize(
    ("config", "obstacle"),
    [
        ({"max_results": 3}, "search has no backend"),
        ({"backend": "brave"}, "set BRAVE_API_KEY"),
        ({"backend": "tavily", "api_key_env": "MY_KEY"}, "set MY_KEY"),
    ],
)
def test_what_somebody_configured_wrongly_is_an_error(config: dict[str, Any], obstacle: str) -> None:
    with pytest.raises(ConfigError, match=obstacle) as error:
        make_ready(Tool("search", "S", "search", config=config), {}, SERVICES)
    assert not isinstance(error.value, NotConfiguredError)


def test_a_call_that_comes_all_the_same_reads_why() -> None:
    import asyncio

    search = Search(SearchConfig(), SERVICES)
    with pytest.raises(ToolError, match="search has no backend"):
        asyncio.run(search.run(SearchArguments(query="x"), ToolContext("s", 1, None)))


def test_a_chat_is_not_warned_of_a_search_that_nobody_configured(
    run: Callable[..., Any], script: Callable[..., str]
) -> None:
    result = run(f"chat default hi -m {script({'text': 'hello'})} -o json").json()
    assert result["warnings"] == []


def test_a_chat_is_warned_once_of_one_that_cannot_work(
    run: Callable[..., Any], script: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / "tools.yaml").write_text("tools: [{slug: search, type: search, config: {backend: brave}}]")
    (tmp_path / "agents.yaml").write_text("agents: [{slug: a, tools: [search]}]")
    run("apply --yes")
    warnings = run(f"chat a hi -m {script({'text': 'hello'})} -o json").json()["warnings"]
    assert [warning["kind"] for warning in warnings] == ["tool_not_ready"]
    assert "set BRAVE_API_KEY" in warnings[0]["message"]


def test_own_sessions_are_read_without_a_network() -> None:
    ready = make_ready(Tool("s", "S", "search", config={"backend": "sessions"}), {}, SERVICES)
    assert ready.instance.find_risk() == "read"
    assert ready.instance.find_holdings() == ("private",)
    assert "site" not in ready.parameters["properties"]


def test_the_web_is_the_words_of_strangers() -> None:
    config = {"backend": "brave", "api_key_env": "WEATHER_KEY"}
    ready = make_ready(Tool("s", "S", "search", config=config), {}, SERVICES)
    assert ready.instance.find_risk() == "network"
    assert ready.instance.find_holdings() == ("untrusted",)
    assert not ready.needs_approval


def test_without_a_user_there_are_no_sessions() -> None:
    import asyncio

    search = Search(SearchConfig(backend="sessions"), Services(lambda _: None, "C", "UTC"))
    with pytest.raises(ToolError, match="this tool needs a user"):
        asyncio.run(search.run(SearchArguments(query="x"), ToolContext("s", None, None)))
