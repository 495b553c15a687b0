"""A declared tool made ready to be called: its type, its checked config, what the model is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.tool import Tool
from agentctl.domain.value import value
from agentctl.errors import ConfigError
from agentctl.tools import load_type
from agentctl.tools.base import Fault, Services, ToolType
from agentctl.tools.config import read_config
from agentctl.tools.shapes import entries


@value
class ReadyTool:
    """A tool that can be called: `slug` is its name for the model, `parameters` the JSON Schema of arguments.

    `needs_approval` is the tool's own word, else its type's; an association may still overrule it.
    `warnings` say what of its stored config could not be used.
    """

    slug: str
    description: str
    parameters: Mapping[str, Any]
    needs_approval: bool
    instance: ToolType
    warnings: tuple[str, ...] = ()


class NotConfiguredError(ConfigError):
    """A tool that cannot be used because nobody has configured it yet, which is no fault of anybody."""


def make_ready(tool: Tool, override: Mapping[str, Any], services: Services) -> ReadyTool:
    """`tool` with `override` (the config of its association with an agent, key by key over its own).

    Missing keys take the defaults of the type, and so, with a warning, do those that hold null where that is
    no value, unless they bound what a tool may do. Raises ConfigError when the type is unknown or the config
    does not hold, with one line in `problems` for each wrong key: only this tool is not ready then. Where all
    that is missing is a config, that is NotConfiguredError.
    """
    cls = load_type(tool.type)
    given = {**tool.config, **override}
    empty = _find_empty(cls, given)
    config, faults = _read(cls, tool.slug, {key: item for key, item in given.items() if key not in empty})
    if faults:
        problems = [f"config.{fault}" for fault in faults]
        message = f'tool "{tool.slug}" is not ready: {"; ".join(problems)}'
        raise ConfigError(message, problems=problems)
    try:
        instance = cls(config, services)
        obstacle = instance.find_obstacle()
        approval = instance.asks_first() if tool.needs_approval is None else tool.needs_approval
        description = tool.description or instance.describe()
        warnings = tuple(f'tool "{tool.slug}": config.{key} is null, so its default is used' for key in empty)
        ready = ReadyTool(tool.slug, description, instance.arguments_schema(), approval, instance, warnings)
    except (Exception, SystemExit) as error:
        raise _spoilt(tool.slug, error) from error
    if obstacle:
        error_class = ConfigError if tool.config or override else NotConfiguredError
        raise error_class(f'tool "{tool.slug}" is not ready: {obstacle}', problems=[obstacle])
    return ready


def _read(cls: type[ToolType], slug: str, values: Mapping[str, Any]) -> tuple[Any, list[Fault]]:
    try:
        return read_config(cls, values)
    except (Exception, SystemExit) as error:
        raise _spoilt(slug, error) from error


def _spoilt(slug: str, error: BaseException) -> ConfigError:
    """A type may come from any package, and spoils only its own tools."""
    message = f'tool "{slug}" is not ready: {type(error).__name__}: {error}'
    return ConfigError(message, problems=[message])


def _find_empty(cls: type[ToolType], config: Mapping[str, Any]) -> list[str]:
    """The keys that hold null where that is no value, and whose default can be used all the same."""
    return [
        entry.name
        for entry in entries(cls.Config)
        if entry.name in config
        and config[entry.name] is None
        and not (entry.shape.nullable or entry.required or entry.security)
    ]
