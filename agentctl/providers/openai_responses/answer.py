"""Reads one answer out of the events of a Responses stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agentctl.domain.message import Usage
from agentctl.domain.surrogates import mend
from agentctl.providers.base import Finish, Reply
from agentctl.providers.faults import from_error
from agentctl.providers.openai_responses.content import Part, find_index, read_event, read_part, read_parts
from agentctl.providers.openai_responses.ending import ENDINGS, read_ending
from agentctl.providers.openai_responses.item import OutputItem, as_text
from agentctl.providers.openai_responses.output import Output
from agentctl.providers.openai_responses.replay import keep
from agentctl.providers.wire.answer import StreamedAnswer
from agentctl.providers.wire.calls import close_call
from agentctl.providers.wire.errors import find_error
from agentctl.providers.wire.speech import Speech
from agentctl.providers.wire.usage import read_usage

_BREAK = "\n\n"


class ResponsesAnswer(StreamedAnswer):
    """What a provider said so far."""

    def __init__(self) -> None:
        super().__init__(Speech())
        self._output = Output()
        self._usage: Usage | None = None
        self._finish: Finish | None = None
        self._refused = False
        self._speaker: OutputItem | None = None
        # Where the last delta of text belonged to, and the pieces there: most events go on with it.
        self._flow: tuple[tuple[Any, Any, Any], list[str]] | None = None

    def is_complete(self) -> bool:
        """Whether the response said that it has ended."""
        return self._finish is not None

    def has_calls(self) -> bool:
        """Whether a tool call has begun."""
        return any(item.kind == "function_call" for item in self._output.items)

    def take_chunk(self, chunk: Mapping[str, Any], event_name: str) -> None:
        """Read one event, or a whole response that came instead of events."""
        name = chunk.get("type")
        name = name if isinstance(name, str) and name else event_name
        if name == "response.output_text.delta":
            self._add_text(chunk)
            return
        self._flow = None
        if name in ENDINGS:
            response = chunk.get("response")
            self._end(response if isinstance(response, Mapping) else chunk, ENDINGS[name])
        elif name.startswith("response.") and name != "response.error":
            read = _EVENTS.get(name)
            if read:
                read(self, chunk)
            elif name.startswith("response.reasoning"):
                self._take_thought(chunk, name)
        elif chunk.get("object") == "response" or isinstance(chunk.get("output"), list):
            self._end(chunk, "")
        else:
            self._take_error(chunk, event_name)

    def reply(self) -> Reply:
        """The whole answer, after `close`."""
        finish: Finish = "error" if self.fault else (self._finish or "stop")
        run = finish not in ("error", "content_filter") and not self._refused
        items = list(self._output)
        calls = tuple(
            close_call(
                item.call_id or min(item.ids, default=""),
                item.name,
                item.raw_arguments(),
                run=run and self._is_whole(item),
            )
            for item in items
            if item.kind == "function_call"
        )
        if finish == "stop" and calls:
            finish = "tool_calls"
        return Reply(
            text=self._speech.text,
            reasoning=self._speech.reasoning,
            calls=calls,
            finish=finish,
            usage=self._usage,
            fault=self.fault,
            replay=keep(items),
            refusal=self._refused,
        )

    def _is_whole(self, call: OutputItem) -> bool:
        """Whether no arguments are missing: none at all are an empty object only where nothing was cut."""
        return call.whole or self._finish == "stop" or bool(call.raw_arguments().strip())

    def _take_error(self, chunk: Mapping[str, Any], event_name: str) -> None:
        error = find_error(chunk, event_name)
        if isinstance(error, Mapping):
            # The event's own type is no word for what happened; its status is.
            error = {**{key: chunk[key] for key in ("status",) if key in chunk}, **error}
            error = {key: value for key, value in error.items() if (key, value) != ("type", "error")}
        if error:
            self.fail(from_error(error))

    def _end(self, response: Mapping[str, Any], word: str) -> None:
        self._usage = read_usage(response.get("usage"), self._usage)
        finish, fault = read_ending(response, word)
        if finish is None:
            return
        output = response.get("output")
        entries = (
            [entry for entry in output if isinstance(entry, Mapping)] if isinstance(output, list) else []
        )
        words = [part.text for entry in entries for part in read_parts(entry) if part.kind == "words"]
        # However its items were named on the way: what was said as a whole needs no second look.
        known = bool(words) and mend("".join(words)) == self._speech.text
        for item, entry in self._output.match(entries):
            self._finish_item(item, entry, known=known)
            item.whole = item.whole or finish == "stop" or entry.get("status") == "completed"
        self._finish = finish
        self.fault = self.fault or fault
        self.over = True

    def _add_text(self, event: Mapping[str, Any]) -> None:
        place = event.get("item_id"), event.get("output_index"), event.get("content_index")
        piece = event.get("delta")
        if self._flow and self._flow[0] == place and isinstance(piece, str) and piece:
            self._flow[1].append(piece)
            self._speech.say(piece)
            return
        part = self._add_words(event)
        self._flow = (place, self._speaker.pieces(part)) if self._speaker and part else None

    def _add_words(self, event: Mapping[str, Any]) -> Part | None:
        part = read_event(event, "delta")
        if part:
            self._show(self._output.find("message", event), part)
        return part

    def _end_words(self, event: Mapping[str, Any]) -> None:
        part = read_event(event, "refusal" if "refusal" in event else "text")
        if part:
            self._complete(self._output.find("message", event), part)

    def _end_part(self, event: Mapping[str, Any]) -> None:
        owner = self._output.find_kind(event) or "message"
        part = read_part(event.get("part"), find_index(event), owner)
        if part and owner in ("message", "reasoning"):
            self._complete(self._output.find(owner, event), part)

    def _take_thought(self, event: Mapping[str, Any], name: str) -> None:
        """Reasoning has had many names: a delta, or something whole under `text` or `part`."""
        event = {**event, "type": name}
        part = read_event(event, "delta")
        if part:
            self._show(self._output.find("reasoning", event), part)
            return
        part = read_event(event, "text") or read_event(event, "part")
        if part and name.endswith(".done"):
            self._complete(self._output.find("reasoning", event), part)

    def _add_arguments(self, event: Mapping[str, Any]) -> None:
        self._output.find("function_call", event).add_arguments(event.get("delta"))

    def _end_arguments(self, event: Mapping[str, Any]) -> None:
        self._output.find("function_call", event).learn(event).set_arguments(event.get("arguments"))

    def _open_item(self, event: Mapping[str, Any]) -> None:
        entry = event.get("item")
        if isinstance(entry, Mapping):
            self._output.take(entry, event, opens=True).set_arguments(entry.get("arguments"), early=True)

    def _close_item(self, event: Mapping[str, Any]) -> None:
        entry = event.get("item")
        if isinstance(entry, Mapping):
            item = self._output.take(entry, event, opens=False)
            self._finish_item(item, entry, known=False)
            item.whole = entry.get("status") != "incomplete"

    def _finish_item(self, item: OutputItem, entry: Mapping[str, Any], *, known: bool) -> None:
        """An item was sent whole: show what was missing of it (`known`: no words are)."""
        item.set_arguments(entry.get("arguments"))
        if as_text(entry.get("encrypted_content")):
            item.sealed = entry
        parts = list(read_parts(entry))
        self._refused = self._refused or any(part.refusal for part in parts)
        if any(item.has_part(part) for part in parts):
            self._show(item, parts[-1]._replace(text="" if known else item.find_rest_of_all(parts)))
            return
        for part in parts:
            if not (known and part.kind == "words"):
                self._show(item, part)

    def _complete(self, item: OutputItem, part: Part) -> None:
        """A part was sent whole: show what was missing of it."""
        self._refused = self._refused or part.refusal
        self._show(item, part._replace(text=item.find_rest(part)))

    def _show(self, item: OutputItem, part: Part) -> None:
        """Say or think the text of `part`, apart from what stands before it."""
        if not part.text:
            return
        begins = not item.has_part(part)
        item.add(part)
        if part.kind != "words":
            self._speech.think(_BREAK + part.text if begins and self._speech.reasoning else part.text)
            return
        self._refused = self._refused or part.refusal
        before, self._speaker = self._speaker, item
        # A remark on the way is a text of its own.
        apart = before is not None and before is not item and before.phase == "commentary"
        self._speech.say(_BREAK + part.text if apart else part.text)


Read = Callable[[ResponsesAnswer, Mapping[str, Any]], object]

_EVENTS: Mapping[str, Read] = {
    "response.content_part.done": ResponsesAnswer._end_part,
    "response.function_call_arguments.delta": ResponsesAnswer._add_arguments,
    "response.function_call_arguments.done": ResponsesAnswer._end_arguments,
    "response.output_item.added": ResponsesAnswer._open_item,
    "response.output_item.done": ResponsesAnswer._close_item,
    "response.output_text.done": ResponsesAnswer._end_words,
    "response.refusal.delta": ResponsesAnswer._add_words,
    "response.refusal.done": ResponsesAnswer._end_words,
}
