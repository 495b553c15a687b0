"""A declared tool made ready to be called: its type, its checked config, what the model is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.tool import Tool
from agentctl.domain.value import value
from agentctl.errors import ConfigError
from agentctl.tools import load_type
from agentctl.tools.base import Services, ToolType
from agentctl.tools.schema import check


@value
class ReadyTool:
    """A tool that can be called: `slug` is its name for the model, `parameters` the JSON Schema of arguments.

    `needs_approval` is the tool's own word, else its type's; an association may still overrule it.
    """

    slug: str
    description: str
    parameters: Mapping[str, Any]
    needs_approval: bool
    instance: ToolType


class NotConfiguredError(ConfigError):
    """A tool that cannot be used because nobody has configured it yet, which is no fault of anybody."""


def make_ready(tool: Tool, override: Mapping[str, Any], services: Services) -> ReadyTool:
    """`tool` with `override` (the config of its association with an agent, key by key over its own).

    Missing keys take the defaults of the type. Raises ConfigError when the type is unknown or the config does
    not hold, with one line in `problems` for each wrong key: only this tool is not ready then. Where all that
    is missing is a config, that is NotConfiguredError.
    """
    cls = load_type(tool.type)
    config, faults = check(cls.Config, {**tool.config, **override})
    if config is not None:
        faults = cls.check_config(config)
    if config is None or faults:
        problems = [f"config.{fault}" for fault in faults]
        message = f'tool "{tool.slug}" is not ready: {"; ".join(problems)}'
        raise ConfigError(message, hint="correct its config in tools.yaml and apply it", problems=problems)
    try:
        instance = cls(config, services)
        obstacle = instance.find_obstacle()
        approval = instance.asks_first() if tool.needs_approval is None else tool.needs_approval
        description = tool.description or instance.describe()
        ready = ReadyTool(tool.slug, description, instance.arguments_schema(), approval, instance)
    except Exception as error:
        # A type may come from any package, and spoils only its own tools.
        message = f'tool "{tool.slug}" is not ready: {type(error).__name__}: {error}'
        raise ConfigError(message, problems=[message]) from error
    if obstacle:
        error_class = ConfigError if tool.config or override else NotConfiguredError
        raise error_class(f'tool "{tool.slug}" is not ready: {obstacle}', problems=[obstacle])
    return ready
