"""Tool calls: a row before the tool runs, a result the moment it has run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentctl.domain.ids import now_ms
from agentctl.domain.message import ToolCall
from agentctl.domain.tool import ToolResult
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json


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
        self, call_id: str, status: str, decision: Mapping[str, Any], arguments: Mapping[str, Any] | None
    ) -> None:
        """Store what was decided, and the arguments it was decided on (a person may have edited them)."""
        self.database.execute(
            "UPDATE agent_tool_calls SET status = ?, decision = ?, arguments = ? WHERE id = ?",
            (status, to_json(decision), None if arguments is None else to_json(arguments), call_id),
        )

    def start(self, call_id: str) -> None:
        """The tool is about to run."""
        self.database.execute(
            "UPDATE agent_tool_calls SET status = 'executing', started_at = ? WHERE id = ?",
            (now_ms(), call_id),
        )

    def finish(self, call_id: str, result: ToolResult, output: str, *, status: str) -> None:
        """Store the result and the text the model reads of it."""
        self.database.execute(
            "UPDATE agent_tool_calls SET status = ?, result = ?, output = ?, finished_at = ? WHERE id = ?",
            (status, to_json(result.as_dict()), output, now_ms(), call_id),
        )

    def abandon(self, run_id: str) -> None:
        """A run ended: what was executing is `unknown`, what had not begun is `denied`."""
        self.database.execute(
            "UPDATE agent_tool_calls SET finished_at = ?,"
            " status = CASE status WHEN 'executing' THEN 'unknown' ELSE 'denied' END"
            " WHERE run_id = ? AND status IN ('proposed', 'awaiting_approval', 'approved', 'executing')",
            (now_ms(), run_id),
        )

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
        """What the results of a session hold: `untrusted` words, `private` things (`tools/trust.py`)."""
        rows = self.database.execute(
            "SELECT DISTINCT held.value FROM agent_tool_calls c JOIN agent_runs r ON r.id = c.run_id,"
            " json_each(c.result, '$.metadata.holds') AS held WHERE r.session_id = ?",
            (session_id,),
        )
        return {row[0] for row in rows}
