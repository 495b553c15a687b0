"""Tool calls: a row before the tool runs, a result the moment it has run."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from agentctl.domain.ids import now_ms
from agentctl.domain.message import ToolCall
from agentctl.domain.states import CALL, CallStatus, before
from agentctl.domain.stored_call import StoredCall
from agentctl.domain.tool import ToolResult
from agentctl.errors import Busy
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json

_SHOWN = "FROM agent_runs r JOIN agent_run_documents d ON d.run_id = r.id WHERE r.session_id = ?1"


class Calls:
    """The states of tool calls; the caller holds the transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def propose(self, run_id: str, message_id: str, calls: Sequence[ToolCall]) -> None:
        """Store the calls of one message as `proposed`."""
        now = now_ms()
        self.database.executemany(
            "INSERT INTO agent_tool_calls"
            " (id, run_id, message_id, ordinal, tool_slug, arguments, raw, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    call.id,
                    run_id,
                    message_id,
                    ordinal,
                    call.name,
                    None if call.arguments is None else to_json(call.arguments),
                    call.raw,
                    now,
                )
                for ordinal, call in enumerate(calls)
            ],
        )

    def decide(
        self,
        call_id: str,
        status: CallStatus,
        decision: Mapping[str, Any],
        arguments: Mapping[str, Any] | None,
    ) -> None:
        """Store what was decided, and the arguments it was decided on (a person may have edited them)."""
        self._move(
            call_id,
            status,
            "decision = ?, arguments = ?",
            (to_json(decision), None if arguments is None else to_json(arguments)),
        )

    def await_approval(self, call_id: str, arguments: Mapping[str, Any]) -> None:
        """A person has to answer first; `arguments` are the validated ones."""
        self._move(call_id, "awaiting_approval", "arguments = ?", (to_json(arguments),))

    def start(self, call_id: str) -> None:
        """The tool is about to run."""
        self._move(call_id, "executing", "started_at = ?", (now_ms(),))

    def finish(self, call_id: str, result: ToolResult, output: str, *, status: CallStatus) -> None:
        """Store the result and the text the model reads of it; a call has one, and keeps it."""
        changed = self.database.execute(
            "UPDATE agent_tool_calls SET status = ?, result = ?, output = ?, finished_at = ?"
            f" WHERE id = ? AND output IS NULL AND status IN (?, {_marks(before(CALL, status))})",
            (status, to_json(result.as_dict()), output, now_ms(), call_id, status, *before(CALL, status)),
        )
        self._require(changed.rowcount, call_id, status)

    def lose(self, run_id: str) -> None:
        """The process of a run is gone, or leaves it: whether what was executing ran is unknown."""
        self.database.execute(
            "UPDATE agent_tool_calls SET status = 'unknown' WHERE run_id = ? AND status = 'executing'",
            (run_id,),
        )

    def close(self, run_id: str) -> None:
        """A run will not go on: what has not begun is `denied`, what was executing stays `unknown`."""
        self.lose(run_id)
        self.database.execute(
            "UPDATE agent_tool_calls SET finished_at = ?, status = 'denied'"
            " WHERE run_id = ? AND status IN ('proposed', 'awaiting_approval', 'approved')",
            (now_ms(), run_id),
        )

    def of_run(self, run_id: str) -> list[StoredCall]:
        """The calls of a run, in the order in which they were made."""
        rows = self.database.execute(
            "SELECT c.* FROM agent_tool_calls c JOIN agent_messages m ON m.id = c.message_id"
            " WHERE c.run_id = ? ORDER BY m.seq, c.ordinal",
            (run_id,),
        )
        return [_stored(row) for row in rows]

    def _move(self, call_id: str, status: CallStatus, changes: str, values: Sequence[Any]) -> None:
        earlier = before(CALL, status)
        moved = self.database.execute(
            f"UPDATE agent_tool_calls SET status = ?, {changes} WHERE id = ?"
            f" AND status IN ({_marks(earlier)})",
            (status, *values, call_id, *earlier),
        )
        self._require(moved.rowcount, call_id, status)

    def _require(self, moved: int, call_id: str, status: CallStatus) -> None:
        if not moved:
            row = self.database.one("SELECT status FROM agent_tool_calls WHERE id = ?", (call_id,))
            now = row["status"] if row else "gone"
            raise Busy(f"tool call {call_id} is {now} and cannot become {status}")

    def granted(self, session_id: str) -> list[tuple[str, str, Mapping[str, Any] | None]]:
        """What a person allowed for a whole session: (scope `tool` or `arguments`, tool, arguments)."""
        rows = self.database.execute(
            "SELECT json_extract(c.decision, '$.scope') AS scope, c.tool_slug, c.arguments"
            " FROM agent_tool_calls c JOIN agent_runs r ON r.id = c.run_id"
            " WHERE r.session_id = ? AND scope IN ('tool', 'arguments')",
            (session_id,),
        )
        return [(row["scope"], row["tool_slug"], from_json(row["arguments"])) for row in rows]

    def holdings(self, session_id: str) -> set[str]:
        """What a session holds: `untrusted` words, `private` things.

        They came with results (`tools/trust.py`), or with documents that its runs were shown.
        """
        rows = self.database.execute(
            "SELECT held.value FROM agent_tool_calls c JOIN agent_runs r ON r.id = c.run_id,"
            " json_each(c.result, '$.metadata.holds') AS held WHERE r.session_id = ?1"
            f" UNION SELECT 'private' {_SHOWN} UNION SELECT 'untrusted' {_SHOWN} AND d.untrusted",
            (session_id,),
        )
        return {row[0] for row in rows}


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def _stored(row: sqlite3.Row) -> StoredCall:
    result = from_json(row["result"])
    return StoredCall(
        call=ToolCall(row["id"], row["tool_slug"], from_json(row["arguments"]), row["raw"]),
        message_id=row["message_id"],
        status=row["status"],
        decision=from_json(row["decision"]) or {},
        result=None if result is None else ToolResult(**result),
        output=row["output"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
    )
