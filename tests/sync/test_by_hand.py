from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agentctl.domain.model import Provider
from agentctl.errors import ConfigError
from agentctl.sync.by_hand import declare_by_hand
from agentctl.sync.state import NOTHING

SECRET = "sk-very-secret-value"
BASE = {"slug": "mine", "kind": "openai"}


def declare(values: dict[str, Any]) -> Provider:
    return declare_by_hand("providers", {**BASE, **values}, NOTHING).providers[0]


def test_sound_fields_make_a_provider() -> None:
    headers = {"x-a": "text", "x-b": {"env": "B"}, "authorization": {"key": "team"}}
    made = declare({"base_url": "https://h/v1", "api_key_cmd": ["pass", "x"], "headers": headers})
    wanted = Provider("mine", "openai", "https://h/v1", None, ("pass", "x"), headers)
    assert replace(made, source=None) == wanted


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"slug": "No Slug"}, "slug: a slug is made of a-z, 0-9, _ and - only"),
        ({"kind": "opnai"}, 'unknown provider kind "opnai" (did you mean "openai"?)'),
        ({"base_url": "host"}, "base_url: expected http://HOST or https://HOST"),
        ({"base_url": f"https://me:{SECRET}@host"}, "base_url: must not hold a user or password"),
        ({"api_key_env": SECRET}, "api_key_env: expected the name of an environment variable"),
        ({"api_key_env": "A", "api_key_cmd": ["b"]}, "give api_key_env or api_key_cmd, not both"),
        ({"api_key_cmd": []}, "api_key_cmd: must not be empty"),
        ({"headers": {"Authorization": SECRET}}, "headers: Authorization must not stand here as text"),
        ({"headers": {"x-other": f"Bearer {SECRET}"}}, "headers: x-other must not stand here as text"),
        ({"headers": {"x a": "b"}}, "headers: `x a` is no name of a header"),
        ({"options": {"api_key": SECRET}}, "options: api_key must not stand here as text"),
        ({"options": {"more": {"api_key": SECRET}}}, "options: api_key must not stand here as text"),
        ({"options": {"a": float("inf")}}, "options: a number in it is infinite"),
        ({"api_key": SECRET}, "`api_key` is not allowed: secrets never stand in YAML"),
    ],
)
def test_the_rules_of_the_files_hold_and_no_secret_is_quoted(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        declare(values)
    assert caught.value.message.partition(": ")[2].startswith(message)
    assert SECRET not in caught.value.message


def test_everything_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        declare({"kind": "opnai", "base_url": "host"})
    assert len(caught.value.problems) == 2
    assert all(problem.startswith("provider mine: ") for problem in caught.value.problems)
