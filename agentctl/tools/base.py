"""What a tool type is: a class with a `type`, two dataclasses and one `run`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar, TypeAlias

from agentctl.domain.tool import ToolContext
from agentctl.domain.user import User
from agentctl.domain.value import value
from agentctl.tools.failure import ToolError as ToolError

Class: TypeAlias = type  # inside ToolType the word `type` is the name of the tool type


@value
class Services:
    """What tools may ask of the rest of the system; handed down so that no tool imports upwards."""

    find_user: Callable[[int], User | None]
    locale: str
    time_zone: str


@value
class ToolConfig:
    """The keys every tool's config has: seconds a call may take, characters of result the model gets."""

    timeout: float = field(default=30.0, metadata={"description": "Seconds a call may take.", "minimum": 0.1})
    max_output: int = field(
        default=20_000,
        metadata={"description": "Characters of a result that reach the model.", "minimum": 100},
    )


@value
class NoArguments:
    """The arguments of a tool that takes none."""


class ToolType:
    """Base of all tool types; one instance serves one declared tool.

    `Arguments` and `Config` are frozen dataclasses; `tools/schema.py` turns them into JSON Schema and
    checks against them, so that `run` only ever sees valid values.
    """

    type: ClassVar[str]
    description: ClassVar[str]
    Arguments: ClassVar[Class] = NoArguments
    Config: ClassVar[Class] = ToolConfig
    needs_approval: ClassVar[bool] = False
    idempotent: ClassVar[bool] = True

    def __init__(self, config: Any, services: Services) -> None:
        self.config = config
        self.services = services

    def describe(self) -> str:
        """The description the model reads; a type whose config changes what it does overrides this."""
        return self.description

    async def run(self, arguments: Any, context: ToolContext) -> Any:
        """Do the work and return JSON-compatible data.

        Raises ToolError with a message for the model when it cannot be done.
        """
        raise NotImplementedError
