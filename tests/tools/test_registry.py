"""Every registered tool type is whole, and an unknown one is an error that helps."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import agentctl
from agentctl.errors import ConfigError
from agentctl.tools import TYPES, load_type
from agentctl.tools.base import ToolConfig, ToolType
from agentctl.tools.checks import check
from agentctl.tools.schema import arguments_schema, config_schema


def test_types_are_sorted() -> None:
    assert list(TYPES) == sorted(TYPES)


@pytest.mark.parametrize("name", TYPES)
def test_a_type_is_whole(name: str) -> None:
    cls = load_type(name)
    assert issubclass(cls, ToolType)
    assert cls.type == name
    assert issubclass(cls.Config, ToolConfig)
    assert cls.run is not ToolType.run


@pytest.mark.parametrize("name", TYPES)
def test_what_a_model_reads_of_a_type_is_short_and_has_an_example(name: str) -> None:
    cls = load_type(name)
    assert len(cls.description) < 400
    assert "{" in cls.description
    schema = arguments_schema(cls.Arguments)
    json.dumps(schema)
    assert all("description" in one for one in schema["properties"].values())


@pytest.mark.parametrize("name", TYPES)
def test_the_example_in_a_description_is_valid(name: str) -> None:
    cls = load_type(name)
    example = cls.description[cls.description.index("{") :]
    values, _ = json.JSONDecoder().raw_decode(example)
    assert check(cls.Arguments, values, lenient=True)[1] == []


@pytest.mark.parametrize("name", TYPES)
def test_every_config_has_defaults_and_the_keys_of_all_tools(name: str) -> None:
    cls = load_type(name)
    assert check(cls.Config, {})[1] == []
    assert {"timeout", "max_output"} <= set(config_schema(cls.Config)["properties"])


def test_an_unknown_type_names_the_closest_one() -> None:
    with pytest.raises(
        ConfigError, match=r'unknown tool type "calculater".*did you mean "calculator"'
    ) as error:
        load_type("calculater")
    assert "regex-tester" in (error.value.hint or "")


def test_loading_every_type_loads_nothing_heavy() -> None:
    heavy = ["asyncio", "subprocess", "zoneinfo", "decimal", "httpx2", "yaml", "importlib.metadata"]
    code = (
        "import sys; from agentctl.tools import TYPES, load_type\n"
        "[load_type(name) for name in TYPES]\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    root = Path(agentctl.__file__).parent.parent
    found = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


@pytest.mark.parametrize("name", TYPES)
def test_choices_are_texts_for_some_providers_accept_no_other(name: str) -> None:
    properties = arguments_schema(load_type(name).Arguments)["properties"].values()
    assert all(one["type"] == "string" for one in properties if "enum" in one)
