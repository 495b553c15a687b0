"""Decides whether a tool call may run: by rule, flag, grant, setting, an earlier answer, or by asking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from agentctl.chat.egress import Egress
from agentctl.chat.toolbox import AgentsTool
from agentctl.domain.message import ToolCall
from agentctl.domain.question import Ask, OnApproval, Question
from agentctl.domain.tool import ToolResult
from agentctl.domain.value import value

if TYPE_CHECKING:
    from agentctl.domain.approval import Approval
    from agentctl.domain.grant import Grant
    from agentctl.domain.rule import Rule

# What a person allowed for a session: (scope `tool` or `arguments`, tool, arguments).
Earlier = tuple[str, str, Mapping[str, Any] | None]
Decision = Literal["allow", "deny", "stop", "pause", "fail"]
DAY = 24 * 3600.0


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
    expires: float = DAY

    def hash(self, tool: str) -> str:
        """What an answer to this very call is bound to."""
        from agentctl.domain.approval import bind

        return bind(tool, self.revision, self.action, self.arguments)


@value
class Case:
    """One call as the policy looks at it. `stranger` is a host that nobody named and that asks first."""

    tool: AgentsTool
    call_id: str
    name: str
    arguments: Mapping[str, Any]
    action: str | None
    stranger: str | None
    confined: bool

    def verdict(
        self, decision: Literal["allow", "deny", "stop", "pause", "fail"], by: str, **more: Any
    ) -> Verdict:
        """A verdict on this call."""
        known = {"arguments": self.arguments, "action": self.action, "confined": self.confined}
        return Verdict(decision, by, **{**known, "revision": self.tool.revision, **more})


class Policy:
    """The approvals of one run, in the order of DESIGN, section 6.

    `ask` is None where nobody can be asked, `egress` where all may be sent; `rules` are those of the agent
    and of flags. `find_grants` gives the usable grants for a tool.
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
    ) -> None:
        self._approve_all = approve_all
        self._ask = ask
        self._earlier = list(grants)
        self._egress = egress
        self._rules = tuple(rules)
        self._on_approval = on_approval
        self._find_grants = find_grants

    async def decide(self, tool: AgentsTool, call: ToolCall, approval: Approval | None = None) -> Verdict:
        """The verdict on one call whose arguments are valid; `approval` is a person's answer from before.

        That counts only for exactly what was asked, and never against a deny rule.
        """
        answer = approval if approval is not None and approval.status == "approved" else None
        case = self._case(tool, call, call.arguments if answer is None else answer.arguments)
        denied = self._deny(case)
        if denied is not None:
            return denied
        if answer is not None and case.verdict("allow", "person").hash(call.name) == answer.hash:
            return self._say_yes(case)
        allowed = self._find_permission(case)
        if allowed is not None:
            return allowed
        asking, expires, why = self._find_question(case)
        if not asking:
            rule = self._rule("allow", case)
            if rule is not None:
                return case.verdict("allow", "rule", rule=str(rule))
            if not tool.needs_approval:
                return case.verdict("allow", "setting")
        if self._approve_all:
            return case.verdict("allow", "flag", rule="--yes")
        return await self._put(case, expires, why)

    def find_denial(self, tool: AgentsTool, call: ToolCall) -> Verdict | None:
        """The verdict of a deny rule; None where none applies."""
        return self._deny(self._case(tool, call, call.arguments))

    def learn(self, result: ToolResult) -> None:
        """A call ended; what it found counts for the next ones."""
        if self._egress:
            self._egress.learn(result)

    def _case(self, tool: AgentsTool, call: ToolCall, arguments: Mapping[str, Any] | None) -> Case:
        given = arguments or {}
        host = tool.host(given) if self._egress else None
        guarded = host if host is not None and self._egress and self._egress.is_guarded else None
        stranger = None if guarded is None or (self._egress and self._egress.is_named(guarded)) else guarded
        return Case(tool, call.id, call.name, given, tool.action(given), stranger, guarded is not None)

    def _deny(self, case: Case) -> Verdict | None:
        rule = self._rule("deny", case)
        if rule is None:
            return None
        by = "flag" if rule.place.startswith("--") else "rule"
        return case.verdict("deny", by, rule=str(rule), reason=rule.reason)

    def _find_permission(self, case: Case) -> Verdict | None:
        """A flag, a grant or an earlier answer that allows the call.

        Where the action itself must be asked about it has to be named, and so has a host that nobody named.
        """
        by_name = case.tool.must_ask(case.action)
        for rule in self._rules:
            named = rule.action is not None if by_name else bool(rule.where) or case.stranger is None
            if rule.place == "--allow" and named and self._applies(rule, case):
                return case.verdict("allow", "flag", rule=str(rule))
        for scope, tool, arguments in self._earlier:
            whole = scope == "tool" and case.stranger is None and not by_name
            if tool == case.name and (whole or (scope == "arguments" and arguments == case.arguments)):
                return case.verdict("allow", "session")
        if not (case.tool.needs_approval or by_name or case.stranger or self._rule("ask", case)):
            # Nothing would ask, so no grant is used up.
            return None
        for grant in self._find_grants(case.name):
            from agentctl.tools.rules import grant_applies

            named = grant.action is not None if by_name else bool(grant.conditions) or case.stranger is None
            if named and grant_applies(grant, case.action, self._filled(case)):
                return case.verdict("allow", "grant", grant=grant.id)
        return None

    def _find_question(self, case: Case) -> tuple[bool, float, str | None]:
        """Whether something besides the setting asks, how long the question waits, and what is special."""
        if case.stranger is not None:
            return True, DAY, _explain(case.stranger)
        rule = self._rule("ask", case)
        if rule is not None:
            return True, rule.expires or DAY, rule.reason or f"rule: {rule}"
        return case.tool.must_ask(case.action), DAY, None

    async def _put(self, case: Case, expires: float, why: str | None) -> Verdict:
        """A person has to answer: now, later, or nobody ever."""
        if self._on_approval == "deny":
            return case.verdict("deny", "nobody", reason=why)
        if self._on_approval == "fail":
            return case.verdict("fail", "nobody", reason=why)
        if self._on_approval == "pause" or self._ask is None:
            return case.verdict("pause", "nobody", reason=why, expires=expires)
        question = Question(case.call_id, case.name, case.arguments, case.tool.faults, why)
        answer = await self._ask(question)
        if answer.choice == "stop":
            return case.verdict("stop", "person")
        if answer.choice == "no":
            return case.verdict("deny", "person", reason=answer.reason)
        answered = replace(case, arguments=answer.arguments, action=case.tool.action(answer.arguments))
        # An edited call is another call: a deny rule may apply to it.
        denied = self._deny(answered)
        if denied is not None:
            return denied
        scope = None if answer.choice == "once" else answer.choice
        if scope:
            self._earlier.append((scope, case.name, answer.arguments))
        return replace(self._say_yes(answered), scope=scope)

    def _say_yes(self, case: Case) -> Verdict:
        if case.stranger is not None and self._egress:
            self._egress.allow(case.stranger)
        return case.verdict("allow", "person")

    def _rule(self, effect: Literal["allow", "ask", "deny"], case: Case) -> Rule | None:
        rules = (*self._rules, *case.tool.rules)
        if not rules:
            return None
        from agentctl.tools.rules import find_rule

        # Flags that allow have their own place in the order.
        rules = tuple(rule for rule in rules if rule.place != "--allow")
        return find_rule(rules, effect, case.name, case.action, self._filled(case))

    def _applies(self, rule: Rule, case: Case) -> bool:
        from agentctl.tools.rules import applies

        return applies(rule, case.name, case.action, self._filled(case))

    def _filled(self, case: Case) -> Mapping[str, Any]:
        """The arguments with defaults filled in."""
        return case.tool.filled(case.arguments)


def _explain(host: str) -> str:
    return (
        f"it sends to {host}, which neither the user nor the tool's config names, "
        "and this session holds both foreign text and private data"
    )
