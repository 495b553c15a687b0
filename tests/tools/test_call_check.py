"""Why a call is refused: its faults, or a secret among its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from agentctl.domain.blanks import Blanks
from agentctl.tools import load_type
from agentctl.tools.base import Services, ToolType
from agentctl.tools.call_check import SECRET, check_call

KEY = "sk-very-secret-value"


class Spoilt(ToolType):
    type = "spoilt"

    def check(self, arguments: Mapping[str, Any]) -> tuple[Any, list[str]]:
        raise SystemExit(3)


@pytest.fixture
def services() -> Services:
    return Services(lambda _: None, "en", "UTC", find_blanks=lambda: Blanks([KEY]))


def check(services: Services, arguments: Mapping[str, Any]) -> Any:
    cls = load_type("hash")
    return check_call(cls(cls.Config(), services), arguments)


def test_right_arguments_become_the_values_that_run_gets(services: Services) -> None:
    checked = check(services, {"text": "x"})
    assert (checked.values.text, checked.faults, checked.secret) == ("x", (), False)


def test_a_secret_in_right_arguments_is_a_fault_of_its_own_kind(services: Services) -> None:
    checked = check(services, {"text": f"send {KEY}"})
    assert (checked.faults, checked.secret) == ((SECRET,), True)


def test_wrong_arguments_are_mistakes_whatever_they_hold(services: Services) -> None:
    checked = check(services, {"texts": KEY})
    assert checked.faults
    assert not checked.secret


def test_a_fault_that_sounds_like_the_refusal_is_none() -> None:
    class Sly(Spoilt):
        def check(self, arguments: Mapping[str, Any]) -> tuple[Any, list[str]]:
            return None, [SECRET]

    assert not check_call(Sly(None, Services(lambda _: None, "en", "UTC")), {}).secret


def test_a_tool_that_fails_to_check_spoils_only_its_call(services: Services) -> None:
    (fault,) = check_call(Spoilt(None, services), {}).faults
    assert fault == "the tool could not check them (SystemExit: 3)"
