"""Decides whether a tool call may run: by rule, flag, grant, setting, an earlier answer, or by asking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from agentctl.chat.egress import Egress
from agentctl.chat.order import Case, Order, Said
from agentctl.chat.order import Earlier as Earlier
from agentctl.chat.toolbox import AgentsTool
from agentctl.domain.approval import APPROVAL_SECONDS
from agentctl.domain.ids import clock_ms
from agentctl.domain.message import ToolCall
from agentctl.domain.question import Ask, OnApproval, Question
from agentctl.domain.tool import ToolResult
from agentctl.domain.value import value

if TYPE_CHECKING:
    from agentctl.domain.approval import Approval
    from agentctl.domain.grant import Grant
    from agentctl.domain.rule import Rule

Decision = Literal["allow", "deny", "stop", "pause", "fail"]


@value
class Verdict:
    """What was decided about a call, by whom, and with which arguments it runs.

    `by` is `setting`, `rule`, `flag`, `grant`, `session`, `person` or `nobody` (it needed a person and
    none could be asked). `rule` says which one and where it stands, `grant` is the id of the one to use up.
    `fail` is a `deny` that ends the run, `pause` waits `expires` seconds for an answer. `confined` as in
    ToolContext.
    """

    decision: Decision
    by: str
    arguments: Mapping[str, Any]
    scope: str | None = None
    reason: str | None = None
    confined: bool = False
    rule: str | None = None
    grant: str | None = None
    action: str | None = None
    revision: str = ""
    expires: float = APPROVAL_SECONDS

    def hash(self, tool: str) -> str:
        """What an answer to this very call is bound to."""
        from agentctl.domain.approval import bind

        return bind(tool, self.revision, self.action, self.arguments)


class Policy:
    """The approvals of one run, in the order of DESIGN, section 6.

    `ask` is None where nobody can be asked, `egress` where all may be sent; `rules` are those of flags and of
    the agent, `grants` a person's earlier answers in the session. `find_grants` gives the usable grants for
    a tool, `explain` what a person should know about a call.
    """

    def __init__(
        self,
        *,
        approve_all: bool,
        ask: Ask | None,
        grants: Sequence[Earlier],
        egress: Egress | None = None,
        rules: Sequence[Rule] = (),
        on_approval: OnApproval = "ask",
        find_grants: Callable[[str], Sequence[Grant]] = lambda _: (),
        explain: Callable[[AgentsTool, ToolCall], str | None] = lambda *_: None,
    ) -> None:
        self._explain = explain
        self._approve_all = approve_all
        self._ask = ask
        self._egress = egress
        self._on_approval = on_approval
        self._order = Order(rules, earlier=grants, egress=egress, find_grants=find_grants)

    async def decide(self, tool: AgentsTool, call: ToolCall, approval: Approval | None = None) -> Verdict:
        """The verdict on one call whose arguments are valid; `approval` is a person's answer from before.

        That counts only for exactly what was asked, in its time, and never against a deny rule; else the call
        is decided on as if nobody had answered.
        """
        answered = self._find_answered(tool, call, approval)
        if answered is not None:
            denial = self._order.find_denial(answered)
            return self._say_yes(answered) if denial.effect is None else _verdict(answered, "deny", denial)
        case = self._order.look_at(tool, call.id, call.name, call.arguments or {})
        said = self._order.find(case)
        if said.effect != "ask":
            return _verdict(case, "deny" if said.effect == "deny" else "allow", said)
        if self._approve_all:
            return _verdict(case, "allow", Said("--yes", by="flag"), rule="--yes")
        special = [why for why in (self._explain(tool, call), said.reason) if why]
        return await self._put(case, replace(said, reason="; ".join(special) or None))

    def find_denial(self, tool: AgentsTool, call: ToolCall) -> Verdict | None:
        """The verdict of a deny rule; None where none applies."""
        case = self._order.look_at(tool, call.id, call.name, call.arguments or {})
        denial = self._order.find_denial(case)
        return None if denial.effect is None else _verdict(case, "deny", denial)

    def learn(self, result: ToolResult) -> None:
        """A call ended; what it found counts for the next ones."""
        if self._egress:
            self._egress.learn(result)

    def _find_answered(self, tool: AgentsTool, call: ToolCall, approval: Approval | None) -> Case | None:
        """The call as a person allowed it; None where nobody did, or where it is another one by now."""
        if approval is None or approval.status != "approved" or approval.expires_at <= clock_ms():
            return None
        case = self._order.look_at(tool, call.id, call.name, approval.arguments)
        is_same = _verdict(case, "allow", Said("")).hash(call.name) == approval.hash
        return case if is_same and not tool.check(approval.arguments).faults else None

    async def _put(self, case: Case, said: Said) -> Verdict:
        """A person has to answer: now, later, or nobody ever."""
        nobody = replace(said, by="nobody", reason=said.why)
        if self._on_approval in ("deny", "fail"):
            return _verdict(case, "deny" if self._on_approval == "deny" else "fail", nobody)
        if self._on_approval == "pause" or self._ask is None:
            return _verdict(case, "pause", nobody)
        return await self._take_answer(self._ask, case, said)

    async def _take_answer(self, ask: Ask, case: Case, said: Said) -> Verdict:
        def check(arguments: Mapping[str, Any]) -> list[str]:
            return list(case.tool.check(arguments).faults) or self._find_denials(case, arguments)

        question = Question(case.call_id, case.name, case.arguments, check, said.why, once_only=case.must_ask)
        answer = await ask(question)
        person = Said(said.part, by="person", reason=answer.reason)
        if answer.choice in ("stop", "no"):
            return _verdict(case, "stop" if answer.choice == "stop" else "deny", person)
        # An edited call is another call: a deny rule may apply to it, or it may go to another host.
        answered = self._order.look_at(case.tool, case.call_id, case.name, answer.arguments)
        denial = self._order.find_denial(answered)
        if denial.effect is not None:
            return _verdict(answered, "deny", denial)
        scope = None if answer.choice == "once" or answered.must_ask else answer.choice
        if scope:
            self._order.remember(scope, answered)
        return self._say_yes(answered, scope)

    def _find_denials(self, case: Case, arguments: Mapping[str, Any]) -> list[str]:
        denial = self._order.find_denial(self._order.look_at(case.tool, case.call_id, case.name, arguments))
        return [] if denial.effect is None else [f"denied by the rule {denial.rule}"]

    def _say_yes(self, case: Case, scope: str | None = None) -> Verdict:
        if case.is_strange and case.host is not None and self._egress:
            self._egress.allow(case.host)
        return _verdict(case, "allow", Said("", by="person"), scope=scope)


def _verdict(case: Case, decision: Decision, said: Said, **more: Any) -> Verdict:
    return Verdict(
        decision,
        said.by,
        case.arguments,
        **{
            "reason": said.reason,
            "confined": case.host is not None,
            "rule": None if said.rule is None else str(said.rule),
            "grant": said.grant,
            "action": case.action,
            "revision": case.tool.revision,
            "expires": said.expires,
            **more,
        },
    )
