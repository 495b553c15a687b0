"""What a run waits for, and what a person may type about it, in words."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.domain.approval import Approval
from agentctl.errors import Paused


def paused(pending: Sequence[Approval]) -> Paused:
    """The error of a run that waits for persons."""
    lost, asked = _split(pending)
    words = []
    if lost:
        ids = ", ".join(each.id for each in lost)
        words.append(f"nobody knows whether a call of {_tools(lost)} ran, because its process died: {ids}")
    if asked:
        words.append(f"a call of {_tools(asked)} waits for approval: {', '.join(each.id for each in asked)}")
    return Paused("; ".join(words), hint=say_next(pending[0].run_id, pending))


def say_next(run_id: str, pending: Sequence[Approval]) -> str:
    """A sentence that names the commands which go on with a run; `pending` are its open questions."""
    lost, asked = _split(pending)
    if lost:
        steps = [f"agentctl approvals resolve {each.id} --ran or --did-not-run" for each in lost]
        steps += [f"agentctl approvals approve {each.id}, or deny" for each in asked]
        return f"Say it with {'; '.join(steps)}; then go on with agentctl resume {run_id}."
    if asked:
        ids = " ".join(each.id for each in asked)
        return f"Go on with agentctl approvals approve {ids} --resume, or deny it in the same way."
    return f"Go on with it: agentctl resume {run_id}."


def _split(pending: Sequence[Approval]) -> tuple[list[Approval], list[Approval]]:
    """Calls that may have run, and calls that have not been started."""
    return [each for each in pending if each.kind == "unknown"], [
        each for each in pending if each.kind == "call"
    ]


def _tools(approvals: Sequence[Approval]) -> str:
    return ", ".join(sorted({approval.tool for approval in approvals}))
