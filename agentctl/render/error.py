"""Errors as one line for people, with what to do next behind it."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.render.controls import strip_controls


def error_line(message: str, hint: str | None = None, problems: Sequence[str] = ()) -> str:
    """`error: what happened. What to do.`; problems that have a place stand one a line before it."""
    if tuple(problems) == (message,):
        message = "1 problem"
    text = strip_controls(message).rstrip(".")
    line = f"error: {text}. {hint}" if hint else f"error: {text}"
    return "\n".join([*(strip_controls(problem) for problem in problems), line])
