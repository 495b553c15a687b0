"""The rules of `--allow` and `--deny`."""

from __future__ import annotations

import pytest

from agentctl.chat.flag_rules import check_flag_rules, read_flag_rules
from agentctl.chat.toolbox import AgentsTool, equip
from agentctl.domain.agent import AgentTool
from agentctl.domain.rule import Rule
from agentctl.domain.tool import Tool
from agentctl.errors import UsageError
from agentctl.tools.base import Services


@pytest.fixture
def clock() -> AgentsTool:
    services = Services(find_user=lambda _: None, locale="en", time_zone="UTC")
    return equip(Tool("clock", "Clock", "datetime"), AgentTool("clock"), services)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("calc", Rule("deny", "calc")),
        ("docs:delete", Rule("deny", "docs", "delete")),
        ("fetch url=https://a.example/?a=b", Rule("deny", "fetch", where={"url": "https://a.example/?a=b"})),
        ("mail  to=*@x  'subject=a b'", Rule("deny", "mail", where={"to": "*@x", "subject": "a b"})),
        ("mail subject='a b' to=", Rule("deny", "mail", where={"subject": "a b", "to": ""})),
        ("run args.path=C:\\x", Rule("deny", "run", where={"args.path": "C:\\x"})),
    ],
)
def test_a_rule_in_words(text: str, rule: Rule) -> None:
    read = read_flag_rules((), (text,))
    assert read == (rule,)
    assert read[0].place == "--deny"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", '"" is neither TOOL nor TOOL:ACTION'),
        ("Calc", '"Calc" is neither'),
        ("a:b:c", '"a:b:c" is neither'),
        ("calc url", '"url" is not argument=pattern'),
        ("calc =x", '"=x" is not argument=pattern'),
        ("calc a=1 a=2", '"a" stands there twice'),
        ("calc a='1", "no closing quotation"),
        ("calc url=https://h**", "url: `**` in a host"),
    ],
)
def test_a_bad_rule_says_what_is_wrong(text: str, fault: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_flag_rules((text,), ())
    assert caught.value.message.startswith(f"--allow {text}: {fault}")
    assert "TOOL:ACTION" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("clok", '--deny clok: there is no tool "clok" (did you mean "clock"?)'),
        ("clock:ad", '--deny clock:ad: there is no action "ad" (did you mean "add"?)'),
        ("clock tme=x", '--deny clock: there is no argument "tme" (did you mean "time"?)'),
    ],
)
def test_a_slip_of_the_pen_is_no_rule(clock: AgentsTool, text: str, fault: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_flag_rules(read_flag_rules((), (text,)), ["calc", "clock"], [clock])
    assert caught.value.message == fault


def test_a_rule_about_a_tool_that_the_agent_does_not_have_says_nothing(clock: AgentsTool) -> None:
    check_flag_rules(read_flag_rules(("calc a=b",), ("clock:add time=x",)), ["calc", "clock"], [clock])
