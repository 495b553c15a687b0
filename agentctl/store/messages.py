"""Messages of sessions; one query loads a whole history, calls and results paired."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import replace

from agentctl.domain.ids import new_id, now_ms
from agentctl.domain.message import File, Message, Part, ToolCall, ToolOutput, Usage
from agentctl.domain.parts import part_as_dict, part_from_dict
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json

HISTORY = """
SELECT m.*, c.id AS call_id, c.output, c.status AS call_status,
    json_extract(c.result, '$.success') AS success
FROM agent_messages m LEFT JOIN agent_tool_calls c ON c.message_id = m.id
WHERE m.session_id = ? ORDER BY m.seq, c.ordinal
"""
UNKNOWN = "interrupted: this call was started and its result is unknown; it may or may not have run"
NOT_RUN = "interrupted: the run ended before this call, so it was not run"


class Messages:
    """Messages in the order in which they were said."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, message: Message) -> str:
        """Append a message to its session and return its id."""
        message_id = message.id or new_id("am")
        usage = message.usage
        self.database.execute(
            "INSERT INTO agent_messages (id, session_id, parent_id, run_id, seq, role, parts, status, finish,"
            " origin, replay, input_tokens, output_tokens, cached_tokens, reasoning_tokens,"
            " cost_usd, created_at)"
            " SELECT ?, ?,"
            " (SELECT id FROM agent_messages WHERE session_id = ?2 ORDER BY seq DESC LIMIT 1), ?,"
            " (SELECT ifnull(max(seq), 0) + 1 FROM agent_messages WHERE session_id = ?2),"
            " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?",
            (
                message_id,
                message.session_id,
                message.run_id,
                message.role,
                to_json([part_as_dict(part) for part in message.parts]),
                message.status,
                message.finish,
                message.origin,
                to_json(message.replay),
                usage.input if usage else None,
                usage.output if usage else None,
                usage.cached if usage else None,
                usage.reasoning if usage else None,
                message.cost_usd,
                message.created_at or now_ms(),
            ),
        )
        files = [
            (message_id, ordinal, part.data)
            for ordinal, part in enumerate(message.parts)
            if isinstance(part, File) and part.data is not None
        ]
        if files:
            self.database.executemany("INSERT INTO agent_message_files VALUES (?, ?, ?)", files)
        return message_id

    def history(self, session_id: str, *, with_files: bool = False) -> tuple[Message, ...]:
        """All messages, each answer with calls followed by a `tool` message that answers every call.

        A call without a result gets one that says so, so that no server ever sees an unpaired call.
        `with_files` loads the bytes of attachments, which a request needs and a list does not.
        """
        messages: list[Message] = []
        rows = self.database.execute(HISTORY, (session_id,)).fetchall()
        start = 0
        while start < len(rows):
            end = start + 1
            while end < len(rows) and rows[end]["id"] == rows[start]["id"]:
                end += 1
            message = _message(rows[start])
            messages.append(message)
            outputs = _outputs(message, rows[start:end])
            if outputs:
                messages.append(Message("tool", outputs, session_id=session_id, run_id=message.run_id))
            start = end
        if with_files and any(message.files for message in messages):
            return self._load_files(session_id, messages)
        return tuple(messages)

    def of_run(self, run_id: str) -> list[Message]:
        """The messages of a run, in order: the question and the answers, without the results of calls."""
        rows = self.database.execute("SELECT * FROM agent_messages WHERE run_id = ? ORDER BY seq", (run_id,))
        return [_message(row) for row in rows]

    def status(self, message_id: str) -> str | None:
        """What a message is: `complete`, `rejected`, or what cut it short."""
        row = self.database.one("SELECT status FROM agent_messages WHERE id = ?", (message_id,))
        return row["status"] if row else None

    def _load_files(self, session_id: str, messages: Iterable[Message]) -> tuple[Message, ...]:
        rows = self.database.execute(
            "SELECT f.message_id, f.ordinal, f.content FROM agent_message_files f"
            " JOIN agent_messages m ON m.id = f.message_id WHERE m.session_id = ?",
            (session_id,),
        )
        contents = {(row["message_id"], row["ordinal"]): row["content"] for row in rows}
        return tuple(_with_contents(message, contents) for message in messages)


def _with_contents(message: Message, contents: Mapping[tuple[str, int], bytes]) -> Message:
    if not message.files:
        return message
    parts = (
        replace(part, data=contents.get((message.id, ordinal))) if isinstance(part, File) else part
        for ordinal, part in enumerate(message.parts)
    )
    return replace(message, parts=tuple(parts))


def _outputs(message: Message, rows: Iterable[sqlite3.Row]) -> tuple[Part, ...]:
    found = {row["call_id"]: row for row in rows}
    return tuple(_output(call, found.get(call.id)) for call in message.calls)


def _output(call: ToolCall, row: sqlite3.Row | None) -> ToolOutput:
    if row is None or row["call_status"] in ("proposed", "awaiting_approval", "approved"):
        return ToolOutput(call.id, call.name, NOT_RUN, success=False)
    if row["output"] is None:
        text = NOT_RUN if row["call_status"] == "denied" else UNKNOWN
        return ToolOutput(call.id, call.name, text, success=False)
    return ToolOutput(call.id, call.name, row["output"], bool(row["success"]))


def _message(row: sqlite3.Row) -> Message:
    usage = None
    if row["input_tokens"] is not None:
        usage = Usage(
            row["input_tokens"], row["output_tokens"], row["cached_tokens"], row["reasoning_tokens"]
        )
    return Message(
        role=row["role"],
        parts=tuple(part_from_dict(part) for part in from_json(row["parts"])),
        id=row["id"],
        session_id=row["session_id"],
        run_id=row["run_id"],
        status=row["status"],
        finish=row["finish"],
        origin=row["origin"],
        usage=usage,
        cost_usd=row["cost_usd"],
        replay=from_json(row["replay"]),
        created_at=row["created_at"],
    )
