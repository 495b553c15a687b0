"""Reads one answer out of the events of a Chat Completions stream."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from agentctl.domain.message import Usage
from agentctl.net.sse import Event
from agentctl.providers.base import Delta, Fault, Finish, Reply
from agentctl.providers.faults import from_error, not_json, truncated
from agentctl.providers.openai_chat.calls import CallBuffer
from agentctl.providers.openai_chat.details import ReasoningDetails
from agentctl.providers.openai_chat.finish import read_finish
from agentctl.providers.openai_chat.speech import Speech
from agentctl.providers.openai_chat.usage import read_usage
from agentctl.providers.wire.documents import cut_documents, find_late_document, is_done
from agentctl.providers.wire.errors import find_error


class Answer:
    """What a provider said so far. `over` turns True when nothing more needs to be read."""

    def __init__(self, *, think_tags: bool = False, lenient_names: Collection[str] = ()) -> None:
        self.over = False
        self.fault: Fault | None = None
        self._speech = Speech(think_tags=think_tags, lenient_names=lenient_names)
        self._calls = CallBuffer()
        self._details = ReasoningDetails()
        self._thoughts: list[str] = []
        self._usage: Usage | None = None
        self._finish: Finish | None = None
        self._done = False
        self._gave_up: Fault | None = None
        self._refused = False

    def take(self, events: Iterable[Event]) -> None:
        """Read events until the answer is over; what cannot be read is a fault, never skipped."""
        for event in events:
            if self.over:
                return
            self._take_event(event)

    def _take_event(self, event: Event) -> None:
        data = event.data
        if data[0] != "{" and is_done(data):
            self._done = self.over = True
            return
        values, rest = cut_documents(data)
        for value in values:
            # A list is how Gemini wraps its errors.
            for chunk in value if isinstance(value, list) else (value,):
                if isinstance(chunk, Mapping) and not self.over:
                    self._take_chunk(chunk, event.name)
        if rest and not self.over:
            self._take_rest(rest, event)

    def drain(self) -> list[Delta]:
        """The deltas since the last call."""
        return self._speech.drain()

    def break_off(self, fault: Fault) -> None:
        """Reading ended early; that counts only where the answer was not finished."""
        if not self._complete and self.fault is None:
            self.fault = fault

    def close(self, ignored: str, content_type: str) -> None:
        """Nothing more comes. `ignored` is what came instead of events, if anything did."""
        for call in self._speech.close():
            self._calls.take(call, whole=True)
        # A reason that means failure is the last resort: an error that says more often comes beside it.
        self.fault = self.fault or self._gave_up
        if self._complete or self.fault:
            return
        emitted = self._speech.spoke or bool(self._calls.calls)
        self.fault = (
            not_json(ignored, content_type) if ignored and not emitted else truncated(emitted=emitted)
        )

    def reply(self) -> Reply:
        """The whole answer, after `close`."""
        finish: Finish = "error" if self.fault else (self._finish or "stop")
        run = finish not in ("error", "content_filter", "refusal") and not self._refused
        calls = self._calls.close(run=run)
        if finish in ("stop", "tool_calls"):
            # Routers rewrite the reason, and some servers always say stop: the calls themselves decide.
            finish = "tool_calls" if calls else "stop"
        return Reply(
            text=self._speech.text,
            reasoning=self._speech.reasoning,
            calls=calls,
            finish=finish,
            usage=self._usage,
            fault=self.fault,
            replay=self._replay(),
            refusal=self._refused,
        )

    @property
    def _complete(self) -> bool:
        return self._done or self._finish is not None

    def _replay(self) -> dict[str, Any]:
        """What the same model must get back, by the name of the field."""
        extras = self._calls.extras()
        fields = {
            "reasoning_content": "".join(self._thoughts),
            "reasoning_details": self._details.close(),
            "call_extras": extras if any(extras) else [],
        }
        return {name: value for name, value in fields.items() if value}

    def _take_chunk(self, chunk: Mapping[str, Any], event_name: str) -> None:
        choices = chunk.get("choices")
        error = None if choices and "error" not in chunk else find_error(chunk, event_name)
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, Mapping) and not choice.get("index"):
                self._take_choice(choice)
                error = error or choice.get("error")
        if "usage" in chunk:
            self._usage = read_usage(chunk["usage"], self._usage)
        if error:
            self._fail(from_error(error))

    def _take_choice(self, choice: Mapping[str, Any]) -> None:
        delta, message = choice.get("delta"), choice.get("message")
        if isinstance(delta, Mapping):
            self._take_delta(delta)
        elif isinstance(message, Mapping) and not self._speech.spoke and not self._calls.calls:
            self._take_delta(message, whole=True)
            self._done = True
        if "usage" in choice:
            self._usage = read_usage(choice["usage"], self._usage)
        if choice.get("finish_reason"):
            self._take_reason(choice["finish_reason"])

    def _take_reason(self, word: Any) -> None:
        reason, fault = read_finish(word)
        if reason and self._finish in (None, "stop"):
            self._finish = reason
        self._gave_up = self._gave_up or fault

    def _take_delta(self, delta: Mapping[str, Any], *, whole: bool = False) -> None:
        content = delta.get("content")
        if content and isinstance(content, str) and len(delta) == 1:
            self._speech.say(content)
            return
        details = self._details.take(delta["reasoning_details"]) if "reasoning_details" in delta else ""
        raw = delta.get("reasoning_content")
        if raw and isinstance(raw, str):
            self._thoughts.append(raw)
        # Some servers send the same words under two names.
        for thought in (raw, delta.get("reasoning"), delta.get("thinking"), details):
            if thought and isinstance(thought, str):
                self._speech.think(thought)
                break
        self._speech.take_content(content)
        refusal = delta.get("refusal")
        if refusal and isinstance(refusal, str):
            self._refused = True
            self._speech.say(refusal)
        calls = delta.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            self._calls.take(call, whole=whole)
        if isinstance(delta.get("function_call"), Mapping):
            self._calls.take({"index": 0, "function": delta["function_call"]}, whole=whole)

    def _take_rest(self, rest: str, event: Event) -> None:
        """Something that is no JSON: the mark of the end, a cut event, an error, or nonsense."""
        late = find_late_document(rest)
        error = find_error(late, event.name) if isinstance(late, Mapping) else None
        if error:
            self._fail(from_error(error))
        elif is_done(rest):
            self._done = self.over = True
        elif event.name == "error":
            self._fail(from_error(rest))
        elif event.whole or rest[0] not in "{[":
            self._fail(not_json(rest))

    def _fail(self, fault: Fault) -> None:
        self.fault = self.fault or fault
        self.over = True
