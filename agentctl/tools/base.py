"""What a tool type is: a class with a `type`, two dataclasses and one `run`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias, get_args

from agentctl.domain.blanks import Blanks
from agentctl.domain.tool import ToolContext
from agentctl.domain.user import User
from agentctl.domain.value import value
from agentctl.errors import CredentialsError
from agentctl.tools.checks import Fault as Fault
from agentctl.tools.checks import check
from agentctl.tools.failure import ToolError as ToolError
from agentctl.tools.schema import arguments_schema

if TYPE_CHECKING:
    from agentctl.domain.session_search import SessionHit, SessionSearch
    from agentctl.tools.document.desk import Desk

Class: TypeAlias = type  # inside ToolType the word `type` is the name of the tool type
Risk = Literal["read", "write", "network", "execute"]
RISKS: tuple[Risk, ...] = get_args(Risk)  # the later, the more can go wrong
# What a result may hold besides the tool's own words: text of strangers, or what belongs to the user.
Holding = Literal["untrusted", "private"]


class Results(Protocol):
    """Results that are kept for a while, for all processes."""

    def find(self, key: str) -> Any:
        """`{"data": ...}` as it was kept under this key; None where there is none, or no longer."""

    def keep(self, key: str, data: Any, seconds: float) -> None:
        """Keep JSON data for so long."""


def _find_no_secret(reference: Mapping[str, str], origin: str) -> str:
    raise CredentialsError("no secrets can be looked up here")


def _find_no_documents() -> Desk:
    raise CredentialsError("there are no documents here")


@value
class Services:
    """What tools may ask of the rest of the system; handed down so that no tool imports upwards.

    `find_blanks` gives what blanks the secrets that are known; nothing is read before it is asked. `results`
    is None where none are kept. `find_secret` looks `{env: NAME}` or `{key: NAME}` up, for requests to an
    origin, and raises CredentialsError. `search_sessions` looks into the sessions of one user. `cwd` is the
    folder of the run; `find_variable` gives variables of the environment that a program may have: no keys of
    providers, nothing of agentctl. `documents` is where those of the users are.
    """

    find_user: Callable[[int], User | None]
    locale: str
    time_zone: str
    find_blanks: Callable[[], Blanks] = Blanks
    results: Results | None = None
    find_secret: Callable[[Mapping[str, str], str], str] = _find_no_secret
    search_sessions: Callable[[SessionSearch], Sequence[SessionHit]] = lambda _: ()
    cwd: str = "/"
    find_variable: Callable[[str], str | None] = lambda _: None
    documents: Callable[[], Desk] = _find_no_documents


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
    # Seconds beyond its timeout for a type that watches the clock itself, to end what it started and say so.
    slack: ClassVar[float] = 0.0
    # Megabytes that a call of a type of a package may take; it has a process of its own.
    memory: ClassVar[int] = 1_000

    def __init__(self, config: Any, services: Services) -> None:
        self.config = config
        self.services = services

    @classmethod
    def check_config(cls, config: Any) -> list[Fault]:
        """What is wrong with a config whose keys are right each by itself."""
        return []

    @classmethod
    def risk_of(cls, config: Any) -> Risk:
        """The risk with this config, before it is raised; for types whose config changes it."""
        return cls.risk

    @classmethod
    def raise_risk(cls, config: Any) -> Risk:
        """The risk with this config, raised where it says so."""
        own = cls.risk_of(config)
        return max(own, config.risk or own, key=RISKS.index)

    @classmethod
    def find_variables(cls, config: Any) -> list[str]:
        """The variables of the environment that are passed on to a program; keys must not be among them."""
        return []

    @classmethod
    def find_routes(cls, config: Any) -> list[tuple[Mapping[str, str], str]]:
        """Each secret that requests carry, as `{env: NAME}` or `{key: NAME}`, and the origin they go to."""
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
        """The risk of this tool, raised where its config says so."""
        return self.raise_risk(self.config)

    def is_idempotent(self) -> bool:
        """Whether a call may be made twice where it should be made once."""
        said: bool | None = self.config.idempotent
        return self.idempotent if said is None else said

    def find_surroundings(self, context: ToolContext) -> str:
        """What besides config, user and arguments a result depends on, for results that are kept."""
        return f"{self.services.locale} {self.services.time_zone}"

    def find_holdings(self) -> tuple[Holding, ...]:
        """What the results of a tool with this config hold."""
        untrusted = self.reads_untrusted or self.find_risk() == "network"
        private = self.reads_private or self.find_risk() == "execute"
        found: dict[Holding, bool] = {"untrusted": untrusted, "private": private}
        return tuple(name for name, held in found.items() if held)

    def find_held(self, data: Any) -> tuple[Holding, ...]:
        """What this very result holds besides, for types whose results differ."""
        return ()

    @classmethod
    def has_actions(cls) -> bool:
        """Whether it does several things that rules can name."""
        return cls.find_action is not ToolType.find_action

    def find_action(self, arguments: Mapping[str, Any]) -> str | None:
        """Which of its actions a call with these (completed) arguments is; None where there is only one."""
        return None

    def find_hindrance(self, arguments: Any, context: ToolContext) -> str | None:
        """Why a call with these (checked) arguments cannot succeed for this caller; None where it may."""
        return None

    def explain(self, arguments: Any, context: ToolContext) -> str | None:
        """What a person should know who is asked about the call; None where the arguments say it all."""
        return None

    def find_host(self, arguments: Any) -> str | None:
        """The host that a call with these (checked) arguments sends something to.

        None where it sends nothing, and where it is the config and not the model that names the host.
        """
        return None

    async def run(self, arguments: Any, context: ToolContext) -> Any:
        """Do the work and return JSON-compatible data.

        Raises ToolError with a message for the model when it cannot be done.
        """
        raise NotImplementedError
