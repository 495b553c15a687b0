"""A declared tool becomes one that can be called, or says why it cannot."""

from __future__ import annotations

import pytest

from agentctl.domain.tool import Tool
from agentctl.errors import ConfigError
from agentctl.tools.base import Services
from agentctl.tools.calculator.tool import Calculator
from agentctl.tools.ready import make_ready

PLAIN = Tool(slug="calc", name="Calculator", type="calculator")


def test_a_tool_without_config_takes_the_defaults(services: Services) -> None:
    ready = make_ready(PLAIN, {}, services)
    assert isinstance(ready.instance, Calculator)
    assert ready.slug == "calc"
    assert ready.instance.config.timeout == 30.0
    assert ready.description == Calculator.description
    assert ready.parameters["required"] == ["expression"]
    assert ready.needs_approval is False


def test_the_association_overrides_the_config_key_by_key(services: Services) -> None:
    tool = Tool(slug="c", name="C", type="calculator", config={"timeout": 5, "max_output": 500})
    config = make_ready(tool, {"timeout": 1}, services).instance.config
    assert (config.timeout, config.max_output) == (1.0, 500)


def test_a_declared_description_and_approval_win(services: Services) -> None:
    tool = Tool(slug="c", name="C", type="calculator", description="Adds.", needs_approval=True)
    ready = make_ready(tool, {}, services)
    assert ready.description == "Adds."
    assert ready.needs_approval is True


def test_a_wrong_value_makes_the_tool_not_ready_and_names_every_fault(services: Services) -> None:
    tool = Tool(slug="calc", name="C", type="calculator", config={"timeout": "30", "max_ouput": 5})
    with pytest.raises(ConfigError, match='tool "calc" is not ready') as error:
        make_ready(tool, {}, services)
    assert error.value.problems == (
        'config.max_ouput: unknown (did you mean "max_output"?)',
        'config.timeout: must be a number, not "30"',
    )


def test_an_unknown_type_is_not_ready(services: Services) -> None:
    with pytest.raises(ConfigError, match='unknown tool type "abacus"'):
        make_ready(Tool(slug="a", name="A", type="abacus"), {}, services)
