"""The adapter for the embedded model."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import ClassVar

from agentctl.domain.message import Usage
from agentctl.domain.model import Model, Provider
from agentctl.net.client import HttpClient
from agentctl.providers.base import Delta, ModelRequest, Notice, Reply, Runtime, StreamItem
from agentctl.providers.local.answering import Answering
from agentctl.providers.local.conversation import read_exchanges
from agentctl.providers.local.endpoint import Endpoint
from agentctl.providers.local.models import ModelFile, locate
from agentctl.providers.local.outcome import tell_literally
from agentctl.providers.local.place import Place, find_place
from agentctl.providers.local.prefix import PrefixCache
from agentctl.providers.local.starter import Starter, find_running
from agentctl.providers.locks import FileLock

IDLE_TIMEOUT = 600.0


class LocalAdapter:
    """Answers on a server that all processes of a user share; one of them at a time, the others wait.

    `local_idle` 0 keeps the server exactly as long as an adapter that has used it is open.
    """

    default_base_url: ClassVar[str | None] = None
    embedded: ClassVar[bool] = True
    inputs: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, provider: Provider, runtime: Runtime) -> None:
        self._provider = provider
        self._runtime = runtime
        prefixes = runtime.cache_dir / "prefixes"
        self._prefixes = PrefixCache(prefixes)
        self._starter = Starter(prefixes, runtime.local_idle)
        self._clients: dict[Path, HttpClient] = {}
        self._kept: dict[Path, FileLock] = {}

    def check(self, model: Model) -> None:
        """Raise ConfigError where the model's file is not there."""
        locate(model.name, self._runtime.cache_dir)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        """Deltas and notices, then one Reply. Raises ConfigError where the model cannot be run here."""
        model = locate(request.model.name, self._runtime.cache_dir)
        told = tell_literally(read_exchanges(request.messages)[-1].outcomes)
        if told is not None and request.purpose == "chat":
            yield Delta("text", told)
            yield Reply(text=told, usage=Usage())
            return
        place = find_place(self._runtime.run_dir, model.path, model.context)
        turn = FileLock(place.turn)
        use = self._kept.get(place.use) or FileLock(place.use)
        try:
            await use.take(shared=True)
            if not turn.try_take():
                yield Notice("waiting", f"waiting for {model.name}, which is answering somebody else")
                await turn.take()
            async with aclosing(self._serve(request, model, place)) as items:
                async for item in items:
                    yield item
        finally:
            turn.release()
            self._leave(place, use)

    async def close(self) -> None:
        """Let go of connections, and of servers that were kept for this adapter."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.close()
        for lock in self._kept.values():
            lock.release()
        self._kept = {}
        self._starter.close()

    async def _serve(
        self, request: ModelRequest, model: ModelFile, place: Place
    ) -> AsyncGenerator[StreamItem, None]:
        connection = find_running(place)
        if connection is None:
            yield Notice("loading", f"loading {model.name}")
            connection = await self._starter.start(place, model)
        endpoint = Endpoint(self._client(connection.socket), connection)
        options = {**self._provider.options, **request.model.options, **request.options}
        answering = Answering(request, model, endpoint, options)
        async with aclosing(answering.items(place, self._prefixes)) as items:
            async for item in items:
                yield item

    def _client(self, socket: Path) -> HttpClient:
        if socket not in self._clients:
            timeout = self._runtime.stream_timeout
            self._clients[socket] = HttpClient(
                "http://localhost",
                connect_timeout=self._runtime.connect_timeout,
                idle_timeout=IDLE_TIMEOUT if timeout is None else timeout,
                uds=socket,
            )
        return self._clients[socket]

    def _leave(self, place: Place, use: FileLock) -> None:
        if self._runtime.local_idle == 0 and use.held:
            kept = self._kept.setdefault(place.use, use)
            if kept is not use:
                use.release()
            return
        with contextlib.suppress(OSError):  # where the folder was removed, the server notices that by itself
            os.utime(place.use)
        use.release()
