"""Conditions of rules and the arguments of calls: what holds, what does not, what nobody can tell."""

from __future__ import annotations

from typing import Any

import pytest

from agentctl.tools.matching import matches


def allows(condition: Any, given: Any) -> bool | None:
    return matches({"x": condition}, {"x": given}, every=True)


def forbids(condition: Any, given: Any) -> bool | None:
    return matches({"x": condition}, {"x": given}, every=False)


@pytest.mark.parametrize(
    ("condition", "given"),
    [
        ("abc", "abc"),
        ("a*", "abc"),
        ("5", 5),
        ("5", 5.0),
        ("true", True),
        (5, 5.0),
        (True, True),
        ({"lt": 10, "gte": 3}, 3),
        ({"re": "a+b"}, "aab"),
        (["x", {"gt": 5}, "a*"], "abc"),
        ("*@good.example", ["a@good.example", "b@good.example"]),
        (["a", "b"], ["b", "a"]),
        ("/data/**", "/data/a/../b"),
        ("/data/**", "//data///b"),
        ("src/*", "./src/x"),
        ("./src//*", "src/x"),
        ("https://docs.example/**", "https://DOCS.example:443/a/b?c=d#e"),
        ("https://Docs.Example:443/**", "https://docs.example/a"),
        ("https://docs.example", "https://docs.example/"),
        ("https://*.example/**", "https://a.b.example/x"),
        ("https://bücher.example/**", "https://xn--bcher-kva.example/x"),
        ("http://127.0.0.1/**", "http://2130706433/x"),
        ("https://docs.example/a b", "https://docs.example/a%20b"),
        ("file:///srv/**", "file:///srv/./x"),
    ],
)
def test_a_condition_holds_for_both_kinds_of_rule(condition: Any, given: Any) -> None:
    assert allows(condition, given) is True
    assert forbids(condition, given) is True


@pytest.mark.parametrize(
    ("condition", "given"),
    [
        ("abc", "abcd"),
        ("a", None),
        (5, None),
        (True, False),
        ({"lt": 10}, 10),
        ({"re": "a"}, "ab"),
        ("a", []),
        ("/data/**", "/database"),
        ("https://docs.example/**", "https://docs.example.evil.example/"),
        ("https://docs.example/**", "http://docs.example/"),
        ("https://docs.example/**", "https://docs.example:8443/"),
        ("https://docs.example/pub/*", "https://docs.example/pub/a/b"),
    ],
)
def test_a_condition_holds_for_neither(condition: Any, given: Any) -> None:
    assert allows(condition, given) is False
    assert forbids(condition, given) is False


@pytest.mark.parametrize(
    ("condition", "given"),
    [
        ("a*", {"a": 1}),
        (5, "5"),
        (5, True),
        (True, "true"),
        ({"lt": 5}, "3"),
        ({"lt": 5}, True),
        ({"gt": 5}, float("nan")),
        ({"re": "5"}, 5),
        ("https://docs.example/**", "docs.example/x"),
        ("https://docs.example/**", "https://docs.example\\@evil.example/"),
        ("https://docs.example/**", "https://docs.example@evil.example/"),
        ({"re": "(a+)+b|x"}, "a" * 40),
    ],
)
def test_nobody_can_tell(condition: Any, given: Any) -> None:
    assert allows(condition, given) is None
    assert forbids(condition, given) is None


@pytest.mark.parametrize(
    ("condition", "given"),
    [
        # Whatever a program on the way makes of it, one of the two is meant.
        ("https://h.example/files/*", "https://h.example/files/a%2Fb"),
        ("https://h.example/pub/**", "https://h.example/pub/%252e%252e/secret"),
        ("/data/**", "/data/%2e%2e/etc"),
        ("/data/**", "/data/../etc/passwd"),
        ("https://docs.example/**", "https://docs.example/\x00"),
        ("**rm -rf**", "a//rm -rf"),
        ("a//b", "a//b?"[:-1]),
        ({"re": "x.*y"}, "x\ny"),
        ("*@evil.example", ["a@good.example", "b@evil.example"]),
        ({"re": "DROP.*"}, "DROP a//b"),
    ],
)
def test_a_way_to_write_it_gets_past_no_rule_that_forbids(condition: Any, given: Any) -> None:
    assert forbids(condition, given) is True


@pytest.mark.parametrize(
    ("condition", "given"),
    [
        ("https://h.example/files/*", "https://h.example/files/a%2Fb"),
        ("https://h.example/pub/**", "https://h.example/pub/%252e%252e/secret"),
        ("https://h.example/pub/**", "https://h.example/pub/%2e%2e/secret"),
        ("/data/**", "/data/../etc/passwd"),
        ("/data/**", "/data/%2e%2e/etc"),
        ("src/**", "src/../../etc"),
        ({"re": "git .*"}, "git log\nrm x"),
        ("*@good.example", ["a@good.example", "b@evil.example"]),
    ],
)
def test_a_rule_that_allows_wants_all_that_it_may_mean(condition: Any, given: Any) -> None:
    assert allows(condition, given) is False


def test_a_path_leads_into_objects() -> None:
    where = {"headers.accept": "text/*"}
    assert matches(where, {"headers": {"accept": "text/html"}}, every=True) is True
    assert matches(where, {"headers": None}, every=False) is False
    assert matches(where, {"headers": {}}, every=False) is None
    assert matches(where, {"headers": "accept"}, every=False) is None
    assert matches(where, {}, every=False) is None


def test_all_conditions_must_hold_and_one_that_fails_decides() -> None:
    assert matches({"a": "1", "b": "2"}, {"a": "1", "b": "2"}, every=True) is True
    assert matches({"a": "1", "b": "2"}, {"a": {}, "b": "3"}, every=False) is False
    assert matches({"a": "1", "b": "2"}, {"a": {}, "b": "2"}, every=False) is None
