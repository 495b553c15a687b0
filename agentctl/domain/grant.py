"""What a person allowed ahead of time, for runs that nobody watches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from agentctl.domain.value import value


@value
class Grant:
    """What a person allowed ahead of time: calls of one tool by one agent, where `conditions` hold.

    `conditions` are those of a rule's `where`. `uses_left` and `expires_at` (ms) None mean: without end.
    """

    id: str
    user_id: int
    agent: str
    tool: str
    action: str | None = None
    conditions: Mapping[str, Any] = field(default_factory=dict)
    uses_left: int | None = None
    reason: str | None = None
    created_at: int = 0
    expires_at: int | None = None
    revoked_at: int | None = None
