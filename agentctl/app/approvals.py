"""Approvals as a person sees and answers them, in any process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from agentctl.app.approval_views import approval_row, audit_note
from agentctl.chat.holder import os_user
from agentctl.chat.waiting import say_next
from agentctl.domain.approval import Approval, ApprovalStatus
from agentctl.domain.blanks import Blanks
from agentctl.domain.ids import rfc3339
from agentctl.domain.user import User
from agentctl.errors import NotFound, Paused, UsageError
from agentctl.store import Store
from agentctl.store.references import SHORTEST_TO_DECIDE

# An answer, and what the audit calls it.
DECISIONS: Mapping[ApprovalStatus, str] = {
    "approved": "allow",
    "denied": "deny",
    "not_run": "did_not_run",
    "ran": "ran",
}


class Approvals:
    """Those of one user; every answer is written into the audit together with itself."""

    def __init__(self, store: Store, user: User, find_blanks: Callable[[], Blanks]) -> None:
        self._store = store
        self._user = user
        self._find_blanks = find_blanks

    def rows(
        self, *, status: str | None, session: str | None, limit: int, offset: int
    ) -> Iterator[dict[str, Any]]:
        """One page, those that wait first, then the newest; `session` as sessions are named anywhere."""
        session_id = None if session is None else self._store.sessions.find(self._user.id, session).id
        found = self._store.approvals.search(
            self._user.id, status=status, session_id=session_id, limit=limit, offset=offset
        )
        return map(approval_row, found)

    def describe(self, given: str) -> dict[str, Any]:
        """One approval with everything that is known of it. Raises NotFound, UsageError."""
        approval = self._store.approvals.find(self._user.id, given)
        decided = approval.decided_at
        return {
            **approval_row(approval),
            "call_id": approval.call_id,
            "tool_revision": approval.tool_revision,
            "hash": approval.hash,
            "decided_at": None if decided is None else rfc3339(decided),
            "decided_by": approval.decided_by,
            "reason": approval.reason,
        }

    def find_session(self, given: str) -> str:
        """The id of the session in which something is to be decided. Raises NotFound, UsageError."""
        if given == "@last" or len(given) < SHORTEST_TO_DECIDE:
            raise UsageError(
                f'"{given}" is too little to decide by',
                hint=f"Give the whole id of the session, or at least {SHORTEST_TO_DECIDE} characters of it.",
            )
        return self._store.sessions.find(self._user.id, given).id

    def choose(self, given: Sequence[str], session: str | None) -> list[Approval]:
        """The approvals with these ids; or all calls of `session` that wait. Raises NotFound, UsageError."""
        if session is None:
            found = [self._store.approvals.find(self._user.id, each) for each in given]
            return list({approval.id: approval for approval in found}.values())
        session_id = self.find_session(session)
        waiting = self._store.approvals.search(self._user.id, status="pending", session_id=session_id)
        calls = [approval for approval in waiting if approval.kind == "call"]
        if not calls:
            raise NotFound(
                f"no call waits for approval in session {session_id}", hint="See agentctl approvals list."
            )
        return calls

    def answer(
        self, chosen: Sequence[Approval], status: ApprovalStatus, how: str, reason: str | None = None
    ) -> None:
        """Give all of them this answer, or none; `how` is the command that gives it.

        Raises UsageError for one that this is no answer to, Busy for one that is not open any more.
        """
        for approval in chosen:
            check_kind(approval, status)
        reason = None if reason is None else self._find_blanks().blank(reason)
        who = {"user": self._user.name, "os_user": os_user(), "how": how}
        with self._store.transaction(durable=True):
            for approval in chosen:
                self._store.approvals.decide(approval, status, who, reason=reason)
                self._store.audit.add(
                    "answer",
                    self._user.name,
                    who["os_user"],
                    audit_note(approval, DECISIONS[status], by="person", how=how, reason=reason),
                )

    def clean_up(self, session: str | None) -> list[dict[str, Any]]:
        """Close what nobody can answer any more, of one session or of all (`app/approval_cleanup.py`)."""
        from agentctl.app.approval_cleanup import clean_up

        return clean_up(self._store, self._user, None if session is None else self.find_session(session))

    @staticmethod
    def require_one_run(chosen: Sequence[Approval]) -> str:
        """The run that all of them belong to. Raises UsageError for several."""
        runs = list(dict.fromkeys(approval.run_id for approval in chosen))
        if len(runs) > 1:
            raise UsageError(
                f"--resume goes on with one run, and these belong to {len(runs)}: {', '.join(runs)}",
                hint="Answer them run by run, or leave --resume out and use agentctl resume RUN.",
            )
        return runs[0]

    def require_nothing_pending(self, run_id: str) -> None:
        """Raise Paused where a run still waits for other answers."""
        waiting = [each for each in self._store.approvals.of_run(run_id) if each.status == "pending"]
        if waiting:
            raise Paused(
                f"run {run_id} still waits for {', '.join(each.id for each in waiting)}",
                hint=say_next(run_id, waiting),
            )


def check_kind(approval: Approval, status: ApprovalStatus) -> None:
    """Raise UsageError where `status` is no answer to what was asked."""
    if approval.kind == "unknown" and status in ("approved", "denied"):
        raise UsageError(
            f"{approval.id} asks whether a call ran whose process died",
            hint=f"Say it with agentctl approvals resolve {approval.id} --ran or --did-not-run.",
        )
    if approval.kind == "call" and status in ("ran", "not_run"):
        raise UsageError(
            f"{approval.id} asks whether a call may run, which has not been started",
            hint=f"Answer with agentctl approvals approve {approval.id}, or deny.",
        )
