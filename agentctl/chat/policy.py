"""Decides whether a tool call may run: by setting, by flag, by an earlier answer, or by asking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from agentctl.chat.toolbox import AgentsTool
from agentctl.domain.approval import Ask, Question
from agentctl.domain.message import ToolCall
from agentctl.domain.value import value

Grant = tuple[str, str, Mapping[str, Any] | None]


@value
class Verdict:
    """What was decided about a call, by whom, and with which arguments it runs.

    `by` is `setting`, `flag`, `session`, `person` or `nobody` (it needed a person and none could be asked).
    """

    decision: Literal["allow", "deny", "stop"]
    by: str
    arguments: Mapping[str, Any]
    scope: str | None = None
    reason: str | None = None


class Policy:
    """The approvals of one run. `ask` is None where nobody can be asked."""

    def __init__(self, *, approve_all: bool, ask: Ask | None, grants: Sequence[Grant]) -> None:
        self._approve_all = approve_all
        self._ask = ask
        self._grants = list(grants)

    async def decide(self, tool: AgentsTool, call: ToolCall) -> Verdict:
        """The verdict on one call whose arguments are valid."""
        arguments = call.arguments or {}
        if not tool.needs_approval:
            return Verdict("allow", "setting", arguments)
        if self._approve_all:
            return Verdict("allow", "flag", arguments)
        if self._is_granted(call.name, arguments):
            return Verdict("allow", "session", arguments)
        if self._ask is None:
            return Verdict("deny", "nobody", arguments)
        answer = await self._ask(Question(call.id, call.name, arguments, tool.faults))
        if answer.choice == "stop":
            return Verdict("stop", "person", arguments)
        if answer.choice == "no":
            return Verdict("deny", "person", arguments, reason=answer.reason)
        scope = None if answer.choice == "once" else answer.choice
        if scope:
            self._grants.append((scope, call.name, answer.arguments))
        return Verdict("allow", "person", answer.arguments, scope=scope)

    def _is_granted(self, name: str, arguments: Mapping[str, Any]) -> bool:
        return any(
            tool == name and (scope == "tool" or allowed == arguments)
            for scope, tool, allowed in self._grants
        )
