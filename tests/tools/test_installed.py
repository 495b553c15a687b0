"""Tool types of installed packages: found only when needed, and a broken one spoils nothing but itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import agentctl
from agentctl.tools.calculator.tool import Calculator
from tests.packages import WHOLE, install

PLAIN = """
import dataclasses
from agentctl.domain.value import value
@dataclasses.dataclass
class A:
    x: {}
"""


def load(folder: Path, name: str) -> str:
    """What loading this type says: its description, or the error and its hint."""
    root = Path(agentctl.__file__).parent.parent
    code = (
        f"import sys; sys.path[:0] = [{str(root)!r}, {str(folder)!r}]\n"
        "from agentctl.errors import ConfigError\n"
        "from agentctl.tools import load_type\n"
        f"try: print(load_type({name!r}).description)\n"
        "except ConfigError as error: print(error.message, '|', error.hint)"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_a_package_adds_a_type_by_naming_its_class(tmp_path: Path) -> None:
    assert load(install(tmp_path, WHOLE), "extra") == "Says yes. Example: {}.\n"


def test_an_unknown_type_names_the_closest_one_among_the_installed_too(tmp_path: Path) -> None:
    said = load(install(tmp_path, WHOLE), "extrra")
    assert 'unknown tool type "extrra" (did you mean "extra"?)' in said
    assert ", extra, " in said


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("x = (", "SyntaxError"),
        ("", "AttributeError"),
        ("Extra = 5", "is no class derived from agentctl.tools.base.ToolType"),
        ("class Extra: pass", "is no class derived from"),
        (WHOLE.replace('description = "Says yes. Example: {}."', ""), "has no description"),
        (WHOLE.replace('type = "extra"', ""), 'has no `type = "extra"`'),
        (WHOLE.replace('type = "extra"', 'type = "uuid"'), 'has no `type = "extra"`'),
        (f"{WHOLE}\n    risk = 'none'", "has a risk that is none of read, write"),
        (WHOLE.replace("async def", "def"), "has no `async def run(self, arguments, context)`"),
        (WHOLE.replace("async def run", "async def work"), "has no `async def run"),
        (WHOLE.replace(", context)", ")"), "has a run or __init__ with other parameters"),
        (f"{WHOLE}\n    def __init__(self): pass", "has a run or __init__ with other parameters"),
        (f"{WHOLE}\n    Arguments = dict", "are not made with agentctl.domain.value.value"),
        (f"{WHOLE}\n    Config = dict", "has a Config that is not derived from"),
        (f"{WHOLE}\n    Config = 5", "has a Config that is not derived from"),
        (f"{PLAIN.format('str')}{WHOLE}\n    Arguments = A", "are not made with agentctl.domain.value.value"),
        (
            f"{PLAIN.format('complex').replace('dataclasses.dataclass', 'value')}{WHOLE}\n    Arguments = A",
            "no schema can be made of: no JSON Schema for <class 'complex'>",
        ),
    ],
)
def test_what_is_no_whole_tool_type_is_refused_with_the_reason(
    tmp_path: Path, source: str, words: str
) -> None:
    said = load(install(tmp_path, source), "extra")
    assert 'tool type "extra" of extra-tools 1.0 cannot be used: ' in said
    assert words in said
    assert said.endswith("| update or uninstall extra-tools\n")


def test_two_packages_with_one_type_are_both_refused(tmp_path: Path) -> None:
    install(tmp_path, WHOLE, package="one")
    folder = install(tmp_path, WHOLE, package="two")
    assert 'tool type "extra" comes from one 1.0 and two 1.0' in load(folder, "extra")


def test_a_package_never_takes_the_place_of_a_built_in_type(tmp_path: Path) -> None:
    folder = install(tmp_path, "raise SystemExit(3)", name="calculator")
    assert load(folder, "calculator").startswith(Calculator.description[:20])


def test_what_a_package_prints_while_it_is_loaded_is_no_answer(tmp_path: Path) -> None:
    assert load(install(tmp_path, f"print('loading')\n{WHOLE}"), "extra") == "Says yes. Example: {}.\n"
