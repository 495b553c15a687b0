"""What a run is gone on with: the request that it was started with, tightened."""

from __future__ import annotations

from agentctl.domain.chat import ChatRequest
from agentctl.domain.limits import Limits
from agentctl.domain.run import Run


def request_of(
    run: Run,
    user: str,
    *,
    deny: tuple[str, ...] = (),
    limits: Limits | None = None,
    max_steps: int | None = None,
) -> ChatRequest:
    """The request of a stored run, with flags that only tighten it; `--yes` is never a part of it."""
    settings = run.settings
    steps = [most for most in (settings["max_steps"], max_steps) if most is not None]
    return ChatRequest(
        prompt="",
        user=user,
        cwd=run.cwd,
        session=run.session_id,
        model=settings["model"],
        system=settings["system"],
        tools=settings["tools"],
        thinking=settings["thinking"],
        max_steps=min(steps, default=None),
        limits=Limits(**settings["limits"]).tightened(limits or Limits()),
        schema=settings["schema"],
        allow=tuple(settings["allow"]),
        deny=(*settings["deny"], *deny),
        on_approval=settings["on_approval"],
    )
