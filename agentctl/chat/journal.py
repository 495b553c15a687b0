"""The events of one run: numbered, shown at once, and written together every tenth of a second."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from agentctl.chat.lease import Lease
from agentctl.domain.event import Event, Span
from agentctl.domain.ids import now_ms
from agentctl.errors import AgentctlError
from agentctl.providers.base import Delta, Reply
from agentctl.store import Store

# A crash loses at most this much of an answer (DESIGN, section 6).
FLUSH_SECONDS = 0.1


class Journal:
    """Counts events on from `seq`, the number of the last one that the run has."""

    def __init__(self, store: Store, run_id: str, lease: Lease, seq: int) -> None:
        self._store = store
        self._run_id = run_id
        self._lease = lease
        self._seq = seq
        self._pending: list[Event] = []
        self._timer: asyncio.TimerHandle | None = None
        self._spoken: dict[str, list[str]] = {"text": [], "reasoning": []}
        self._spans: dict[str, Span] = {}

    def delta(self, delta: Delta) -> Event:
        """A piece of the answer; written within FLUSH_SECONDS, together with its neighbours."""
        self._spoken[delta.kind].append(delta.text)
        name = "message.delta" if delta.kind == "text" else "reasoning.delta"
        event = self._event(name, {"text": delta.text})
        first = self._spans[name].first if name in self._spans else event.seq
        self._spans[name] = Span(name, first, event.seq)
        self._pending.append(event)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(FLUSH_SECONDS, self._flush_late)
        return event

    def record(self, name: str, data: Mapping[str, Any]) -> Event:
        """An event that is written at once."""
        event = self._event(name, data)
        self._pending.append(event)
        self.flush()
        return event

    def fold(self) -> None:
        """The deltas so far have become a message: they go, and only their numbers stay.

        The caller holds the transaction.
        """
        self._pending = [event for event in self._pending if not event.type.endswith(".delta")]
        self._store.events.fold(self._run_id, list(self._spans.values()))

    def forget_words(self) -> None:
        """The message is committed: what was spoken is not needed any more."""
        self._spoken = {"text": [], "reasoning": []}
        self._spans = {}

    def spoken(self) -> Reply | None:
        """What has been said so far of an answer that will not end; None where nothing was."""
        text, reasoning = ("".join(self._spoken[kind]) for kind in ("text", "reasoning"))
        return Reply(text=text, reasoning=reasoning, finish="error") if text or reasoning else None

    def flush(self) -> None:
        """Write the events that wait; neighbouring deltas become one row."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        events = _joined(self._pending)
        if events:
            with self._lease.write():
                self._store.events.add(self._run_id, events)
        self._pending = []

    def _flush_late(self) -> None:
        """The timer's flush: a failure is nothing for the event loop; the next write meets it again."""
        with suppress(AgentctlError):
            self.flush()

    def _event(self, name: str, data: Mapping[str, Any]) -> Event:
        self._seq += 1
        return Event(name, data, self._seq, now_ms())


def _joined(events: Sequence[Event]) -> list[Event]:
    """Runs of deltas of one kind as one event with the last number, so that a long answer stays few rows."""
    joined: list[Event] = []
    texts: list[str] = []
    for position, event in enumerate(events):
        if not event.type.endswith(".delta"):
            joined.append(event)
            continue
        texts.append(event.data["text"])
        following = events[position + 1] if position + 1 < len(events) else None
        if following is None or following.type != event.type:
            joined.append(Event(event.type, {"text": "".join(texts)}, event.seq, event.ts))
            texts = []
    return joined
