"""Adapters that record and replay what did not come over HTTP: answers, and models that cannot be asked."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, ClassVar

from agentctl.domain.model import Model
from agentctl.errors import ConfigError, CredentialsError, ProviderError
from agentctl.providers.base import Adapter, ModelRequest, Reply, StreamItem
from agentctl.providers.recording.file import Line
from agentctl.providers.recording.items import item_as_list, item_from_list, request_as_dict
from agentctl.providers.recording.player import Player


class WrappedAdapter:
    """The adapter that it wraps, in every respect."""

    default_base_url: ClassVar[str | None] = None
    embedded: ClassVar[bool] = False
    inputs: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        # What the protocol calls constants of a kind are those of the kind that is wrapped.
        self.__dict__.update(embedded=adapter.embedded, inputs=adapter.inputs)

    def check(self, model: Model) -> None:
        """As the adapter does."""
        self._adapter.check(model)

    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        """What the adapter says."""
        return self._adapter.stream(request)

    async def close(self) -> None:
        """Let go of connections."""
        await self._adapter.close()


class CheckRecorder(WrappedAdapter):
    """`keep` gets a line for each model that could not be asked: another one was, and will be in a replay."""

    def __init__(self, adapter: Adapter, keep: Callable[[Line], None]) -> None:
        super().__init__(adapter)
        self._keep = keep

    def check(self, model: Model) -> None:
        """As the adapter does."""
        try:
            super().check(model)
        except (ConfigError, CredentialsError) as error:
            said = {"kind": error.kind, "message": error.message, "hint": error.hint}
            self._keep({"type": "check", "model": model.slug, "error": said})
            raise


class CheckReplayer(WrappedAdapter):
    """Refuses the models that could not be asked when it was recorded."""

    def __init__(self, adapter: Adapter, player: Player) -> None:
        super().__init__(adapter)
        self._player = player

    def check(self, model: Model) -> None:
        """Raise what was raised then."""
        error = self._player.find_check(model.slug)
        if error is not None:
            cls = CredentialsError if error["kind"] == "credentials" else ConfigError
            raise cls(error["message"], hint=error["hint"])
        super().check(model)


class RecordingAdapter(WrappedAdapter):
    """Asks `adapter`; `keep` gets a line for each answer, `clock` is asked at each item of it."""

    def __init__(self, adapter: Adapter, keep: Callable[[Line], None], clock: Callable[[], int]) -> None:
        super().__init__(adapter)
        self._keep = keep
        self._clock = clock

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        """What the adapter says."""
        items: list[list[Any]] = []
        try:
            async with aclosing(self._adapter.stream(request)) as stream:
                async for item in stream:
                    items.append([self._clock(), *item_as_list(item)])
                    yield item
        finally:
            self._keep({"type": "answer", "request": request_as_dict(request), "items": items})


class ReplayingAdapter:
    """Asks nobody: `player` has the answers, `move` sets the clock."""

    default_base_url: ClassVar[str | None] = None
    embedded: ClassVar[bool] = False
    inputs: ClassVar[frozenset[str]] = frozenset({"image", "pdf"})

    def __init__(self, player: Player, move: Callable[[int], None]) -> None:
        self._player = player
        self._move = move

    def check(self, model: Model) -> None:
        """Nothing is needed."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        """The recorded items. Raises ProviderError where the recorded run went no further."""
        import asyncio

        item: StreamItem | None = None
        line = self._player.find_answer(request_as_dict(request))
        for at, *data in line["items"]:
            self._move(at)
            item = self._player.read(item_from_list, data)
            yield item
            await asyncio.sleep(0)
        if not isinstance(item, Reply):
            raise ProviderError(
                "the recording ends in the middle of this answer: the recorded run went no further",
                hint="Record it anew with --record.",
            )

    async def close(self) -> None:
        """Nothing is open."""
