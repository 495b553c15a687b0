"""Watches a run from any process: the events that it had, and those that come, until it is over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from typing import Any

from agentctl.chat.abort import Abort
from agentctl.chat.driver import Audience, catch_signals
from agentctl.chat.holder import is_gone
from agentctl.domain.event import Event
from agentctl.domain.run import Run
from agentctl.errors import NotFound, OutputClosed, Stopped, TemporaryFailure
from agentctl.store import Store

LOOK_SECONDS = 0.125
# Whether the process lives costs more to see than whether something was written.
LOOKS_PER_CHECK = 8
# What an answer that is checked against a schema must not be to be shown.
UNFIT = ("failed", "rejected")


def watch(store: Store, run: Run, audience: Audience, *, after: int = 0) -> Mapping[str, Any]:
    """Show the events of a run from the one behind number `after` to its end; returns its result object.

    The result of a run that is over is shown whatever `after` is; one that the run has gone on behind never.
    Raises TemporaryFailure where its process is gone, Stopped where a signal ended the watching.
    """
    return asyncio.run(Watcher(store, run.id, audience, after).watch())


class Watcher:
    """One audience of one run; `after` is the number of the last event that it knows."""

    def __init__(self, store: Store, run_id: str, audience: Audience, after: int) -> None:
        self._store = store
        self._run_id = run_id
        self._audience = audience
        self._after = after
        self._result: Event | None = None

    async def watch(self) -> Mapping[str, Any]:
        """Show everything; returns the result object."""
        task = asyncio.current_task()
        assert task is not None
        abort = Abort(task)
        catch_signals(abort)
        try:
            await self._show_all()
        except asyncio.CancelledError:
            error = abort.accept()
            if not isinstance(error, Stopped):
                raise
            raise self._left(error) from None
        except OutputClosed:
            abort.remember(OutputClosed())
            raise
        finally:
            await abort.settle()
        if self._result is None:
            raise NotFound(
                f"run {self._run_id} has no end that could be shown",
                hint=f"agentctl runs show {self._run_id} shows what is known of it.",
            )
        return self._result.data

    async def _show_all(self) -> None:
        async with aclosing(follow(self._store, self._run_id, self._after)) as events:
            async for event in events:
                if event.type == "init":
                    # Behind an earlier result the run went on.
                    self._result = None
                if event.type == "result":
                    self._result = event
                else:
                    await self._show(event)
        if self._store.runs.get(self._run_id).status == "interrupted":
            raise _gone(self._run_id)
        if self._result is not None:
            await self._show(self._result)

    async def _show(self, event: Event) -> None:
        self._audience.show(event)
        self._after = event.seq
        await self._audience.drain()

    def _left(self, error: Stopped) -> Stopped:
        return Stopped(
            f"the watching was {error.message}; run {self._run_id} is not",
            signal=error.signal,
            hint=f"Watch on with agentctl attach {self._run_id} --after {self._after}.",
        )


class Pieces:
    """What a watcher knows of the message that is being said; all before event `after` it had already."""

    def __init__(self, after: int) -> None:
        self._after = after
        self._seen: dict[str, int] = {}

    def begin(self, deltas: Iterable[tuple[int, Event]]) -> Event | None:
        """Take note of what is being said; where `after` cuts a piece in two, all so far comes again."""
        said: dict[str, str] = {}
        for first, event in deltas:
            if first > self._after:
                break
            said[event.type] = said.get(event.type, "") + event.data["text"]
            self._seen[event.type] = len(said[event.type])
            if event.seq > self._after:
                return event._replace(data={"text": said[event.type], "replaces": True})
        return None

    def complete(self, event: Event) -> Event | None:
        """The event, or of a message that was seen from its beginning only what is new; None for nothing."""
        if event.type == "message":
            self._seen = {}
        if not event.type.endswith(".delta"):
            return event
        text, first = event.data["text"], event.data.get("replaces")
        seen = self._seen.get(event.type, 0)
        if first is None:
            self._seen[event.type] = seen + len(text)
            return event
        if not seen and first <= self._after:
            return event._replace(data={"text": text, "replaces": True})
        return event._replace(data={"text": text[seen:]}) if text[seen:] else None


async def follow(store: Store, run_id: str, after: int) -> AsyncGenerator[Event, None]:
    """The events of a run until it is over or waits for a person; nothing is read while nothing changes.

    Raises TemporaryFailure where its process is gone.
    """
    run = store.runs.get(run_id)
    checked = bool(run.settings.get("schema"))
    after = _known(store, run, after)
    pieces = Pieces(after)
    cut = None if checked else pieces.begin(store.events.deltas(run_id))
    if cut is not None:
        after = cut.seq
        yield cut
    seen: int | None = None
    idle = 0
    while True:
        version = store.version()
        if version != seen:
            seen, idle = version, 0
            run = store.runs.get(run_id)
            for event in _presentable(store, run_id, after, checked=checked):
                after = event.seq
                rest = pieces.complete(event)
                if rest is not None:
                    yield rest
            # What was read before the events: nothing came after the last of them.
            if run.status not in ("queued", "running"):
                return
        else:
            idle += 1
            if idle % LOOKS_PER_CHECK == 0 and is_gone(run):
                raise _gone(run_id)
        await asyncio.sleep(LOOK_SECONDS)


def _known(store: Store, run: Run, after: int) -> int:
    """The number that `after` can be: there are no later events yet, and the end is always news."""
    ended = run.status not in ("queued", "running", "interrupted")
    return max(0, min(after, store.events.last(run.id) - ended))


def _presentable(store: Store, run_id: str, after: int, *, checked: bool) -> Iterable[Event]:
    """The next events; of a run whose answers are checked only those of answers that kept to the schema."""
    if not checked:
        yield from store.events.list(run_id, after=after)
        return
    words: list[Event] = []
    for event in store.events.list(run_id, after=after, drafts=False):
        if event.type == "message.delta":
            words.append(event)
        elif event.type == "message":
            if store.messages.status(event.data["message_id"]) not in UNFIT:
                yield from (*words, event)
            words = []
        else:
            yield event


def _gone(run_id: str) -> TemporaryFailure:
    return TemporaryFailure(
        f"the process that worked on run {run_id} is gone",
        hint=f"Go on with it: agentctl resume {run_id}.",
    )
