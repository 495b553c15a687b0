"""Decides whether a tool call may run: by setting, by flag, by an earlier answer, or by asking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from agentctl.chat.egress import Egress
from agentctl.chat.toolbox import AgentsTool
from agentctl.domain.message import ToolCall
from agentctl.domain.question import Ask, Question
from agentctl.domain.tool import ToolResult
from agentctl.domain.value import value

Grant = tuple[str, str, Mapping[str, Any] | None]


@value
class Verdict:
    """What was decided about a call, by whom, and with which arguments it runs.

    `by` is `setting`, `flag`, `session`, `person` or `nobody` (it needed a person and none could be asked).
    `confined` as in ToolContext.
    """

    decision: Literal["allow", "deny", "stop"]
    by: str
    arguments: Mapping[str, Any]
    scope: str | None = None
    reason: str | None = None
    confined: bool = False


class Policy:
    """The approvals of one run. `ask` is None where nobody can be asked, `egress` where all may be sent."""

    def __init__(
        self, *, approve_all: bool, ask: Ask | None, grants: Sequence[Grant], egress: Egress | None = None
    ) -> None:
        self._approve_all = approve_all
        self._ask = ask
        self._grants = list(grants)
        self._egress = egress

    async def decide(self, tool: AgentsTool, call: ToolCall) -> Verdict:
        """The verdict on one call whose arguments are valid."""
        arguments = call.arguments or {}
        host = self._find_host(tool, arguments)
        stranger = None if host is None or (self._egress and self._egress.is_named(host)) else host
        confined = host is not None
        if not tool.needs_approval and stranger is None:
            return Verdict("allow", "setting", arguments, confined=confined)
        if self._approve_all:
            return Verdict("allow", "flag", arguments)
        if self._is_granted(call.name, arguments, whole_tool=stranger is None):
            return Verdict("allow", "session", arguments, confined=confined)
        why = None if stranger is None else _explain(stranger)
        if self._ask is None:
            return Verdict("deny", "nobody", arguments, reason=why)
        answer = await self._ask(Question(call.id, call.name, arguments, tool.faults, why))
        if answer.choice == "stop":
            return Verdict("stop", "person", arguments)
        if answer.choice == "no":
            return Verdict("deny", "person", arguments, reason=answer.reason)
        scope = None if answer.choice == "once" else answer.choice
        if scope:
            self._grants.append((scope, call.name, answer.arguments))
        if stranger is not None and self._egress:
            self._egress.allow(stranger)
        return Verdict("allow", "person", answer.arguments, scope=scope, confined=confined)

    def learn(self, result: ToolResult) -> None:
        """A call ended; what it found counts for the next ones."""
        if self._egress:
            self._egress.learn(result)

    def _find_host(self, tool: AgentsTool, arguments: Mapping[str, Any]) -> str | None:
        """The host that the model chose for a request, where that matters in this session."""
        host = tool.host(arguments) if self._egress else None
        return host if host is not None and self._egress and self._egress.is_guarded else None

    def _is_granted(self, name: str, arguments: Mapping[str, Any], *, whole_tool: bool) -> bool:
        """Whether a person allowed these arguments before or, where that is enough, the whole tool."""
        return any(
            tool == name and ((scope == "tool" and whole_tool) or allowed == arguments)
            for scope, tool, allowed in self._grants
        )


def _explain(host: str) -> str:
    return (
        f"it sends to {host}, which neither the user nor the tool's config names, "
        "and this session holds both foreign text and private data"
    )
