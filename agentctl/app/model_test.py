"""Runs the test of a model, keeps what it used, and says what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from agentctl.chat.probe import Probe, probe
from agentctl.domain.message import Usage
from agentctl.domain.model import Provider, ResolvedModel
from agentctl.domain.usage import Payer, sum_usd
from agentctl.domain.user import User
from agentctl.models.pricing import cost
from agentctl.providers.base import Adapter
from agentctl.store import Store


class ModelTest:
    """Tests models for one user. `disconnect` lets go of the connections that they were asked over."""

    def __init__(
        self,
        store: Store,
        user: User,
        load_adapter: Callable[[Provider], Adapter],
        disconnect: Callable[[], Awaitable[None]],
    ) -> None:
        self._store = store
        self._user = user
        self._load_adapter = load_adapter
        self._disconnect = disconnect

    def run(self, model: ResolvedModel, seconds: float) -> dict[str, Any]:
        """Two tiny requests of at most `seconds` each; `exit_code` is that of the fault, 0 without one."""
        return asyncio.run(self._run(model, seconds))

    async def _run(self, model: ResolvedModel, seconds: float) -> dict[str, Any]:
        costs: list[float | None] = []

        def record(usage: Usage | None) -> None:
            costs.append(cost(model.model, usage))
            self._store.usage.record(Payer(self._user.id), model.origin, "test", usage, costs[-1])

        try:
            found = await probe(model, self._load_adapter(model.provider), seconds=seconds, record=record)
        finally:
            await self._disconnect()
        return _describe(model, found, None if None in costs else sum_usd(costs))


def _describe(model: ResolvedModel, found: Probe, cost_usd: float | None) -> dict[str, Any]:
    return {
        "model": model.reference,
        "provider": model.provider.slug,
        "base_url": model.provider.base_url,
        "first_delta_ms": found.first_delta_ms,
        "duration_ms": found.duration_ms,
        "checks": [check.as_dict() for check in found.checks],
        "usage": found.usage.as_dict() if found.usage else None,
        "cost_usd": cost_usd,
        "exit_code": found.error.code if found.error else 0,
    }
