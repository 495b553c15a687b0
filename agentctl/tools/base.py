"""What a tool type is: a class with a `type`, two dataclasses and one `run`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from agentctl.domain.tool import ToolContext
from agentctl.domain.user import User
from agentctl.domain.value import value
from agentctl.tools.failure import ToolError as ToolError
from agentctl.tools.schema import Fault as Fault
from agentctl.tools.schema import arguments_schema, check

Class: TypeAlias = type  # inside ToolType the word `type` is the name of the tool type
Risk = Literal["read", "write", "network", "execute"]
RISKS: tuple[Risk, ...] = get_args(Risk)  # the later, the more can go wrong


@value
class Services:
    """What tools may ask of the rest of the system; handed down so that no tool imports upwards."""

    find_user: Callable[[int], User | None]
    locale: str
    time_zone: str


@value
class ToolConfig:
    """The keys that every tool's config has."""

    timeout: float = field(default=30.0, metadata={"description": "Seconds a call may take.", "minimum": 0.1})
    max_output: int = field(
        default=20_000,
        metadata={"description": "Characters of a result that reach the model.", "minimum": 100},
    )
    cache: float = field(
        default=0.0,
        metadata={
            "description": "Seconds for which the same call gets the same result; only of tools that are "
            "idempotent and neither write nor execute.",
            "minimum": 0,
        },
    )
    idempotent: bool | None = field(
        default=None,
        metadata={"description": "Whether a call may be repeated; by default as the type says."},
    )
    risk: Risk | None = field(
        default=None,
        metadata={"description": "What can go wrong; may be raised above what the type says, not lowered."},
    )


@value
class NoArguments:
    """The arguments of a tool that takes none."""


class ToolType:
    """Base of all tool types; one instance serves one declared tool.

    `Arguments` and `Config` are frozen dataclasses; `tools/schema.py` turns them into JSON Schema and
    checks against them, so that `run` only ever sees valid values.

    `risk` is the worst that a call does: `read` local data, `write` it, speak to the `network`, or `execute`
    programs. `reads_untrusted` says that results hold text of strangers, `reads_private` that they hold what
    belongs to the user; where both meet, requests to new places ask first.
    """

    type: ClassVar[str]
    description: ClassVar[str]
    Arguments: ClassVar[Class] = NoArguments
    Config: ClassVar[Class] = ToolConfig
    risk: ClassVar[Risk] = "read"
    needs_approval: ClassVar[bool] = False
    idempotent: ClassVar[bool] = True
    reads_untrusted: ClassVar[bool] = False
    reads_private: ClassVar[bool] = False

    def __init__(self, config: Any, services: Services) -> None:
        self.config = config
        self.services = services

    @classmethod
    def check_config(cls, config: Any) -> list[Fault]:
        """What is wrong with a config whose keys are right each by itself."""
        return []

    def describe(self) -> str:
        """The description the model reads; a type whose config changes what it does overrides this."""
        return self.description

    def arguments_schema(self) -> dict[str, Any]:
        """The JSON Schema of a call's arguments; with `check` for types that declare them in their config."""
        return arguments_schema(self.Arguments)

    def check(self, arguments: Mapping[str, Any]) -> tuple[Any, list[str]]:
        """What `run` gets of a model's arguments, and one line for each fault of them (then not used)."""
        values, faults = check(self.Arguments, arguments, lenient=True)
        return values, list(faults)

    def find_obstacle(self) -> str | None:
        """Why a tool with this config cannot be used, as `no backend is configured`; None where it can."""
        return None

    def asks_first(self) -> bool:
        """Whether a person is asked before a call, where the tool's declaration does not say."""
        return self.needs_approval

    def find_risk(self) -> Risk:
        """The risk of a tool with this config, before its declaration raises it."""
        return self.risk

    def find_host(self, arguments: Any) -> str | None:
        """The host that a call with these (checked) arguments sends something to; None for none.

        Only of types that let the model choose the host.
        """
        return None

    async def run(self, arguments: Any, context: ToolContext) -> Any:
        """Do the work and return JSON-compatible data.

        Raises ToolError with a message for the model when it cannot be done.
        """
        raise NotImplementedError
