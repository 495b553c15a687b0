"""The tool type `search`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from agentctl.domain.ids import now_ms
from agentctl.domain.tool import ToolContext
from agentctl.errors import CredentialsError
from agentctl.net.address import find_origin
from agentctl.tools.base import Fault, Holding, Risk, ToolError, ToolType
from agentctl.tools.document.reach import find_marked
from agentctl.tools.document.tool import NEEDS_USER
from agentctl.tools.search.backends import BACKENDS, load_backend
from agentctl.tools.search.config import SearchArguments, SearchConfig

_HOW = (
    "set config: {backend: ...} in tools.yaml"
    " (brave, documents, duckduckgo, searxng, serper, sessions or tavily)"
)
# Backends that look into what belongs to the user.
OWN = ("documents", "sessions")
_DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
_DAY = 86_400_000


class Search(ToolType):
    """Searches the web, or the user's own sessions or documents; where, its config says."""

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
        """What is one's own is read without a network."""
        return "read" if config.backend in OWN else cls.risk

    def describe(self) -> str:
        """What is searched."""
        if self.config.backend == "sessions":
            return (
                "Searches the user's earlier conversations and lists messages with session, snippet and date."
            )
        if self.config.backend == "documents":
            return (
                "Searches the user's documents and memories and lists them with id, title, snippet and date."
            )
        return self.description

    def arguments_schema(self) -> dict[str, Any]:
        """Without `site` where nothing has one."""
        schema = super().arguments_schema()
        if self.config.backend in OWN:
            del schema["properties"]["site"]
        return schema

    def find_obstacle(self) -> str | None:
        """What is missing: a backend, its key, its library. Nothing is sent to find out."""
        backend = self.config.backend
        if backend is None:
            return f"search has no backend: {_HOW}"
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
        return ("private",) if self.config.backend in OWN else ("untrusted",)

    def find_held(self, data: Any) -> tuple[Holding, ...]:
        """A document that was stored after untrusted text was read is as untrusted."""
        return find_marked(data) if self.config.backend == "documents" else ()

    async def run(self, arguments: SearchArguments, context: ToolContext) -> dict[str, Any]:
        """`results`, best first; in place of `url` sessions have `session` and `role`, documents `id`."""
        obstacle = self.find_obstacle()
        if obstacle:
            raise ToolError(obstacle)
        if self.config.backend == "sessions":
            return {"results": self._search_sessions(arguments, context)}
        if self.config.backend == "documents":
            return {"results": self._search_documents(arguments, context)}
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
            raise ToolError(NEEDS_USER)
        count = arguments.count or self.config.max_results
        since = _since(arguments) or 0
        search = SessionSearch(context.user_id, arguments.query, count, since, context.session_id)
        return show_sessions(self.services.search_sessions(search))

    def _search_documents(self, arguments: SearchArguments, context: ToolContext) -> list[dict[str, Any]]:
        from agentctl.domain.document import DocumentFilter
        from agentctl.tools.search.results import show_documents

        if context.user_id is None:
            raise ToolError(NEEDS_USER)
        wanted = DocumentFilter(
            query=arguments.query,
            since=_since(arguments),
            page_size=arguments.count or self.config.max_results,
        )
        return show_documents(self.services.documents().search(context.user_id, wanted).items)

    def _find_key(self) -> str | None:
        """The key of the backend, None where it needs none. Raises CredentialsError where it is missing."""
        for reference, origin in self.find_routes(self.config):
            return self.services.find_secret(reference, origin)
        return None


def _since(arguments: SearchArguments) -> int | None:
    """The first moment that is new enough, in milliseconds UTC."""
    return now_ms() - _DAYS[arguments.since] * _DAY if arguments.since else None


def _find_missing_library() -> str | None:
    from agentctl.tools.search.duckduckgo import is_installed

    if is_installed():
        return None
    from agentctl.domain.distribution import distribution_name

    return f"the backend duckduckgo needs the package ddgs: pip install '{distribution_name()}[search]'"
