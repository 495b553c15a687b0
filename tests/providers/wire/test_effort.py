from __future__ import annotations

from agentctl.providers.wire.effort import fill_places

ROUTER = {"reasoning": {"enabled": True, "effort": "{effort}", "max_tokens": "{budget}"}}


def test_a_place_takes_its_value_and_goes_without_one() -> None:
    assert fill_places({"reasoning_effort": "{effort}"}, "low", None) == {"reasoning_effort": "low"}
    assert fill_places({"reasoning_effort": "{effort}"}, None, None) == {}
    assert fill_places(ROUTER, None, None) == {"reasoning": {"enabled": True}}


def test_a_mapping_that_held_nothing_else_goes_too() -> None:
    template = {"extra_body": {"google": {"thinking_config": {"thinking_budget": "{budget}"}}}, "x": {}}
    assert fill_places(template, None, None) == {"x": {}}
    assert fill_places(template, None, 500)["extra_body"] == {
        "google": {"thinking_config": {"thinking_budget": 500}}
    }


def test_a_budget_beats_an_effort_where_there_is_a_place_for_both() -> None:
    assert fill_places(ROUTER, "high", 500) == {"reasoning": {"enabled": True, "max_tokens": 500}}
    assert fill_places({"reasoning_effort": "{effort}"}, "high", 500) == {"reasoning_effort": "high"}


def test_everything_else_stays_as_it_is() -> None:
    template = {"a": "{effort}!", "b": ["{effort}"], "c": None, "d": 1}
    assert fill_places(template, "low", 5) == template
