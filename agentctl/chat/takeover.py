"""Makes a session free for the next run: what of the runs before it is dead, waits, or stays in the way."""

from __future__ import annotations

from typing import Any

from agentctl.chat.closing import close_run
from agentctl.chat.holder import is_gone
from agentctl.chat.waiting import say_next
from agentctl.domain.event import Event, Span
from agentctl.domain.ids import clock_ms
from agentctl.domain.message import Message, Part, Reasoning, Text
from agentctl.domain.run import Run
from agentctl.errors import Busy
from agentctl.store import Store

SUPERSEDED = "superseded by a newer message"


def free_session(store: Store, session_id: str, *, supersede: bool = False) -> None:
    """End the dead runs of a session, and with `supersede` the one that waits for approval.

    What was left open by earlier runs is closed, for no one can go on with them once there is a newer one.
    The caller holds the transaction. Raises Busy where a run lives, or waits and may not be superseded.
    """
    for run in store.runs.live(session_id):
        if run.status == "awaiting_approval":
            _supersede(store, run, allowed=supersede)
        else:
            _interrupt_dead(store, run)
    last = store.runs.last(session_id)
    if last is not None:
        store.calls.close(last.id)
        store.approvals.cancel(last.id, SUPERSEDED)


def take_run(store: Store, run: Run) -> None:
    """Make a run free to be gone on with: mark it interrupted where its process is gone.

    The caller holds the transaction. Raises Busy where its process lives.
    """
    if run.status == "running" and not is_gone(run):
        raise Busy(
            f"run {run.id} goes on already: {_who(run)}",
            hint=f"Watch it with agentctl attach {run.id}, or end it with agentctl stop {run.id}.",
        )
    if run.status == "running":
        _interrupt(store, run)


def _interrupt_dead(store: Store, run: Run) -> None:
    if not is_gone(run):
        raise Busy(
            f"session {run.session_id} is busy: {_who(run)}",
            hint="Wait for it with --wait, ask in a copy of it with --fork, watch it with agentctl attach "
            f"{run.id}, or end it with agentctl stop {run.id}.",
        )
    _interrupt(store, run)


def _who(run: Run) -> str:
    return f"process {run.holder.pid} is answering in it" if run.holder else f"run {run.id} waits in it"


def _supersede(store: Store, run: Run, *, allowed: bool) -> None:
    if not allowed:
        waiting = [each for each in store.approvals.of_run(run.id) if each.status == "pending"]
        # Nothing waits where all is answered or has expired: the run goes on with that, or asks again.
        what = f"approval: {', '.join(each.id for each in waiting)}" if waiting else f"run {run.id} to go on"
        raise Busy(
            f"session {run.session_id} waits for {what}",
            hint=f"{say_next(run.id, waiting)} Or end that run and ask anew with --supersede.",
        )
    close_run(store, run, SUPERSEDED)


def _interrupt(store: Store, run: Run) -> None:
    said = {"message.delta": "", "reasoning.delta": ""}
    spans: dict[str, Span] = {}
    for start, event in store.events.deltas(run.id):
        said[event.type] += event.data["text"]
        first = spans[event.type].first if event.type in spans else start
        spans[event.type] = Span(event.type, first, event.seq)
    parts: list[Part] = []
    if said["reasoning.delta"]:
        parts.append(Reasoning(said["reasoning.delta"]))
    if said["message.delta"]:
        parts.append(Text(said["message.delta"]))
    if parts:
        message_id = store.messages.add(
            Message("assistant", tuple(parts), session_id=run.session_id, run_id=run.id, status="interrupted")
        )
        store.events.fold(run.id, list(spans.values()))
        said_event = {"message_id": message_id, "text": said["message.delta"], "finish": "error"}
        store.events.add(run.id, [Event("message", said_event, store.events.last(run.id) + 1, clock_ms())])
    store.calls.lose(run.id)
    store.usage.abandon(run.id)
    error = {"kind": "interrupted", "message": "the process that answered is gone"}
    store.runs.finish(
        run.id, "interrupted", outcome="failed", exit_code=75, error=error, **_spent(store, run)
    )


def _spent(store: Store, run: Run) -> dict[str, Any]:
    spent = store.usage.of_run(run.id)
    return {"usage": spent.usage, "cost_usd": spent.cost_usd, "num_turns": spent.requests}
