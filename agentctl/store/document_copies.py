"""Copies of documents in what tools were called with and answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json

_MINE = "c.run_id IN (SELECT r.id FROM agent_runs r WHERE r.user_id = :user)"


class CallCopy(NamedTuple):
    """The columns of a tool call that may hold a document; JSON, but for `raw` and `output`."""

    id: str
    arguments: str | None
    raw: str | None
    result: str | None
    output: str | None


class DocumentCopies:
    """Finds and replaces what one user's tool calls and approvals hold of a document."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def calls(self, user_id: int, document_id: str) -> list[CallCopy]:
        """The user's tool calls that name the document anywhere."""
        rows = self.database.execute(
            "SELECT c.id, c.arguments, c.raw, c.result, c.output FROM agent_tool_calls c"
            f" WHERE {_MINE} AND (instr(c.arguments, :id) OR instr(c.raw, :id) OR instr(c.result, :id)"
            " OR instr(c.output, :id))",
            {"user": user_id, "id": document_id},
        )
        return [CallCopy(*row) for row in rows]

    def replace(self, copy: CallCopy) -> None:
        """Store a call without the document: in its row, in its events and in the questions about it."""
        self.database.execute(
            "UPDATE agent_tool_calls SET arguments = :arguments, raw = :raw, result = :result,"
            " output = :output WHERE id = :id",
            copy._asdict(),
        )
        self.database.execute(
            "UPDATE agent_run_events SET data = json_replace(data, '$.arguments', json(:arguments),"
            " '$.raw', :raw, '$.data', json_extract(:result, '$.data'))"
            " WHERE run_id = (SELECT run_id FROM agent_tool_calls WHERE id = :id)"
            " AND json_extract(data, '$.call_id') = :id",
            copy._asdict(),
        )
        self._replace_reported(copy)
        if copy.arguments is not None:
            self.database.execute(
                "UPDATE agent_approvals SET arguments = ? WHERE call_id = ?", (copy.arguments, copy.id)
            )

    def _replace_reported(self, copy: CallCopy) -> None:
        """Also in how its run ended, where all of its calls are listed."""
        rows = self.database.execute(
            "SELECT run_id, seq, data FROM agent_run_events WHERE type = 'result' AND instr(data, :id)"
            " AND run_id = (SELECT run_id FROM agent_tool_calls WHERE id = :id)",
            {"id": copy.id},
        ).fetchall()
        for row in rows:
            self.database.execute(
                "UPDATE agent_run_events SET data = ? WHERE run_id = ? AND seq = ?",
                (to_json(_replaced(from_json(row["data"]), copy)), row["run_id"], row["seq"]),
            )


def _replaced(value: Any, copy: CallCopy) -> Any:
    """A report in which the call is the copy."""
    if isinstance(value, list):
        return [_replaced(item, copy) for item in value]
    if not isinstance(value, Mapping):
        return value
    if value.get("call_id") != copy.id:
        return {name: _replaced(item, copy) for name, item in value.items()}
    new = {"arguments": from_json(copy.arguments), "raw": copy.raw}
    return {name: new.get(name, item) for name, item in value.items()}
