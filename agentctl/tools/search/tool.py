"""The tool type `search`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from agentctl.domain.ids import now_ms
from agentctl.domain.tool import ToolContext
from agentctl.errors import CredentialsError
from agentctl.net.address import find_origin
from agentctl.tools.base import Fault, Holding, Risk, ToolError, ToolType
from agentctl.tools.search.backends import BACKENDS, load_backend
from agentctl.tools.search.config import SearchArguments, SearchConfig

_HOW = "set config: {backend: ...} in tools.yaml (brave, duckduckgo, searxng, serper, sessions or tavily)"
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
_DAY = 86_400_000


class Search(ToolType):
    """Searches the web, or the user's own sessions; where, its config says."""

    type = "search"
    description = (
        "Searches the web and lists pages with title, url, snippet and date. "
        'Example: {"query": "sqlite wal mode"}.'
    )
    Arguments = SearchArguments
    Config = SearchConfig
    risk: ClassVar[Risk] = "network"

    config: SearchConfig

    @classmethod
    def check_config(cls, config: SearchConfig) -> list[Fault]:
        """Every fault of a config whose keys are right each by itself."""
        faults = []
        if config.backend == "searxng" and not config.base_url:
            faults.append(Fault("backend", "searxng needs base_url: where it runs"))
        if config.api_key_env and config.key:
            faults.append(Fault("key", "give api_key_env or key, not both"))
        if config.base_url and find_origin(config.base_url) is None:
            faults.append(Fault("base_url", "has no host, or a port that is none"))
        if config.backend and config.backend not in BACKENDS:
            for name in ("base_url", "api_key_env", "key"):
                if getattr(config, name):
                    faults.append(Fault(name, f"means nothing for the backend {config.backend}"))
        return faults

    @classmethod
    def find_routes(cls, config: SearchConfig) -> list[tuple[Mapping[str, str], str]]:
        """The key of the backend, if it has one."""
        if config.backend not in BACKENDS:
            return []
        backend = load_backend(config.backend)
        variable = config.api_key_env or backend.api_key_env
        reference = {"key": config.key} if config.key else {"env": variable} if variable else None
        origin = find_origin(config.base_url or backend.base_url or "") or ""
        return [(reference, origin)] if reference else []

    @classmethod
    def risk_of(cls, config: SearchConfig) -> Risk:
        """One's own sessions are read without a network."""
        return "read" if config.backend == "sessions" else cls.risk

    def describe(self) -> str:
        """What is searched."""
        if self.config.backend == "sessions":
            return (
                "Searches the user's earlier conversations and lists messages with session, snippet and date."
            )
        return self.description

    def arguments_schema(self) -> dict[str, Any]:
        """Without `site` where nothing has one."""
        schema = super().arguments_schema()
        if self.config.backend == "sessions":
            del schema["properties"]["site"]
        return schema

    def find_obstacle(self) -> str | None:
        """What is missing: a backend, its key, its library. Nothing is sent to find out."""
        backend = self.config.backend
        if backend is None:
            return f"search has no backend: {_HOW}"
        if backend == "documents":
            return "the backend documents cannot be used yet, for there are no documents"
        if backend == "duckduckgo":
            return _find_missing_library()
        try:
            self._find_key()
        except CredentialsError as error:
            return error.message
        return None

    def find_surroundings(self, context: ToolContext) -> str:
        """One's own sessions are searched without the one that asks."""
        around = super().find_surroundings(context)
        return f"{around} {context.session_id}" if self.config.backend == "sessions" else around

    def find_holdings(self) -> tuple[Holding, ...]:
        """What strangers wrote, or what belongs to the user."""
        return ("private",) if self.config.backend == "sessions" else ("untrusted",)

    async def run(self, arguments: SearchArguments, context: ToolContext) -> dict[str, Any]:
        """`results`, best first; those of sessions have `session` and `role` in place of `url`."""
        obstacle = self.find_obstacle()
        if obstacle:
            raise ToolError(obstacle)
        if self.config.backend == "sessions":
            return {"results": self._search_sessions(arguments, context)}
        return {"results": await self._search_web(arguments)}

    async def _search_web(self, arguments: SearchArguments) -> list[dict[str, Any]]:
        from agentctl.tools.search.backend import Question
        from agentctl.tools.search.results import show_web

        config = self.config
        count = arguments.count or config.max_results
        question = Question(
            arguments.query, count, arguments.site, arguments.since, config.language, config.safe
        )
        if config.backend == "duckduckgo":
            from agentctl.tools.search.duckduckgo import search_duckduckgo

            return show_web(await search_duckduckgo(question, config.timeout))
        from agentctl.tools.search.web import search_web

        backend = load_backend(config.backend or "")
        return show_web(await search_web(config, backend, question, self._find_key))

    def _search_sessions(self, arguments: SearchArguments, context: ToolContext) -> list[dict[str, Any]]:
        from agentctl.domain.session_search import SessionSearch
        from agentctl.tools.search.results import show_sessions

        if context.user_id is None:
            raise ToolError("this tool needs a user")
        since = now_ms() - _DAYS[arguments.since] * _DAY if arguments.since else 0
        count = arguments.count or self.config.max_results
        search = SessionSearch(context.user_id, arguments.query, count, since, context.session_id)
        return show_sessions(self.services.search_sessions(search))

    def _find_key(self) -> str | None:
        """The key of the backend, None where it needs none. Raises CredentialsError where it is missing."""
        for reference, origin in self.find_routes(self.config):
            return self.services.find_secret(reference, origin)
        return None


def _find_missing_library() -> str | None:
    from agentctl.tools.search.duckduckgo import is_installed

    if is_installed():
        return None
    from agentctl.domain.distribution import distribution_name

    return f"the backend duckduckgo needs the package ddgs: pip install '{distribution_name()}[search]'"
