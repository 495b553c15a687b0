"""What rules, flags, answers, grants and settings say of a call, in their order: the first one counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agentctl.chat.egress import Egress, is_named_in
from agentctl.chat.toolbox import AgentsTool
from agentctl.domain.approval import APPROVAL_SECONDS
from agentctl.domain.ids import clock_ms
from agentctl.domain.value import value

if TYPE_CHECKING:
    from agentctl.domain.grant import Grant
    from agentctl.domain.rule import Effect, Rule

# What a person allowed for a session: (scope `tool` or `arguments`, tool, arguments).
Earlier = tuple[str, str, Mapping[str, Any] | None]


@value
class Case:
    """One call as it is decided on. `host` is one that it sends to once that is guarded; `is_strange` says
    that nobody named it.
    """

    tool: AgentsTool
    call_id: str
    name: str
    arguments: Mapping[str, Any]
    action: str | None
    host: str | None
    is_strange: bool

    @property
    def must_ask(self) -> bool:
        """Whether the tool's config wants a person's yes to this action."""
        return self.tool.must_ask(self.action)

    @cached_property
    def complete(self) -> Mapping[str, Any]:
        """The arguments as rules see them."""
        return self.tool.complete(self.arguments)


@value
class Said:
    """What one part of the order says. Without an `effect` it says nothing, and the next part counts.

    `by` is as in Verdict, `rule` the rule that says it, `grant` the id of a grant, `expires` how many seconds
    a question waits.
    """

    part: str
    effect: Effect | None = None
    by: str = "setting"
    rule: Rule | None = None
    reason: str | None = None
    grant: str | None = None
    expires: float = APPROVAL_SECONDS

    @property
    def why(self) -> str | None:
        """What a person is told who has to answer."""
        return self.reason or (None if self.rule is None else f"a rule asks: {self.rule}")


class Order:
    """What holds for the calls of one run.

    `rules` are those of flags and of the agent; those of a tool are at the tool. `earlier` are a person's
    answers for the session, `find_grants` gives the usable grants for a tool.
    """

    def __init__(
        self,
        rules: Sequence[Rule] = (),
        *,
        earlier: Sequence[Earlier] = (),
        egress: Egress | None = None,
        find_grants: Callable[[str], Sequence[Grant]] = lambda _: (),
    ) -> None:
        self._rules = tuple(rules)
        self._earlier = list(earlier)
        self._egress = egress
        self._find_grants = find_grants

    def look_at(self, tool: AgentsTool, call_id: str, name: str, arguments: Mapping[str, Any]) -> Case:
        """A call, and what of it matters here."""
        egress = self._egress
        host = tool.host(arguments) if egress else None
        if egress and host is not None and not egress.is_guarded:
            host = None
        strange = host is not None and egress is not None and not egress.is_named(host)
        return Case(tool, call_id, name, arguments, tool.action(arguments), host, strange)

    def find(self, case: Case) -> Said:
        """What is decisive: the first part that says something."""
        return next(said for said in self.go_through(case) if said.effect)

    def go_through(self, case: Case) -> Iterator[Said]:
        """What each part says, in order; the last one always says something."""
        yield self.find_denial(case)
        yield self._find_flag(case)
        yield self._find_answer(case)
        yield self._find_grant(case)
        yield from self._go_on(case)

    def find_denial(self, case: Case) -> Said:
        """What the deny rules say."""
        rule = self._find_rule("deny", case)
        if rule is None:
            return Said("deny rules")
        return Said("deny rules", "deny", _who(rule), rule, rule.reason)

    def remember(self, scope: str, case: Case) -> None:
        """A person said yes for the session."""
        self._earlier.append((scope, case.name, case.arguments))

    def _find_flag(self, case: Case) -> Said:
        for rule in self._rules:
            if rule.is_permission and self._is_wide_enough(rule.action, rule.where, case):
                from agentctl.tools.rules import applies

                if applies(rule, case.name, case.action, case.complete):
                    return Said("--allow", "allow", "flag", rule)
        return Said("--allow")

    def _find_answer(self, case: Case) -> Said:
        """A yes to an action that must be asked about holds for that call only."""
        for scope, tool, arguments in () if case.must_ask else self._earlier:
            whole = scope == "tool" and not case.is_strange
            if tool == case.name and (whole or (scope == "arguments" and arguments == case.arguments)):
                return Said("answers in this session", "allow", "session")
        return Said("answers in this session")

    def _find_grant(self, case: Case) -> Said:
        """Only where something would ask: no grant is used up for nothing."""
        asks = next(said for said in self._go_on(case) if said.effect).effect == "ask"
        for grant in self._find_grants(case.name) if asks else ():
            from agentctl.tools.rules import permits

            if self._is_wide_enough(grant.action, grant.conditions, case) and permits(
                grant.action, grant.conditions, case.action, case.complete
            ):
                return Said("grants", "allow", "grant", reason=grant.reason, grant=grant.id)
        return Said("grants")

    def _go_on(self, case: Case) -> Iterator[Said]:
        """The parts that come after what persons said to this very call."""
        yield self._find_stranger(case)
        why = f"{case.name}:{case.action or '?'} always asks (approval_required_actions)"
        yield Said("approval_required_actions", *(("ask", "setting", None, why) if case.must_ask else ()))
        ask = self._find_rule("ask", case)
        yield Said("ask rules") if ask is None else _ask(ask)
        allow = self._find_rule("allow", case)
        yield Said("allow rules") if allow is None else Said("allow rules", "allow", "rule", allow)
        yield Said("needs_approval", "ask" if case.tool.needs_approval else "allow")

    def _find_stranger(self, case: Case) -> Said:
        """A rule that allows calls to a host by its name has named it."""
        if not case.is_strange or case.host is None:
            return Said("egress")
        rules = [rule for rule in self._of(case) if is_named_in(rule.where, case.host)]
        if self._first("allow", rules, case):
            return Said("egress")
        return Said("egress", "ask", reason=_explain(case.host))

    def _is_wide_enough(self, action: str | None, where: Mapping[str, Any], case: Case) -> bool:
        """Whether a permission names what has to be named: the action, or the host."""
        if case.must_ask and action is None:
            return False
        return not case.is_strange or is_named_in(where, case.host or "")

    def _of(self, case: Case) -> list[Rule]:
        """The rules about a call's tool, but for those of `--allow`."""
        return [
            rule
            for rule in (*self._rules, *case.tool.rules)
            if rule.tool == case.name and not rule.is_permission
        ]

    def _find_rule(self, effect: Effect, case: Case) -> Rule | None:
        return self._first(effect, self._of(case), case)

    def _first(self, effect: Effect, rules: Sequence[Rule], case: Case) -> Rule | None:
        rules = [rule for rule in rules if rule.effect == effect and not rule.has_ended(clock_ms())]
        if not rules:
            return None
        from agentctl.tools.rules import find_rule

        return find_rule(rules, effect, case.name, case.action, case.complete)


def _who(rule: Rule) -> str:
    return "flag" if rule.place.startswith("--") else "rule"


def _ask(rule: Rule) -> Said:
    return Said("ask rules", "ask", "rule", rule, rule.reason, expires=rule.expires or APPROVAL_SECONDS)


def _explain(host: str) -> str:
    return (
        f"it sends to {host}, which neither the user nor the tool's config names, "
        "and this session holds both foreign text and private data"
    )
