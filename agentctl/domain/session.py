"""A session: one conversation of one user with one agent."""

from __future__ import annotations

from agentctl.domain.value import value


@value
class Session:
    """Times are milliseconds UTC. `model` and the `enable_*` switches are None where the agent's hold.

    `agent` is None once the agent is gone. `preview` is the start of the first message where no title is.
    """

    id: str
    user_id: int
    agent: str | None
    title: str | None
    model: str | None
    enable_thinking: bool | None
    enable_tools: bool | None
    created_at: int
    updated_at: int
    last_active_at: int
    preview: str | None = None
