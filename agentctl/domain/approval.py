"""A question about one tool call that is kept until somebody answers it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from agentctl.domain.value import value

# `call`: may it run? `unknown`: its process died while it ran; did it?
ApprovalKind = Literal["call", "unknown"]
# `consumed` is one that a call used, `cancelled` one whose call will not come any more.
ApprovalStatus = Literal[
    "pending", "approved", "denied", "ran", "not_run", "expired", "cancelled", "consumed"
]
# A call has one open question at most: unanswered, or answered and not used yet.
OPEN: tuple[ApprovalStatus, ...] = ("pending", "approved", "denied", "ran", "not_run")
# The key of the settings that holds the words of the program that is told of what waits, as JSON.
NOTIFY_SETTING = "notify"
APPROVAL_SECONDS = 24 * 3600.0


@value
class Approval:
    """A question about one call that is kept until somebody answers it.

    `arguments` are the validated ones, after an edit those of the person; `hash` binds tool, revision, action
    and arguments. `decided_by` says who (`user`, `os_user`) and how (`how`). Of an `unknown` call that ran,
    `reason` is its result in a person's words.
    """

    id: str
    kind: ApprovalKind
    user_id: int | None
    session_id: str
    run_id: str
    call_id: str
    agent: str
    tool: str
    arguments: Mapping[str, Any]
    tool_revision: str
    hash: str
    created_at: int
    expires_at: int
    action: str | None = None
    why: str | None = None
    status: ApprovalStatus = "pending"
    decided_by: Mapping[str, Any] | None = None
    decided_at: int | None = None
    reason: str | None = None


def bind(tool: str, revision: str, action: str | None, arguments: Mapping[str, Any]) -> str:
    """The SHA-256 of exactly what is approved: another tool, setting, action or argument has another."""
    import hashlib
    import json

    exact = json.dumps([tool, revision, action, arguments], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(exact.encode("utf-8", "surrogatepass")).hexdigest()
