"""The tools of agents made ready to be called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from agentctl.app.tool_secrets import ToolSecrets
from agentctl.app.variables import Variables
from agentctl.config import Config
from agentctl.domain.agent import Agent
from agentctl.domain.blanks import Blanks
from agentctl.store import Store
from agentctl.tools.base import Services

if TYPE_CHECKING:
    from agentctl.chat.toolbox import Toolbox
    from agentctl.domain.session_search import SessionHit, SessionSearch


class Tools:
    """Makes declared tools ready; `services` is what they may ask of the rest of the system."""

    def __init__(self, store: Store, config: Config, find_secrets: Callable[[], Iterable[str]]) -> None:
        self._store = store
        self._find_secrets = find_secrets
        self.services = Services(
            store.users.find,
            config.locale,
            config.time_zone,
            cwd=config.cwd,
            find_variable=Variables(store, config).find,
            find_secret=ToolSecrets(config).find,
            search_sessions=self._search_sessions,
            find_blanks=cache(self._make_blanks),
            results=store.tool_results,
        )

    def _search_sessions(self, search: SessionSearch) -> Sequence[SessionHit]:
        from agentctl.store.session_search import search_messages

        return search_messages(self._store.database, search)

    def toolbox(self, agent: Agent) -> Toolbox:
        """The tools of an agent, ready to run."""
        # Running a tool takes an event loop, which looking at one does not need.
        from agentctl.chat.toolbox import make_toolbox

        # A key that was set meanwhile is known in the next turn.
        services = replace(self.services, find_blanks=cache(self._make_blanks))
        return make_toolbox(self._store, agent, services)

    def _make_blanks(self) -> Blanks:
        return Blanks(self._find_secrets())
