"""Reads one answer out of a stream of events, whatever the protocol in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agentctl.net.sse import Event
from agentctl.providers.base import Delta, Fault, Reply
from agentctl.providers.faults import from_error, no_answer, not_json, truncated
from agentctl.providers.wire.documents import cut_documents, find_late_document, is_done
from agentctl.providers.wire.errors import find_error
from agentctl.providers.wire.speech import Speech


class StreamedAnswer:
    """What a provider said so far. `over` turns True when nothing more needs to be read.

    A protocol adds `take_chunk` and `reply`, and says when an answer is complete.
    """

    def __init__(self, speech: Speech) -> None:
        self.over = False
        self.fault: Fault | None = None
        self._speech = speech
        # JSON that is no object, kept to tell what came instead of an answer.
        self._odd = ""

    def take_chunk(self, chunk: Mapping[str, Any], event_name: str) -> None:
        """Read one JSON object of the stream."""
        raise NotImplementedError

    def is_complete(self) -> bool:
        """Whether the provider said that the answer has ended."""
        raise NotImplementedError

    def has_calls(self) -> bool:
        """Whether a tool call has begun."""
        raise NotImplementedError

    def reply(self) -> Reply:
        """The whole answer, after `close`."""
        raise NotImplementedError

    def take(self, events: Iterable[Event]) -> None:
        """Read events until the answer is over; what cannot be read is a fault, never skipped."""
        for event in events:
            if self.over:
                return
            self._take_event(event)

    def take_done(self) -> None:
        """`[DONE]` came: nothing follows."""
        self.over = True

    def drain(self) -> list[Delta]:
        """The deltas since the last call."""
        return self._speech.drain()

    def fail(self, fault: Fault) -> None:
        """End with `fault`, unless there is one already."""
        self.fault = self.fault or fault
        self.over = True

    def break_off(self, fault: Fault) -> None:
        """Reading ended early; that counts only where the answer was not finished."""
        if not self.is_complete() and self.fault is None:
            self.fault = fault

    def close(self, ignored: str, content_type: str) -> None:
        """Nothing more comes. `ignored` is what came instead of events, if anything did."""
        self._speech.close()
        if self.is_complete() or self.fault:
            return
        emitted = self._speech.spoke or self.has_calls()
        if emitted:
            self.fault = truncated(emitted=True)
        elif ignored:
            self.fault = not_json(ignored, content_type)
        else:
            self.fault = no_answer(self._odd) if self._odd else truncated(emitted=False)

    def _take_event(self, event: Event) -> None:
        data = event.data
        if data[0] != "{" and is_done(data):
            self.take_done()
            return
        values, rest = cut_documents(data)
        for value in values:
            # A list is how Gemini wraps its errors.
            for chunk in value if isinstance(value, list) and value else (value,):
                if not isinstance(chunk, Mapping):
                    self._odd = self._odd or data
                elif not self.over:
                    self.take_chunk(chunk, event.name)
        if rest and not self.over:
            self._take_rest(rest, event)

    def _take_rest(self, rest: str, event: Event) -> None:
        """Something that is no JSON: the mark of the end, a cut event, an error, or nonsense."""
        late = find_late_document(rest)
        error = find_error(late, event.name) if isinstance(late, Mapping) else None
        if error:
            self.fail(from_error(error))
        elif is_done(rest):
            self.take_done()
        elif event.name == "error":
            self.fail(from_error(rest))
        elif event.whole or rest[0] not in "{[":
            self.fail(not_json(rest))
