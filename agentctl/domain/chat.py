"""What is asked of the engine: one user message and the flags that hold for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from agentctl.domain.limits import Limits
from agentctl.domain.message import File
from agentctl.domain.value import value


@value
class ChatRequest:
    """A turn as the command line understood it; None means: as session, agent or configuration say.

    `session` is an id (or part of one); `follow` goes on with the newest session. `approve_all` is `--yes`.
    `limits` tighten those of the agent. `schema` is the JSON Schema that the answer must keep to. `warnings`
    is what had to be left out of the prompt. `record` is a file to record the turn into, `replay` one
    to answer from; `live_tools` runs the tools all the same.
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
    limits: Limits = field(default_factory=Limits)
    schema: Mapping[str, Any] | None = None
    files: tuple[File, ...] = ()
    approve_all: bool = False
    warnings: tuple[str, ...] = ()
    record: str | None = None
    replay: str | None = None
    live_tools: bool = False

    def settings(self) -> dict[str, Any]:
        """The flags that hold for this run, as they are stored with it."""
        return {
            "system": self.system,
            "tools": self.tools,
            "thinking": self.thinking,
            "max_steps": self.max_steps,
            "limits": self.limits.as_dict(),
            "schema": self.schema,
        }
