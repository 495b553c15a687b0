"""Reads one answer out of the events of a Chat Completions stream."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from agentctl.domain.message import Usage
from agentctl.providers.base import Fault, Finish, Reply
from agentctl.providers.faults import from_error
from agentctl.providers.openai_chat.calls import CallBuffer
from agentctl.providers.openai_chat.details import ReasoningDetails
from agentctl.providers.openai_chat.finish import read_finish
from agentctl.providers.openai_chat.speech import ChatSpeech
from agentctl.providers.wire.answer import StreamedAnswer
from agentctl.providers.wire.errors import find_error
from agentctl.providers.wire.usage import read_usage


class ChatAnswer(StreamedAnswer):
    """What a provider said so far."""

    _speech: ChatSpeech

    def __init__(self, *, think_tags: bool = False, lenient_names: Collection[str] = ()) -> None:
        super().__init__(ChatSpeech(think_tags=think_tags, lenient_names=lenient_names))
        self._calls = CallBuffer()
        self._details = ReasoningDetails()
        self._thoughts: list[str] = []
        self._usage: Usage | None = None
        self._finish: Finish | None = None
        self._done = False
        self._gave_up: Fault | None = None
        self._refused = False

    def take_done(self) -> None:
        """`[DONE]` came, which completes an answer."""
        self._done = self.over = True

    def is_complete(self) -> bool:
        """Whether `[DONE]` or a finish reason came."""
        return self._done or self._finish is not None

    def has_calls(self) -> bool:
        """Whether a tool call has begun."""
        return bool(self._calls.calls)

    def close(self, ignored: str, content_type: str) -> None:
        """Nothing more comes. `ignored` is what came instead of events, if anything did."""
        # A reason that means failure is the last resort: an error that says more often comes beside it.
        self.fault = self.fault or self._gave_up
        super().close(ignored, content_type)
        for call in self._speech.calls:
            self._calls.take(call, whole=True)

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

    def _replay(self) -> dict[str, Any]:
        """What the same model must get back, by the name of the field."""
        extras = self._calls.extras()
        fields = {
            "reasoning_content": "".join(self._thoughts),
            "reasoning_details": self._details.close(),
            "call_extras": extras if any(extras) else [],
        }
        return {name: value for name, value in fields.items() if value}

    def take_chunk(self, chunk: Mapping[str, Any], event_name: str) -> None:
        """Read one chunk: its choices, its counts, its error."""
        choices = chunk.get("choices")
        error = None if choices and "error" not in chunk else find_error(chunk, event_name)
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, Mapping) and not choice.get("index"):
                self._take_choice(choice)
                error = error or choice.get("error")
        if "usage" in chunk:
            self._usage = read_usage(chunk["usage"], self._usage)
        if error:
            self.fail(from_error(error))

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
