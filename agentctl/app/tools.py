"""The tools of agents made ready to be called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from agentctl.config import Config
from agentctl.domain.agent import Agent
from agentctl.domain.blanks import Blanks
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.chat.toolbox import Toolbox
    from agentctl.domain.session_search import SessionHit, SessionSearch
    from agentctl.tools.base import Services
    from agentctl.tools.document.desk import Desk


class Tools:
    """Makes declared tools ready; what they need is built when there is one."""

    def __init__(self, store: Store, config: Config, find_secrets: Callable[[], Iterable[str]]) -> None:
        self._store = store
        self._config = config
        self._find_secrets = find_secrets

    @cached_property
    def services(self) -> Services:
        """What tools may ask of the rest of the system."""
        from agentctl.app.tool_secrets import ToolSecrets
        from agentctl.app.variables import Variables
        from agentctl.tools.base import Services

        config = self._config
        return Services(
            self._store.users.find,
            config.locale,
            config.time_zone,
            cwd=config.cwd,
            find_variable=Variables(self._store, config).find,
            find_secret=ToolSecrets(config).find,
            search_sessions=self._search_sessions,
            find_blanks=cache(self._make_blanks),
            results=self._store.tool_results,
            documents=self._desk,
        )

    def _desk(self) -> Desk:
        from agentctl.app.documents import Documents

        return Documents(self._store).desk()

    def _search_sessions(self, search: SessionSearch) -> Sequence[SessionHit]:
        from agentctl.store.session_search import search_messages

        return search_messages(self._store.database, search)

    def toolbox(self, agent: Agent) -> Toolbox:
        """The tools of an agent, ready to run."""
        # Running a tool takes an event loop, which looking at one does not need.
        from agentctl.chat.toolbox import Toolbox, make_toolbox

        # A key that was set meanwhile is known in the next turn.
        find_blanks = cache(self._make_blanks)
        if not agent.tools:
            return Toolbox(find_blanks=find_blanks)
        return make_toolbox(self._store, agent, replace(self.services, find_blanks=find_blanks))

    def _make_blanks(self) -> Blanks:
        return Blanks(self._find_secrets())
