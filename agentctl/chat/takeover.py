"""What becomes of a run whose process is gone, when somebody goes on with its session."""

from __future__ import annotations

from agentctl.chat.holder import is_alive
from agentctl.domain.message import Message, Part, Reasoning, Text
from agentctl.domain.run import Run
from agentctl.errors import Busy
from agentctl.store import Store


def take_over(store: Store, session_id: str) -> None:
    """End the dead runs of a session and keep what they had said; the caller holds the transaction.

    Raises Busy where one of them lives.
    """
    for run in store.runs.live(session_id):
        if run.holder is not None and is_alive(run.holder):
            raise Busy(
                f"session {session_id} is busy: process {run.holder.pid} is answering in it",
                hint="Wait for it, or start a new session by leaving -c and -s out.",
            )
        _interrupt(store, run)


def _interrupt(store: Store, run: Run) -> None:
    said = {"message.delta": "", "reasoning.delta": ""}
    for event in store.events.list(run.id):
        if event.type in said:
            said[event.type] += event.data["text"]
    parts: list[Part] = []
    if said["reasoning.delta"]:
        parts.append(Reasoning(said["reasoning.delta"]))
    if said["message.delta"]:
        parts.append(Text(said["message.delta"]))
    if parts:
        store.messages.add(
            Message("assistant", tuple(parts), session_id=run.session_id, run_id=run.id, status="interrupted")
        )
    store.events.drop_deltas(run.id)
    store.calls.abandon(run.id)
    store.usage.abandon(run.id)
    spent = store.usage.of_run(run.id)
    error = {"kind": "interrupted", "message": "the process that answered is gone"}
    store.runs.finish(
        run.id,
        "interrupted",
        outcome="failed",
        exit_code=1,
        error=error,
        usage=spent.usage,
        cost_usd=spent.cost_usd,
        num_turns=spent.requests,
    )
