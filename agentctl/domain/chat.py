"""What is asked of the engine: one user message and the flags that hold for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from agentctl.domain.limits import Limits
from agentctl.domain.message import File
from agentctl.domain.question import OnApproval
from agentctl.domain.value import value


@value
class ChatRequest:
    """A turn as the command line understood it; None means: as session, agent or configuration say.

    `session` is an id (or part of one); `follow` goes on with the newest session. `approve_all` is `--yes`.
    `limits` tighten those of the agent. `schema` is the JSON Schema that the answer must keep to. `warnings`
    is what had to be left out of the prompt. `record` is a file to record the turn into, `replay` one
    to answer from; `live_tools` runs the tools all the same.

    `allow` and `deny` are rules of this run (`domain/rule.py`); `on_approval` is what becomes of a call that
    needs a person. `request_id` makes a repetition the same run. On a busy session `wait` waits and `fork`
    starts a copy of it; `supersede` denies what waits for approval there.
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
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    on_approval: OnApproval | None = None
    request_id: str | None = None
    wait: bool = False
    fork: bool = False
    supersede: bool = False

    def settings(self) -> dict[str, Any]:
        """The flags that hold for this run, as they are stored with it."""
        return {
            "model": self.model,
            "system": self.system,
            "tools": self.tools,
            "thinking": self.thinking,
            "max_steps": self.max_steps,
            "limits": self.limits.as_dict(),
            "schema": self.schema,
            "allow": list(self.allow),
            "deny": list(self.deny),
            "on_approval": self.on_approval,
        }
