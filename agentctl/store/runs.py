"""Runs: their state, who works on them, how they ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from agentctl.domain.ids import clock_ms, new_id, now_ms
from agentctl.domain.message import Usage
from agentctl.domain.run import Holder, Run
from agentctl.domain.states import RUN, RunStatus, before
from agentctl.domain.value import value
from agentctl.errors import Busy, NotFound
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json
from agentctl.store.references import find_row


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
    request_id: str | None = None
    prompt_hash: str | None = None


class Runs:
    """Runs by id and session; the caller holds the transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def start(self, run: NewRun) -> str:
        """A new run that is `queued`; returns its id. Some process takes it."""
        run_id = new_id("ar")
        self.database.execute(
            "INSERT INTO agent_runs"
            " (id, session_id, user_id, agent_slug, status, model, settings, cwd, revision,"
            " request_id, prompt_hash, created_at)"
            " VALUES (?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?)",
            (
                run_id,
                run.session_id,
                run.user_id,
                run.agent_slug,
                run.model,
                to_json(run.settings),
                run.cwd,
                run.revision,
                run.request_id,
                run.prompt_hash,
                now_ms(),
            ),
        )
        return run_id

    def take(self, run_id: str, holder: Holder) -> int:
        """The run is this process's from now on; returns its lease. Whoever held it before can write no more.

        Raises Busy where it is not in a state to be taken.
        """
        self._move(
            run_id,
            "running",
            "lease_token = lease_token + (status <> 'queued'), stop_requested = NULL, outcome = NULL,"
            " exit_code = NULL, error = NULL, finished_at = NULL, pid = ?, host = ?, boot_id = ?,"
            " pid_started = ?, pid_namespace = ?, heartbeat_at = ?",
            (holder.pid, holder.host, holder.boot_id, holder.started, holder.pid_namespace, clock_ms()),
        )
        row = self.database.one("SELECT lease_token FROM agent_runs WHERE id = ?", (run_id,))
        assert row is not None
        return int(row[0])

    def note_documents(self, run_id: str, documents: Mapping[str, bool]) -> None:
        """The run was shown these documents, by id, and whether untrusted text had a hand in each."""
        self.database.executemany(
            "INSERT OR REPLACE INTO agent_run_documents (run_id, document_id, untrusted) VALUES (?, ?, ?)",
            [(run_id, document_id, untrusted) for document_id, untrusted in documents.items()],
        )

    def holds(self, run_id: str, lease: int) -> bool:
        """Whether this lease of a run is the last one, and the run still goes on."""
        row = self.database.one(
            "SELECT 1 FROM agent_runs WHERE id = ? AND lease_token = ? AND status = 'running'",
            (run_id, lease),
        )
        return row is not None

    def beat(self, run_id: str, lease: int) -> None:
        """Say that the holder lives."""
        self.database.execute(
            "UPDATE agent_runs SET heartbeat_at = ? WHERE id = ? AND lease_token = ?",
            (clock_ms(), run_id, lease),
        )

    def find(self, user_id: int, given: str) -> Run:
        """The run with this id, or with this unique part of one, or the user's newest (`@last`).

        Raises NotFound for none, UsageError for several.
        """
        if given != "@last":
            return read_run(find_row(self.database, "agent_runs", "run", user_id, given))
        row = self.database.one(
            "SELECT r.* FROM agent_runs r JOIN agent_sessions s ON s.id = r.session_id"
            " WHERE s.user_id = ? AND r.copied_from IS NULL"
            " ORDER BY s.last_active_at DESC, r.created_at DESC, r.id DESC LIMIT 1",
            (user_id,),
        )
        if row is None:
            raise NotFound("there is no run yet", hint='Start one with agentctl chat "...".')
        return read_run(row)

    def get(self, run_id: str) -> Run:
        """The run with this very id, as it is now."""
        row = self.database.one("SELECT * FROM agent_runs WHERE id = ?", (run_id,))
        if row is None:
            raise NotFound(f"run {run_id} is gone")
        return read_run(row)

    def of_request(self, user_id: int, request_id: str) -> Run | None:
        """The run that this request made."""
        row = self.database.one(
            "SELECT * FROM agent_runs WHERE user_id = ? AND request_id = ?", (user_id, request_id)
        )
        return None if row is None else read_run(row)

    def live(self, session_id: str) -> list[Run]:
        """The runs of a session that have not ended."""
        rows = self.database.execute(
            "SELECT * FROM agent_runs WHERE session_id = ?"
            " AND status IN ('queued', 'running', 'awaiting_approval') ORDER BY created_at",
            (session_id,),
        )
        return [read_run(row) for row in rows]

    def last(self, session_id: str) -> Run | None:
        """The newest run of a session."""
        row = self.database.one(
            "SELECT * FROM agent_runs WHERE session_id = ? ORDER BY created_at DESC, id DESC LIMIT 1",
            (session_id,),
        )
        return None if row is None else read_run(row)

    def list(self, session_id: str) -> list[Run]:
        """All runs of a session, oldest first."""
        rows = self.database.execute(
            "SELECT * FROM agent_runs WHERE session_id = ? ORDER BY created_at, id", (session_id,)
        )
        return [read_run(row) for row in rows]

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
        self._move(
            run_id,
            status,
            "outcome = ?, exit_code = ?, error = ?, num_turns = ?, input_tokens = ?, output_tokens = ?,"
            " cached_tokens = ?, reasoning_tokens = ?, cost_usd = ?, model = ifnull(?, model),"
            " finished_at = ?",
            (
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
            ),
        )

    def _move(self, run_id: str, status: RunStatus, changes: str, values: Sequence[Any]) -> None:
        earlier = before(RUN, status)
        moved = self.database.execute(
            f"UPDATE agent_runs SET status = ?, {changes} WHERE id = ?"
            f" AND status IN ({', '.join('?' * len(earlier))})",
            (status, *values, run_id, *earlier),
        )
        if not moved.rowcount:
            row = self.database.one("SELECT status FROM agent_runs WHERE id = ?", (run_id,))
            now = row["status"] if row else "gone"
            raise Busy(f"run {run_id} is {now} and cannot become {status}", hint="See: agentctl runs list.")


def read_run(row: sqlite3.Row) -> Run:
    """The run in a row of `agent_runs`."""
    holder = None
    if row["pid"] is not None:
        holder = Holder(row["pid"], row["host"], row["boot_id"], row["pid_started"], row["pid_namespace"])
    return Run(
        id=row["id"],
        session_id=row["session_id"],
        user_id=row["user_id"],
        agent=row["agent_slug"],
        status=row["status"],
        model=row["model"],
        settings=from_json(row["settings"]),
        cwd=row["cwd"],
        request_id=row["request_id"],
        prompt_hash=row["prompt_hash"],
        outcome=row["outcome"],
        exit_code=row["exit_code"],
        error=None if row["error"] is None else from_json(row["error"]),
        usage=Usage(row["input_tokens"], row["output_tokens"], row["cached_tokens"], row["reasoning_tokens"]),
        cost_usd=row["cost_usd"],
        num_turns=row["num_turns"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
        lease=row["lease_token"],
        heartbeat_at=row["heartbeat_at"],
        holder=holder,
    )
