"""Tool types of installed packages: found by entry point, and checked before anything trusts them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from inspect import iscoroutinefunction, signature
from typing import Any

from agentctl.domain.value import METHODS
from agentctl.errors import ConfigError, did_you_mean
from agentctl.tools.base import RISKS, ToolConfig, ToolType
from agentctl.tools.schema import arguments_schema, config_schema

GROUP = "agentctl.tools"


def list_installed() -> Sequence[str]:
    """The names of all types for which packages name a class, sorted."""
    return sorted({entry.name for entry in _scan()})


def load_installed(name: str, others: Iterable[str]) -> type[ToolType]:
    """The class that a package names for this type; `others` are the types that come from no package.

    Raises ConfigError where none does, with the closest known name, and where what one names cannot be used.
    """
    found = {entry.value: entry for entry in _scan() if entry.name == name}
    if not found:
        known = sorted({*others, *list_installed()})
        raise ConfigError(
            f'unknown tool type "{name}"{did_you_mean(name, known)}', hint=f"known types: {', '.join(known)}"
        )
    if len(found) > 1:
        packages = " and ".join(sorted(map(name_package, found.values())))
        raise ConfigError(f'tool type "{name}" comes from {packages}', hint="uninstall all of them but one")
    (entry,) = found.values()
    return _load(entry)


def name_package(entry: EntryPoint) -> str:
    """The package of an entry point, with its version."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unnamed package"


def find_package(name: str) -> str:
    """The package that adds the type of this name, with its version."""
    return " and ".join(sorted({name_package(entry) for entry in _scan() if entry.name == name}))


def find_place(name: str) -> str:
    """The class of this type as `module:Class`. Raises StopIteration for a type of no package."""
    return next(entry.value for entry in _scan() if entry.name == name)


@cache
def _scan() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


@cache
def _load(entry: EntryPoint) -> type[ToolType]:
    try:
        # What it prints while it is loaded is no answer of anybody's.
        with redirect_stdout(sys.stderr):
            found = entry.load()
    except (Exception, SystemExit) as error:
        raise _broken(entry, f"{entry.value}: {type(error).__name__}: {error}") from error
    fault = _find_fault(found, entry.name)
    if fault:
        raise _broken(entry, f"{entry.value} {fault}")
    cls: type[ToolType] = found
    return cls


def _broken(entry: EntryPoint, why: str) -> ConfigError:
    package = name_package(entry)
    return ConfigError(
        f'tool type "{entry.name}" of {package} cannot be used: {why}',
        hint=f"update or uninstall {package.split(' ')[0]}",
    )


def _find_fault(found: Any, name: str) -> str | None:
    """Why this is no tool type of that name, or None."""
    if not isinstance(found, type) or not issubclass(found, ToolType):
        return "is no class derived from agentctl.tools.base.ToolType"
    if getattr(found, "type", None) != name:
        return f'has no `type = "{name}"`'
    description = getattr(found, "description", None)
    if not isinstance(description, str) or not description.strip():
        return "has no description"
    if found.risk not in RISKS:
        return f"has a risk that is none of {', '.join(RISKS)}"
    if not isinstance(found.memory, int):
        return "has a memory that is no number of megabytes"
    if not isinstance(found.Config, type) or not issubclass(found.Config, ToolConfig):
        return "has a Config that is not derived from agentctl.tools.base.ToolConfig"
    # What `value` makes takes what was checked and never fails, unlike a dataclass with code of its own.
    if not _is_value(found.Arguments) or not _is_value(found.Config):
        return "has Arguments or a Config that are not made with agentctl.domain.value.value"
    try:
        arguments_schema(found.Arguments)
        config_schema(found.Config)
    except Exception as error:
        return f"has Arguments or a Config that no schema can be made of: {error}"
    if not iscoroutinefunction(found.run) or found.run is ToolType.run:
        return "has no `async def run(self, arguments, context)`"
    return (
        None if _takes(found.run, 3) and _takes(found, 2) else "has a run or __init__ with other parameters"
    )


def _is_value(cls: Any) -> bool:
    return isinstance(cls, type) and vars(cls).get("__init__") is METHODS["__init__"]


def _takes(function: Any, count: int) -> bool:
    """Whether it can be called with so many arguments."""
    try:
        signature(function).bind(*range(count))
    except TypeError:
        return False
    return True
