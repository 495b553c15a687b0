"""The adapters of providers, and what each of them gets from outside."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentctl.config import Config
from agentctl.domain.deadline import Deadline
from agentctl.domain.model import Provider
from agentctl.providers.base import Runtime

if TYPE_CHECKING:
    from agentctl.app.log import Log
    from agentctl.net.client import HttpClient
    from agentctl.providers.base import Adapter


class Adapters:
    """One adapter for each provider, made when it is first asked for; `deadline` is that of the run."""

    def __init__(self, config: Config, log: Log | None) -> None:
        self.deadline = Deadline()
        self._config = config
        self._log = log
        self._made: dict[str, Adapter] = {}

    @cached_property
    def runtime(self) -> Runtime:
        """What provider adapters get from outside."""
        config = self._config
        return Runtime(
            find_env=config.find_env,
            keys_file=Path(config.home, "keys.json"),
            cache_dir=Path(config.cache_dir),
            run_dir=Path(config.run_dir),
            connect_timeout=config.connect_timeout,
            stream_timeout=config.stream_timeout,
            local_idle=config.local_idle,
            time_left=self.deadline.left,
            make_client=self._make_client,
        )

    def load(self, provider: Provider) -> Adapter:
        """The adapter of a provider; raises ConfigError for one of an unknown kind."""
        if provider.slug not in self._made:
            from agentctl.providers import load_adapter

            self._made[provider.slug] = load_adapter(provider.kind)(provider, self.runtime)
        return self._made[provider.slug]

    async def close(self) -> None:
        """Close the connections of all adapters."""
        for adapter in self._made.values():
            await adapter.close()

    def _make_client(self, url: str, **limits: Any) -> HttpClient:
        if self._log is None:
            from agentctl.net.client import HttpClient

            return HttpClient(url, **limits)
        from agentctl.net.observed import ObservedClient

        return ObservedClient(url, observe=self._log.request, **limits)
