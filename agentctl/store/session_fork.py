"""Copies a session up to a message, so that it can be gone on with in two ways."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agentctl.domain.ids import new_id, now_ms
from agentctl.errors import NotFound, UsageError
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json
from agentctl.store.references import SHORTEST
from agentctl.store.sessions import Sessions

_SPOKEN = "session_id = ? AND seq <= ?"
# A copy of a run is over, whatever became of the run: nobody goes on with it and does something twice.
_ENDED = {
    "status": "done",
    "request_id": None,
    "parent_run_id": None,
    "stop_requested": None,
    "pid": None,
    "heartbeat_at": None,
}
# What had not begun does not begin in the copy; what had may have run.
_CALL_STATUS = {
    "proposed": "denied",
    "awaiting_approval": "denied",
    "approved": "denied",
    "executing": "unknown",
}

Ids = Mapping[str, str]


class SessionForks:
    """Copies sessions of one user; the caller holds the transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def fork(self, user_id: int, session_id: str, up_to: str | None = None) -> str:
        """Copy a session and all that was said in it, or all up to the message `up_to`; returns the new id.

        `up_to` is an id or a unique part of one. What a run is still working on is left out. Messages, runs
        and calls get ids of their own; what a person allowed for the whole session is not allowed in the
        copy. Raises NotFound, UsageError.
        """
        source = self.database.one(
            "SELECT * FROM agent_sessions WHERE id = ? AND user_id = ?", (session_id, user_id)
        )
        if source is None:
            raise NotFound(f'no session "{session_id}"', hint="agentctl sessions list shows them.")
        spoken = (session_id, self._end(session_id, up_to))
        messages = self._rows(f"SELECT * FROM agent_messages WHERE {_SPOKEN} ORDER BY seq", spoken)
        runs = self._rows(
            f"SELECT * FROM agent_runs WHERE id IN (SELECT run_id FROM agent_messages WHERE {_SPOKEN})",
            spoken,
        )
        calls = self._rows(
            "SELECT c.* FROM agent_tool_calls c JOIN agent_messages m ON m.id = c.message_id"
            f" WHERE m.{_SPOKEN}",
            spoken,
        )
        ids = {row["id"]: new_id(row["id"].partition("_")[0]) for row in (source, *runs, *messages, *calls)}
        self._copy("agent_sessions", [source], lambda row: _session(row, ids))
        self._copy("agent_runs", runs, lambda row: _run(row, ids))
        self._copy("agent_messages", messages, lambda row: _message(row, ids))
        self._copy("agent_tool_calls", calls, lambda row: _call(row, ids))
        self.database.executemany(
            "INSERT INTO agent_message_files (message_id, ordinal, content)"
            " SELECT ?, ordinal, content FROM agent_message_files WHERE message_id = ?",
            [(ids[row["id"]], row["id"]) for row in messages],
        )
        self.database.executemany(
            "INSERT INTO agent_run_documents (run_id, document_id, untrusted)"
            " SELECT ?, document_id, untrusted FROM agent_run_documents WHERE run_id = ?",
            [(ids[row["id"]], row["id"]) for row in runs],
        )
        Sessions(self.database).touch(ids[session_id])
        return ids[session_id]

    def _end(self, session_id: str, up_to: str | None) -> int:
        """The number of the last message to copy."""
        row = self.database.one(
            "SELECT ifnull(min(m.seq) - 1, (SELECT ifnull(max(seq), 0) FROM agent_messages"
            " WHERE session_id = ?1)) FROM agent_runs r JOIN agent_messages m ON m.run_id = r.id"
            " WHERE r.session_id = ?1 AND r.status IN ('queued', 'running', 'awaiting_approval')",
            (session_id,),
        )
        assert row is not None
        if up_to is None:
            return int(row[0])
        return min(int(row[0]), self._find(session_id, up_to))

    def _find(self, session_id: str, given: str) -> int:
        """The number of the message of a session with this id, or this part of one."""
        mine = "SELECT seq FROM agent_messages WHERE session_id = ?"
        found = self.database.execute(f"{mine} AND id = ?", (session_id, given)).fetchall()
        if not found and len(given) >= SHORTEST:
            length = len(given)
            found = self.database.execute(
                f"{mine} AND (substr(id, 1, ?) = ? OR substr(id, -?) = ?) LIMIT 2",
                (session_id, length, given, length, given),
            ).fetchall()
        if len(found) == 1:
            return int(found[0]["seq"])
        hint = f"agentctl sessions messages {session_id} -o ids shows them."
        if found:
            raise UsageError(f'"{given}" means several messages of session {session_id}', hint=hint)
        raise NotFound(f'session {session_id} has no message "{given}"', hint=hint)

    def _rows(self, sql: str, values: Sequence[Any]) -> list[sqlite3.Row]:
        return self.database.execute(sql, values).fetchall()

    def _copy(
        self, table: str, rows: Sequence[sqlite3.Row], change: Callable[[sqlite3.Row], Mapping[str, Any]]
    ) -> None:
        if rows:
            names = rows[0].keys()
            self.database.executemany(
                f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
                [tuple({**dict(row), **change(row)}.values()) for row in rows],
            )


def _session(row: sqlite3.Row, ids: Ids) -> dict[str, Any]:
    now = now_ms()
    return {
        "id": ids[row["id"]],
        "forked_from": row["id"],
        "head_message_id": None,
        "created_at": now,
        "updated_at": now,
    }


def _run(row: sqlite3.Row, ids: Ids) -> dict[str, Any]:
    return {
        **_ENDED,
        "id": ids[row["id"]],
        "session_id": ids[row["session_id"]],
        "copied_from": row["id"],
    }


def _message(row: sqlite3.Row, ids: Ids) -> dict[str, Any]:
    parts = [
        {**part, "call_id": ids.get(part["call_id"], part["call_id"])} if "call_id" in part else part
        for part in from_json(row["parts"])
    ]
    return {
        "id": ids[row["id"]],
        "session_id": ids[row["session_id"]],
        "parent_id": ids.get(row["parent_id"]),
        "run_id": ids.get(row["run_id"]),
        "parts": to_json(parts),
    }


def _call(row: sqlite3.Row, ids: Ids) -> dict[str, Any]:
    decision = from_json(row["decision"])
    return {
        "id": ids[row["id"]],
        "run_id": ids[row["run_id"]],
        "message_id": ids[row["message_id"]],
        "status": _CALL_STATUS.get(row["status"], row["status"]),
        "decision": None if decision is None else to_json({**decision, "scope": None}),
    }
