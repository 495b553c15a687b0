"""The variables of the environment that a program may have which a tool starts."""

from __future__ import annotations

from functools import cached_property

from agentctl.config import Config
from agentctl.domain.model import Provider
from agentctl.store import Store

OWN_PREFIX = "AGENTCTL_"


class Variables:
    """The environment without the keys of providers, and without what leads to agentctl's own files."""

    def __init__(self, store: Store, config: Config) -> None:
        self._store = store
        self._config = config

    def find(self, name: str) -> str | None:
        """The value of a variable; None where it is not set, and where it is withheld."""
        text = self._config.find_env(name)
        if text is None or name.upper().startswith(OWN_PREFIX) or name in self._keys:
            return None
        return None if any(path in text for path in (self._config.home, self._config.db)) else text

    @cached_property
    def _keys(self) -> set[str]:
        """Those of all users' providers and of tools: whose run it is makes a key no less secret."""
        from agentctl.app.tool_secrets import find_key_variables
        from agentctl.providers import BUILT_IN

        providers: list[Provider] = [*BUILT_IN.values(), *self._store.providers.list_all()]
        return find_key_variables(self._store).union(*(provider.key_variables for provider in providers))
