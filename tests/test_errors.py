"""Exit codes: one for each class, each documented."""

from __future__ import annotations

from agentctl import errors
from agentctl.errors import AgentctlError, Stopped, did_you_mean

CLASSES = [AgentctlError, *AgentctlError.__subclasses__()]


def test_every_error_has_an_exit_code_and_a_kind_of_its_own() -> None:
    assert len({cls.exit_code for cls in CLASSES}) == len(CLASSES)
    assert len({cls.kind for cls in CLASSES}) == len(CLASSES)


def test_the_tree_in_the_docstring_is_the_tree_of_the_code() -> None:
    assert errors.__doc__ is not None
    for cls in CLASSES:
        (line,) = (line for line in errors.__doc__.splitlines() if cls.__name__ in line.split())
        assert str(cls.exit_code) in line.replace("/", " ").split()
        assert cls.kind in line.split()


def test_a_signal_is_reported_as_shells_do() -> None:
    assert [Stopped("x", signal=number).code for number in (1, 2, 15)] == [129, 130, 143]


def test_suggestions_are_made_only_where_something_is_close() -> None:
    assert did_you_mean("codr", ["coder", "default"]) == ' (did you mean "coder"?)'
    assert did_you_mean("xyz", ["coder", "default"]) == ""
