"""Reads one answer out of the events of a Messages stream."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agentctl.providers.anthropic.blocks import Blocks
from agentctl.providers.anthropic.finish import read_finish
from agentctl.providers.anthropic.replay import build_replay
from agentctl.providers.anthropic.usage import UsageCounter
from agentctl.providers.base import Fault, Finish, Reply
from agentctl.providers.faults import from_error, shorten
from agentctl.providers.wire.answer import StreamedAnswer
from agentctl.providers.wire.errors import find_error
from agentctl.providers.wire.speech import Speech


class MessagesAnswer(StreamedAnswer):
    """What a Messages server said so far."""

    def __init__(self) -> None:
        super().__init__(Speech())
        self._blocks = Blocks()
        self._usage = UsageCounter()
        self._finish: Finish | None = None
        self._foreign = ""

    def take_chunk(self, chunk: Mapping[str, Any], event_name: str) -> None:
        """Read one event; its own type beats the line before it, and types that nobody knows are skipped."""
        kind = chunk.get("type")
        kind = kind if isinstance(kind, str) and kind else event_name
        if kind == "content_block_delta":
            self._take_delta(chunk)
        elif kind == "content_block_start":
            self._take_block(chunk.get("index"), chunk.get("content_block"))
        elif kind == "message_start":
            self._take_message(chunk.get("message"))
        elif kind == "message_delta":
            self._usage.take(chunk.get("usage"))
            self._take_reason(chunk.get("delta"))
        elif kind == "message_stop":
            self.over = True
        elif kind == "message":
            self._take_message(chunk)
            self.over = True
        elif kind == "error" or "error" in chunk or not kind:
            self._take_stranger(chunk, event_name)

    def is_complete(self) -> bool:
        """Whether a stop reason came; `message_stop` alone says nothing of how the answer ended."""
        return self._finish is not None

    def has_calls(self) -> bool:
        """Whether a tool call has begun."""
        return any(block.kind == "tool_use" for block in self._blocks.all)

    def close(self, ignored: str, content_type: str) -> None:
        """Nothing more comes; JSON of some other protocol is told from an answer that broke off."""
        if self._foreign and not (self._blocks.all or self.is_complete()):
            self.break_off(Fault("provider", "http", f"no answer of a Messages server: {self._foreign}"))
        super().close(ignored, content_type)

    def reply(self) -> Reply:
        """The whole answer, after `close`."""
        finish: Finish = "error" if self.fault else (self._finish or "stop")
        run = finish not in ("error", "refusal")
        calls = self._blocks.calls(run=run, cut=finish == "length")
        if finish in ("stop", "tool_calls", "pause_turn") and (calls or finish == "tool_calls"):
            # The calls themselves decide, whatever the reason says.
            finish = "tool_calls" if calls else "stop"
        return Reply(
            text=self._speech.text,
            reasoning=self._speech.reasoning,
            calls=calls,
            finish=finish,
            usage=self._usage.close(),
            fault=self.fault,
            replay=build_replay(self._blocks.all),
        )

    def _take_message(self, message: Any) -> None:
        """The envelope of a stream, or a whole answer in one piece."""
        if not isinstance(message, Mapping):
            return
        self._usage.take(message.get("usage"))
        content = message.get("content")
        for index, block in enumerate(content if isinstance(content, list) else ()):
            self._take_block(index, block)
        self._take_reason(message)

    def _take_block(self, index: Any, block: Any) -> None:
        if isinstance(block, Mapping):
            self._blocks.start(index, block)
            kind = block.get("type")
            self._speak(kind, block.get(kind) if kind in ("text", "thinking") else None)

    def _take_delta(self, chunk: Mapping[str, Any]) -> None:
        delta = chunk.get("delta")
        if isinstance(delta, Mapping):
            self._speak(*self._blocks.take_delta(chunk.get("index"), delta))

    def _speak(self, kind: Any, piece: Any) -> None:
        """Show words and thoughts; nothing else is for people."""
        if not piece or not isinstance(piece, str):
            return
        if kind == "text":
            self._speech.say(piece)
        elif kind == "thinking":
            self._speech.think(piece)

    def _take_reason(self, delta: Any) -> None:
        reason = delta.get("stop_reason") if isinstance(delta, Mapping) else None
        if reason and isinstance(reason, str) and self._finish in (None, "stop", "tool_calls"):
            self._finish = read_finish(reason)

    def _take_stranger(self, chunk: Mapping[str, Any], event_name: str) -> None:
        error = find_error(chunk, event_name)
        if error:
            self.fail(from_error(error))
        elif not self._foreign:
            self._foreign = shorten(json.dumps(chunk, ensure_ascii=False))
