"""What is asked of the engine: one user message and the flags that hold for it."""

from __future__ import annotations

from typing import Any

from agentctl.domain.value import value


@value
class ChatRequest:
    """A turn as the command line understood it; None means: as session, agent or configuration say.

    `session` is an id (or part of one); `follow` goes on with the newest session. `approve_all` is `--yes`.
    `timeout` is in seconds. `warnings` is what had to be left out of the prompt.
    """

    prompt: str
    user: str
    cwd: str
    agent: str | None = None
    session: str | None = None
    follow: bool = False
    model: str | None = None
    system: str | None = None
    tools: bool | None = None
    thinking: bool | None = None
    max_steps: int | None = None
    timeout: float | None = None
    approve_all: bool = False
    warnings: tuple[str, ...] = ()

    def settings(self) -> dict[str, Any]:
        """The flags that hold for this run, as they are stored with it."""
        return {
            "system": self.system,
            "tools": self.tools,
            "thinking": self.thinking,
            "max_steps": self.max_steps,
            "timeout": self.timeout,
        }
