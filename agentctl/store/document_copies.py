"""Copies of documents in what tools were called with and answered."""

from __future__ import annotations

from typing import NamedTuple

from agentctl.store.connection import Database

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
        if copy.arguments is not None:
            self.database.execute(
                "UPDATE agent_approvals SET arguments = ? WHERE call_id = ?", (copy.arguments, copy.id)
            )
