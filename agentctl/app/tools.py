"""The tools of agents made ready: to be described, and to be called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agentctl.config import Config
from agentctl.domain.agent import Agent
from agentctl.domain.tool import Tool
from agentctl.store import Store
from agentctl.tools.base import Services

if TYPE_CHECKING:
    from agentctl.chat.toolbox import Toolbox


class Tools:
    """Makes declared tools ready, with what they may ask of the rest of the system."""

    def __init__(self, store: Store, config: Config) -> None:
        self._store = store
        self._services = Services(store.users.find, config.locale, config.time_zone)

    def describe(self, tool: Tool) -> dict[str, Any]:
        """What a model sees of a tool; raises ConfigError where the tool is not ready."""
        from agentctl.tools.ready import make_ready

        ready = make_ready(tool, {}, self._services)
        return {"description": ready.description, "parameters": dict(ready.parameters)}

    def toolbox(self, agent: Agent) -> Toolbox:
        """The tools of an agent, ready to run."""
        # Running a tool takes an event loop, which a description does not need.
        from agentctl.chat.toolbox import make_toolbox

        return make_toolbox(self._store, agent, self._services)
