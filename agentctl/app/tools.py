"""The tools of agents made ready to be called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agentctl.app.tool_secrets import ToolSecrets
from agentctl.app.variables import Variables
from agentctl.config import Config
from agentctl.domain.agent import Agent
from agentctl.domain.session_search import SessionHit, SessionSearch
from agentctl.store import Store
from agentctl.tools.base import Services

if TYPE_CHECKING:
    from agentctl.chat.toolbox import Toolbox


class Tools:
    """Makes declared tools ready; `services` is what they may ask of the rest of the system."""

    def __init__(self, store: Store, config: Config) -> None:
        self._store = store
        self.services = Services(
            store.users.find,
            config.locale,
            config.time_zone,
            cwd=config.cwd,
            find_variable=Variables(store, config).find,
            find_secret=ToolSecrets(config).find,
            search_sessions=self._search_sessions,
        )

    def _search_sessions(self, search: SessionSearch) -> Sequence[SessionHit]:
        from agentctl.store.session_search import search_messages

        return search_messages(self._store.database, search)

    def toolbox(self, agent: Agent) -> Toolbox:
        """The tools of an agent, ready to run."""
        # Running a tool takes an event loop, which looking at one does not need.
        from agentctl.chat.toolbox import make_toolbox

        return make_toolbox(self._store, agent, self.services)
