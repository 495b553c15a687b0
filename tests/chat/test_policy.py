"""The order in which a tool call is decided on, and who is asked about what is left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from agentctl.chat.order import Earlier
from agentctl.chat.policy import Policy, Verdict
from agentctl.chat.toolbox import AgentsTool, Toolbox
from agentctl.domain.approval import Approval, bind
from agentctl.domain.grant import Grant
from agentctl.domain.ids import clock_ms
from agentctl.domain.message import ToolCall
from agentctl.domain.question import Answer, Choice, OnApproval, Question
from agentctl.domain.rule import Effect, Rule
from agentctl.domain.value import value
from agentctl.tools.base import Services, ToolConfig, ToolType
from agentctl.tools.ready import ReadyTool
from agentctl.tools.schema import arguments_schema


@value
class Arguments:
    """What a door is told."""

    path: str = "/tmp/x"
    action: str = "open"
    size: int = 1
    note: str | None = None


@value
class Config(ToolConfig):
    """What asks."""

    approval_required_actions: tuple[str, ...] = ()


class Door(ToolType):
    """Opens and closes."""

    type = "door"
    description = "x"
    Arguments = Arguments
    Config = Config

    def find_action(self, arguments: Mapping[str, Any]) -> str | None:
        """As told; None for one that it does not know."""
        action: str = arguments["action"]
        return None if action == "?" else action


SERVICES = Services(find_user=lambda _: None, locale="en", time_zone="UTC")


def make_tool(*, needs_approval: bool = False, rules: tuple[Rule, ...] = (), asks: str = "") -> AgentsTool:
    config = Config(approval_required_actions=tuple(filter(None, [asks])))
    ready = ReadyTool("door", "x", arguments_schema(Arguments), needs_approval, Door(config, SERVICES))
    return AgentsTool(ready, needs_approval, rules)


def rule(effect: Effect, target: str = "door", **where: Any) -> Rule:
    tool, _, action = target.partition(":")
    return Rule(effect, tool, action or None, where=where)


def decide(
    tool: AgentsTool,
    arguments: Mapping[str, Any] | None = None,
    *,
    rules: Sequence[Rule] = (),
    answer: Choice | Answer | None = None,
    grants: Sequence[Grant] = (),
    earlier: Sequence[Earlier] = (),
    approval: Approval | None = None,
    yes: bool = False,
    on_approval: OnApproval = "ask",
    asked: list[Question] | None = None,
) -> Verdict:
    """The verdict on one call; `answer` is what a person says, None: nobody is there."""

    async def ask(question: Question) -> Answer:
        if asked is not None:
            asked.append(question)
        assert answer is not None
        return answer if isinstance(answer, Answer) else Answer(answer, question.arguments)

    policy = Policy(
        approve_all=yes,
        ask=ask if answer else None,
        grants=earlier,
        rules=rules,
        on_approval=on_approval,
        find_grants=lambda _: grants,
    )
    return asyncio.run(policy.decide(tool, ToolCall("ac_1", "door", arguments or {}), approval))


def said(verdict: Verdict) -> tuple[str, str]:
    return verdict.decision, verdict.by


PLAIN, ASKING, STRICT = make_tool(), make_tool(needs_approval=True), make_tool(asks="close")
CLOSE = {"action": "close"}
FLAG = replace(rule("allow"), place="--allow")
GRANT = Grant("ag_1", 1, "default", "door")


def test_without_rules_the_setting_decides() -> None:
    assert said(decide(PLAIN)) == ("allow", "setting")
    assert said(decide(ASKING)) == ("pause", "nobody")


def test_a_deny_rule_is_stronger_than_everything() -> None:
    verdict = decide(
        ASKING,
        rules=[FLAG, rule("allow"), rule("deny", path="/etc/**")],
        arguments={"path": "/tmp/../etc/x"},
        yes=True,
        grants=[GRANT],
        earlier=[("tool", "door", None)],
        answer="once",
    )
    assert said(verdict) == ("deny", "rule")
    assert verdict.rule == "deny door path=/etc/**"


def test_rules_of_the_tool_count_as_those_of_the_agent_do() -> None:
    assert said(decide(make_tool(rules=(rule("deny"),)), rules=[rule("allow")])) == ("deny", "rule")
    assert said(decide(make_tool(rules=(rule("allow"),)), rules=[rule("deny")])) == ("deny", "rule")
    assert said(decide(make_tool(needs_approval=True, rules=(rule("allow"),)))) == ("allow", "rule")


def test_a_rule_about_another_tool_says_nothing() -> None:
    assert said(decide(PLAIN, rules=[rule("deny", "window")])) == ("allow", "setting")


def test_an_ask_rule_is_stronger_than_an_allow_rule() -> None:
    verdict = decide(PLAIN, rules=[rule("allow"), replace(rule("ask"), expires=60.0, reason="late")])
    assert (verdict.decision, verdict.reason, verdict.expires) == ("pause", "late", 60.0)


def test_an_allow_rule_is_stronger_than_the_setting_until_it_ends() -> None:
    assert said(decide(ASKING, rules=[rule("allow")])) == ("allow", "rule")
    ended = replace(rule("allow"), until=clock_ms() - 1)
    assert said(decide(ASKING, rules=[ended])) == ("pause", "nobody")


def test_rules_see_defaults_and_values_as_they_are_used() -> None:
    assert said(decide(PLAIN, rules=[rule("deny", path="/tmp/**")])) == ("deny", "rule")
    assert said(decide(PLAIN, {"size": "7"}, rules=[rule("deny", size={"gt": 5})])) == ("deny", "rule")
    assert said(decide(PLAIN, rules=[rule("deny", note="*")])) == ("allow", "setting")


@pytest.mark.parametrize(
    ("effect", "expected"),
    [("deny", ("deny", "rule")), ("ask", ("pause", "nobody")), ("allow", ("pause", "nobody"))],
)
def test_what_cannot_be_compared_restricts(effect: Effect, expected: tuple[str, str]) -> None:
    assert said(decide(ASKING, rules=[rule(effect, size={"re": "1"})])) == expected
    assert said(decide(ASKING, {"action": "?"}, rules=[rule(effect, "door:open")])) == expected


def test_a_rule_may_name_an_action() -> None:
    rules = [rule("deny", "door:close")]
    assert said(decide(PLAIN, CLOSE, rules=rules)) == ("deny", "rule")
    assert said(decide(PLAIN, rules=rules)) == ("allow", "setting")


def test_yes_turns_a_question_into_a_yes_and_nothing_else() -> None:
    verdict = decide(STRICT, CLOSE, yes=True)
    assert (*said(verdict), verdict.rule) == ("allow", "flag", "--yes")
    assert said(decide(PLAIN, yes=True)) == ("allow", "setting")


def test_a_flag_that_allows_is_stronger_than_a_rule_that_asks() -> None:
    assert said(decide(ASKING, rules=[FLAG, rule("ask")])) == ("allow", "flag")


@pytest.mark.parametrize(
    ("permission", "decision"),
    [
        ({"rules": [rule("allow")]}, "pause"),
        ({"rules": [FLAG]}, "pause"),
        ({"rules": [replace(FLAG, action="open")]}, "pause"),
        ({"rules": [replace(FLAG, action="close")]}, "allow"),
        ({"grants": [GRANT]}, "pause"),
        ({"grants": [replace(GRANT, action="close")]}, "allow"),
        ({"earlier": [("tool", "door", None)]}, "pause"),
        ({"earlier": [("arguments", "door", CLOSE)]}, "pause"),
        ({"answer": "once"}, "allow"),
        ({"yes": True}, "allow"),
    ],
)
def test_an_action_that_always_asks_has_to_be_named(permission: dict[str, Any], decision: str) -> None:
    assert decide(STRICT, CLOSE, **permission).decision == decision
    assert said(decide(STRICT)) == ("allow", "setting")


def test_an_action_that_cannot_be_told_may_be_one_that_always_asks() -> None:
    assert decide(STRICT, {"action": "?"}).decision == "pause"


def test_a_yes_to_such_an_action_holds_for_one_call() -> None:
    asked: list[Question] = []
    verdict = decide(STRICT, CLOSE, answer="tool", asked=asked)
    assert asked[0].once_only
    assert verdict.scope is None


def test_a_grant_is_used_only_where_something_asks() -> None:
    assert decide(ASKING, grants=[GRANT]).grant == "ag_1"
    assert decide(PLAIN, grants=[GRANT]).grant is None
    assert decide(ASKING, rules=[rule("allow")], grants=[GRANT]).grant is None


def test_a_grant_has_conditions_like_a_rule() -> None:
    grant = replace(GRANT, conditions={"path": "/tmp/**"})
    assert decide(ASKING, grants=[grant]).grant == "ag_1"
    assert decide(ASKING, {"path": "/tmp/../etc"}, grants=[grant]).decision == "pause"


@pytest.mark.parametrize(
    ("on_approval", "decision"), [("ask", "pause"), ("pause", "pause"), ("deny", "deny"), ("fail", "fail")]
)
def test_what_becomes_of_a_call_that_nobody_can_be_asked_about(
    on_approval: OnApproval, decision: str
) -> None:
    assert said(decide(ASKING, on_approval=on_approval)) == (decision, "nobody")


def test_a_person_is_asked_unless_the_run_is_not_to() -> None:
    assert said(decide(ASKING, answer="once")) == ("allow", "person")
    assert said(decide(ASKING, answer="once", on_approval="pause")) == ("pause", "nobody")


def test_edited_arguments_are_held_against_deny_rules() -> None:
    asked: list[Question] = []
    rules = [rule("deny", path="/etc/**")]
    verdict = decide(ASKING, rules=rules, answer=Answer("once", {"path": "/etc/passwd"}), asked=asked)
    assert said(verdict) == ("deny", "rule")
    assert asked[0].check({"path": "/etc/passwd"}) == ["denied by the rule deny door path=/etc/**"]
    assert asked[0].check({"path": "/tmp/y"}) == []
    assert asked[0].check({"size": "x"}) != []


@pytest.fixture
def approval() -> Callable[..., Approval]:
    """What a person approved while the run waited."""

    def make(tool: AgentsTool = ASKING, arguments: Mapping[str, Any] = CLOSE, **changes: Any) -> Approval:
        action = tool.action(arguments)
        stored = Approval(
            id="ap_1",
            kind="call",
            user_id=1,
            session_id="as_1",
            run_id="ar_1",
            call_id="ac_1",
            agent="default",
            tool="door",
            arguments=arguments,
            tool_revision=tool.revision,
            hash=bind("door", tool.revision, action, arguments),
            created_at=0,
            expires_at=clock_ms() + 60_000,
            action=action,
            status="approved",
        )
        return replace(stored, **changes)

    return make


def test_a_stored_yes_holds_for_what_was_asked(approval: Callable[..., Approval]) -> None:
    verdict = decide(ASKING, CLOSE, approval=approval())
    assert said(verdict) == ("allow", "person")
    edited = decide(ASKING, CLOSE, approval=approval(arguments={"path": "/tmp/y"}))
    assert (*said(edited), edited.arguments) == ("allow", "person", {"path": "/tmp/y"})
    assert said(decide(STRICT, CLOSE, approval=approval(STRICT))) == ("allow", "person")


def test_a_stored_yes_does_not_hold_for_anything_else(approval: Callable[..., Approval]) -> None:
    changed = make_tool(needs_approval=True, rules=(rule("ask", "door:open"),))
    assert decide(changed, CLOSE, approval=approval()).decision == "pause"
    assert decide(ASKING, CLOSE, approval=approval(hash="0" * 64)).decision == "pause"
    assert decide(ASKING, CLOSE, approval=approval(expires_at=clock_ms() - 1)).decision == "pause"
    assert decide(ASKING, CLOSE, approval=approval(status="pending")).decision == "pause"
    forged = decide(ASKING, CLOSE, approval=approval(arguments={"path": "/etc"}, hash="0" * 64))
    assert forged.arguments == CLOSE


def test_a_deny_rule_that_came_meanwhile_is_stronger_than_a_stored_yes(
    approval: Callable[..., Approval],
) -> None:
    verdict = decide(ASKING, CLOSE, approval=approval(), rules=[rule("deny", "door:close")])
    assert said(verdict) == ("deny", "rule")


def test_the_revision_changes_with_the_tool_and_not_with_the_place_of_a_rule() -> None:
    first, second = replace(rule("ask"), place="here"), replace(rule("ask"), place="there", until=5)
    assert make_tool(rules=(first,)).revision == make_tool(rules=(second,)).revision
    assert make_tool(rules=(first,)).revision != PLAIN.revision != STRICT.revision


def test_a_tool_that_is_denied_altogether_is_not_offered() -> None:
    toolbox = Toolbox((PLAIN,))
    assert toolbox.without([rule("deny")]).names == []
    assert toolbox.without([rule("deny", "door:close"), rule("deny", path="x")]).names == ["door"]
    assert Toolbox((make_tool(rules=(rule("deny"),)),)).without(()).names == []
