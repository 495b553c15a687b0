"""A question to a person about one tool call, and the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

from agentctl.domain.value import value

Choice = Literal["once", "arguments", "tool", "no", "stop"]
# What becomes of a call that needs a person.
OnApproval = Literal["ask", "pause", "deny", "fail"]


@value
class Question:
    """The call that waits for a person. `check` names every fault of edited arguments.

    `why` says what is special about it, where something is. `once_only` is one that no answer for the
    session can settle.
    """

    call_id: str
    tool: str
    arguments: Mapping[str, Any]
    check: Callable[[Mapping[str, Any]], list[str]]
    why: str | None = None
    once_only: bool = False


@value
class Answer:
    """What the person said: allow once, these arguments or this tool for the session, no, or stop the run.

    `arguments` are those to run with (a person may edit them); `reason` goes to the model with a no.
    """

    choice: Choice
    arguments: Mapping[str, Any]
    reason: str | None = None


Ask = Callable[[Question], Awaitable[Answer]]
