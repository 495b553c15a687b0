"""What the `runs` commands show: this user's runs as rows, and one of them with all that happened in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agentctl.chat.holder import is_gone
from agentctl.domain.approval import Approval
from agentctl.domain.ids import clock_ms, rfc3339
from agentctl.domain.message import Message
from agentctl.domain.run import Run
from agentctl.domain.states import LIVE, RunStatus
from agentctl.domain.stored_call import StoredCall
from agentctl.domain.user import User
from agentctl.store import Store


class RunViews:
    """The runs of `user`. One whose process is gone is shown as `interrupted`, marked or not."""

    def __init__(self, store: Store, user: User) -> None:
        self._store = store
        self._user = user

    def search(
        self,
        *,
        status: RunStatus | None,
        agent: str | None,
        session: str | None,
        since: int | None,
    ) -> Callable[[int, int], Iterator[dict[str, Any]]]:
        """Runs, newest first, as a function that fetches `limit` rows from `offset` on. Raises NotFound."""
        session_id = None if session is None else self._store.sessions.find(self._user.id, session).id
        gone = [run.id for run in self._store.run_lists.live(self._user.id) if _is_lost(run)]

        def fetch(limit: int, offset: int) -> Iterator[dict[str, Any]]:
            found = self._store.run_lists.search(
                self._user.id,
                gone=gone,
                status=status,
                agent=agent,
                session_id=session_id,
                since=since or 0,
                limit=limit,
                offset=offset,
            )
            return (_row(_as_it_is(run), prompt) for run, prompt in found)

        return fetch

    def describe(self, given: str) -> dict[str, Any]:
        """One run with its steps, calls and approvals, and the commands that one may type next.

        Raises NotFound, UsageError.
        """
        run = _as_it_is(self._store.runs.find(self._user.id, given))
        messages = self._store.messages.of_run(run.id)
        calls = self._store.calls.of_run(run.id)
        approvals = self._store.approvals.of_run(run.id)
        prompt = next((message.text for message in messages if message.role == "user"), None)
        steps = [
            _step(message, [call for call in calls if call.message_id == message.id])
            for message in messages
            if message.role == "assistant"
        ]
        last = self._store.runs.last(run.session_id)
        return {
            **_row(run, prompt),
            "request_id": run.request_id,
            "cwd": run.cwd,
            "settings": dict(run.settings),
            "error": run.error,
            "process": _process(run),
            "steps": steps,
            "approvals": [_approval(approval) for approval in approvals],
            "next": list(_next(run, approvals, is_last=last is not None and last.id == run.id)),
        }


def _is_lost(run: Run) -> bool:
    return run.status == "running" and is_gone(run)


def _as_it_is(run: Run) -> Run:
    return replace(run, status="interrupted") if _is_lost(run) else run


def _row(run: Run, prompt: str | None) -> dict[str, Any]:
    # Of one that nobody has marked it is only known when it was last alive.
    end = run.finished_at or (clock_ms() if run.status in LIVE else run.heartbeat_at)
    return {
        "id": run.id,
        "status": run.status,
        "agent": run.agent,
        "prompt": prompt,
        "created_at": rfc3339(run.created_at),
        "finished_at": _time(run.finished_at),
        "duration_ms": None if end is None else end - run.created_at,
        "num_turns": run.num_turns,
        "usage": run.usage.as_dict(),
        "cost_usd": run.cost_usd,
        "outcome": run.outcome,
        "exit_code": run.exit_code,
        "model": run.model,
        "session_id": run.session_id,
    }


def _step(message: Message, calls: Sequence[StoredCall]) -> dict[str, Any]:
    return {
        "message_id": message.id,
        "status": message.status,
        "finish": message.finish,
        "text": message.text,
        "reasoning": message.reasoning or None,
        "model": message.origin,
        "usage": message.usage.as_dict() if message.usage else None,
        "cost_usd": message.cost_usd,
        "created_at": _time(message.created_at),
        "calls": [_call(call) for call in calls],
    }


def _call(stored: StoredCall) -> dict[str, Any]:
    call, result = stored.call, stored.result
    sent = {"raw": call.raw} if call.arguments is None else {"arguments": dict(call.arguments)}
    return {
        "call_id": call.id,
        "tool": call.name,
        **sent,
        "status": stored.status,
        "decision": dict(stored.decision) or None,
        "success": result.success if result else None,
        "data": result.data if result else None,
        "error": result.error if result else None,
        "started_at": _time(stored.started_at),
        "finished_at": _time(stored.finished_at),
        "duration_ms": result.metadata.get("duration_ms") if result else None,
    }


def _approval(approval: Approval) -> dict[str, Any]:
    return {
        "id": approval.id,
        "kind": approval.kind,
        "call_id": approval.call_id,
        "tool": approval.tool,
        "action": approval.action,
        "status": approval.status,
        "why": approval.why,
        "reason": approval.reason,
        "decided_by": approval.decided_by and dict(approval.decided_by),
        "created_at": _time(approval.created_at),
        "expires_at": _time(approval.expires_at),
        "decided_at": _time(approval.decided_at),
    }


def _process(run: Run) -> Mapping[str, Any] | None:
    """Who works on the run, or did."""
    if run.holder is None:
        return None
    return {"pid": run.holder.pid, "host": run.holder.host, "heartbeat_at": _time(run.heartbeat_at)}


def _next(run: Run, approvals: Sequence[Approval], *, is_last: bool) -> Iterator[str]:
    """What one may type about a run."""
    if run.status in ("queued", "running"):
        yield f"agentctl attach {run.id}"
        yield f"agentctl stop {run.id}"
        return
    waiting = [approval for approval in approvals if approval.status == "pending"]
    for approval in waiting:
        if approval.kind == "call":
            yield f"agentctl approvals approve {approval.id} --resume"
            yield f'agentctl approvals deny {approval.id} --reason "..."'
        else:
            yield f"agentctl approvals resolve {approval.id} --ran"
            yield f"agentctl approvals resolve {approval.id} --did-not-run"
    if is_last and run.status != "done" and not waiting:
        yield f"agentctl resume {run.id}"
    if run.status != "awaiting_approval":
        yield f'agentctl chat -s {run.session_id} "..."'


def _time(milliseconds: int | None) -> str | None:
    return rfc3339(milliseconds) if milliseconds else None
