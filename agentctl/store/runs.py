"""Runs: their state, who works on them, how they ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from agentctl.domain.ids import new_id, now_ms
from agentctl.domain.message import Usage
from agentctl.domain.run import Holder, Run, RunStatus
from agentctl.domain.value import value
from agentctl.store.connection import Database
from agentctl.store.json_columns import to_json


@value
class NewRun:
    """What a run is started with; `settings` are the flags that hold for it."""

    session_id: str
    user_id: int
    agent_slug: str
    model: str
    cwd: str
    revision: int
    settings: Mapping[str, Any]
    holder: Holder


class Runs:
    """Runs by id and session."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def start(self, run: NewRun) -> str:
        """A new run in state `running`; returns its id."""
        run_id = new_id("ar")
        now = now_ms()
        holder = run.holder
        self.database.execute(
            "INSERT INTO agent_runs"
            " (id, session_id, user_id, agent_slug, status, model, settings, cwd, revision,"
            " pid, host, boot_id, pid_started, pid_namespace, heartbeat_at, created_at)"
            " VALUES (?, ?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                run_id,
                run.session_id,
                run.user_id,
                run.agent_slug,
                run.model,
                to_json(run.settings),
                run.cwd,
                run.revision,
                holder.pid,
                holder.host,
                holder.boot_id,
                holder.started,
                holder.pid_namespace,
                now,
                now,
            ),
        )
        return run_id

    def live(self, session_id: str) -> list[Run]:
        """The runs of a session that have not ended."""
        rows = self.database.execute(
            "SELECT * FROM agent_runs WHERE session_id = ?"
            " AND status IN ('queued', 'running', 'awaiting_approval') ORDER BY created_at",
            (session_id,),
        )
        return [_run(row) for row in rows]

    def list(self, session_id: str) -> list[Run]:
        """All runs of a session, oldest first."""
        rows = self.database.execute(
            "SELECT * FROM agent_runs WHERE session_id = ? ORDER BY created_at, id", (session_id,)
        )
        return [_run(row) for row in rows]

    def finish(
        self,
        run_id: str,
        status: RunStatus,
        *,
        outcome: str,
        exit_code: int,
        error: Mapping[str, Any] | None = None,
        usage: Usage | None = None,
        cost_usd: float | None = None,
        num_turns: int = 0,
        model: str | None = None,
    ) -> None:
        """Store how a run ended; `model` is the one that answered, where that is not the first choice."""
        spent = usage or Usage()
        self.database.execute(
            "UPDATE agent_runs SET status = ?, outcome = ?, exit_code = ?, error = ?, num_turns = ?,"
            " input_tokens = ?, output_tokens = ?, cached_tokens = ?, reasoning_tokens = ?, cost_usd = ?,"
            " model = ifnull(?, model), finished_at = ? WHERE id = ?",
            (
                status,
                outcome,
                exit_code,
                None if error is None else to_json(error),
                num_turns,
                spent.input,
                spent.output,
                spent.cached,
                spent.reasoning,
                cost_usd,
                model,
                now_ms(),
                run_id,
            ),
        )


def _run(row: sqlite3.Row) -> Run:
    holder = None
    if row["pid"] is not None:
        holder = Holder(row["pid"], row["host"], row["boot_id"], row["pid_started"], row["pid_namespace"])
    return Run(
        id=row["id"],
        session_id=row["session_id"],
        status=row["status"],
        model=row["model"],
        outcome=row["outcome"],
        exit_code=row["exit_code"],
        usage=Usage(row["input_tokens"], row["output_tokens"], row["cached_tokens"], row["reasoning_tokens"]),
        cost_usd=row["cost_usd"],
        num_turns=row["num_turns"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
        holder=holder,
    )
