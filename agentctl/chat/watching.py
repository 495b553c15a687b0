"""Watches a run from any process: the events that it had, and those that come, until it is over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from agentctl.chat.abort import Abort
from agentctl.chat.driver import Audience, catch_signals
from agentctl.chat.holder import is_gone
from agentctl.domain.event import Event
from agentctl.domain.run import Run
from agentctl.errors import OutputClosed, TemporaryFailure
from agentctl.store import Store

LOOK_SECONDS = 0.1


def watch(store: Store, run: Run, audience: Audience, *, after: int = 0) -> Mapping[str, Any]:
    """Show the events of a run from the one behind number `after` to its end; returns its result object.

    Raises TemporaryFailure where its process is gone, Stopped where a signal ended the watching.
    """
    return asyncio.run(_watch(store, run, audience, after))


async def _watch(store: Store, run: Run, audience: Audience, after: int) -> Mapping[str, Any]:
    task = asyncio.current_task()
    assert task is not None
    abort = Abort(task)
    catch_signals(abort)
    result: Mapping[str, Any] = {}
    try:
        async with aclosing(follow(store, run.id, after)) as events:
            async for event in events:
                result = event.data if event.type == "result" else result
                audience.show(event)
                await audience.drain()
    except asyncio.CancelledError:
        error = abort.accept()
        if error is None:
            raise
        raise error from None
    except OutputClosed:
        abort.remember(OutputClosed())
        raise
    finally:
        await abort.settle()
    if not result or store.runs.get(run.id).status == "interrupted":
        raise _gone(run.id)
    return result


class Pieces:
    """What a watcher has seen of the message that is being said; it began behind number `after`."""

    def __init__(self, after: int) -> None:
        self._after = after
        self._seen: dict[str, int] = {}

    def complete(self, event: Event) -> Event | None:
        """The event, or of a message that was seen from its beginning only what is new; None for nothing."""
        if event.type == "message":
            self._seen = {}
        if not event.type.endswith(".delta"):
            return event
        text, first = event.data["text"], event.data.get("replaces")
        if first is None:
            self._seen[event.type] = self._seen.get(event.type, 0) + len(text)
            return event
        if first <= self._after:
            return event._replace(data={"text": text, "replaces": True})
        rest = text[self._seen.get(event.type, 0) :]
        return event._replace(data={"text": rest}) if rest else None


async def follow(store: Store, run_id: str, after: int) -> AsyncGenerator[Event, None]:
    """The events of a run until it is over or waits for a person; nothing is read while nothing changes.

    Raises TemporaryFailure where its process is gone.
    """
    checked = bool(store.runs.get(run_id).settings["schema"])
    pieces = Pieces(after)
    seen = 0
    while True:
        version = store.version()
        if version != seen:
            seen = version
            run = store.runs.get(run_id)
            for event in _presentable(store, run_id, after, checked=checked):
                after = event.seq
                rest = pieces.complete(event)
                if rest is not None:
                    yield rest
            # What was read before the events: nothing came after the last of them.
            if run.status not in ("queued", "running"):
                return
        elif is_gone(run):
            raise _gone(run_id)
        await asyncio.sleep(LOOK_SECONDS)


def _presentable(store: Store, run_id: str, after: int, *, checked: bool) -> list[Event]:
    """The next events; of a run whose answers are checked only those of answers that kept to the schema."""
    events = list(store.events.list(run_id, after=after))
    if not checked:
        return events
    kept: list[Event] = []
    waiting: list[Event] = []
    for event in events:
        if event.type == "message.delta":
            waiting.append(event)
        elif event.type == "message":
            if store.messages.status(event.data["message_id"]) != "rejected":
                kept += [*waiting, event]
            waiting = []
        else:
            kept.append(event)
    return kept


def _gone(run_id: str) -> TemporaryFailure:
    return TemporaryFailure(
        f"the process that worked on run {run_id} is gone",
        hint=f"Go on with it: agentctl resume {run_id}.",
    )
