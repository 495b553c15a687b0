"""What every provider adapter takes and gives: one request in, deltas and one reply out."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

from agentctl.domain.message import Message, Usage
from agentctl.domain.model import Model, Provider
from agentctl.domain.value import value
from agentctl.errors import (
    AgentctlError,
    CredentialsError,
    LimitReached,
    ModelRefused,
    ProviderError,
    TemporaryFailure,
    TimeLimit,
)
from agentctl.net.client import HttpClient

Finish = Literal["stop", "length", "tool_calls", "content_filter", "refusal", "pause_turn", "error"]


@value
class ToolSchema:
    """A tool as the model sees it; `parameters` is a JSON Schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@value
class ModelRequest:
    """One request. `messages` end with a user or tool message and pair every call with its output; an
    assistant message at the end is a turn that its provider paused (`pause_turn`) and now goes on with.

    `options` are the agent's, stronger than those of the model and its provider. `purpose` "text" asks for
    plain text without tools (titles), so that an adapter can take its cheapest way.

    `max_output` bounds the tokens of the answer, thoughts included; an adapter sends the least of this and
    what options and model say. `schema` is the JSON Schema that the answer must keep to: sent in the
    provider's own form where it has one, else as words in the system prompt; the caller checks the answer.
    """

    model: Model
    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[ToolSchema, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    thinking: bool = False
    purpose: Literal["chat", "text"] = "chat"
    max_output: int | None = None
    schema: Mapping[str, Any] | None = None

    @property
    def origin(self) -> str:
        """`provider/model` of whoever answers; `Message.origin` and `Message.replay` are compared with it."""
        return f"{self.model.provider}/{self.model.name}"


class Delta(NamedTuple):
    """A piece of text or reasoning, as it arrives; a tuple, because a long answer makes thousands of them."""

    kind: Literal["text", "reasoning"]
    text: str


@value
class Notice:
    """Something the user should know while waiting: a retry, a queue, a model being loaded."""

    kind: str
    message: str


@value
class WireCall:
    """A tool call as it came: `arguments` None and `raw` set where they are no JSON object.

    `run` is False where it must not be run: bad arguments, or a turn that ended in an error, refusal or
    filter.
    """

    id: str | None
    name: str
    arguments: Mapping[str, Any] | None
    raw: str
    run: bool


CONTEXT_OVERFLOW = "context_overflow"
# The words of providers that say as much.
OVERFLOWS = frozenset({CONTEXT_OVERFLOW, "context_length_exceeded", "exceed_context_size_error"})

FaultKind = Literal["provider", "temporary", "credentials", "refusal", "limit", "timeout"]

_ERRORS: dict[FaultKind, type[AgentctlError]] = {
    "provider": ProviderError,
    "temporary": TemporaryFailure,
    "credentials": CredentialsError,
    "refusal": ModelRefused,
    "limit": LimitReached,
    "timeout": TimeLimit,
}


@value
class Fault:
    """Why a request gave no whole answer. `type` is the provider's own word, `kind` ours.

    Where the request was larger than the model's window, `overflows` is True and `type` is
    `CONTEXT_OVERFLOW`, unless the provider has a word of its own for that.

    `retryable` speaks of the fault alone; whether anything was shown already is the caller's to know.
    `retry_after` is in seconds.
    """

    kind: FaultKind
    type: str
    message: str
    retryable: bool = False
    status: int | None = None
    retry_after: float | None = None
    hint: str | None = None

    @property
    def overflows(self) -> bool:
        """Whether the request was larger than the model's window, so that less of it may do."""
        return self.type in OVERFLOWS

    def as_error(self) -> AgentctlError:
        """The exception that carries the right exit code."""
        return _ERRORS[self.kind](self.message, hint=self.hint)


@value
class Reply:
    """The whole of one answer; always the last item of a stream, also when it failed."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[WireCall, ...] = ()
    finish: Finish = "stop"
    usage: Usage | None = None
    fault: Fault | None = None
    replay: Mapping[str, Any] = field(default_factory=dict)
    refusal: bool = False


StreamItem = Delta | Notice | Reply


def _no_limit() -> float | None:
    return None


@value
class Runtime:
    """What the outside gives to every adapter. `find_env` reads the environment, so that nobody else does.

    Times in seconds; `keys_file` is the 0600 JSON file of named keys; `cache_dir` holds embedded models;
    `run_dir` (0700) holds sockets; `local_idle` is how long an embedded model outlives its last request.
    `make_client` opens the connection to an origin; a recording or a replay stands in its place. `time_left`
    is what the run may still take, None where it has no limit.
    """

    find_env: Callable[[str], str | None]
    keys_file: Path
    cache_dir: Path
    run_dir: Path
    connect_timeout: float = 10.0
    stream_timeout: float | None = None
    local_idle: float = 60.0
    make_client: Callable[..., HttpClient] = HttpClient
    time_left: Callable[[], float | None] = _no_limit


class Adapter(Protocol):
    """A provider kind. One instance serves one declared provider and one process.

    `inputs` are the kinds of files that its protocol can carry (`image`, `pdf`).
    """

    default_base_url: ClassVar[str | None]
    embedded: ClassVar[bool]
    inputs: ClassVar[frozenset[str]]

    def __init__(self, provider: Provider, runtime: Runtime) -> None: ...

    def check(self, model: Model) -> None:
        """Raise CredentialsError or ConfigError now where no request to this model could succeed.

        Cheap and offline: a key that is not set, a model file that is not there.
        """
        ...

    def stream(self, request: ModelRequest) -> AsyncGenerator[StreamItem, None]:
        """Yield deltas and notices, then exactly one Reply.

        Trouble on the wire ends in a Reply with a fault; only a missing key, a bad option, a missing extra or
        a file that the protocol cannot carry is raised (CredentialsError, ConfigError, UsageError). Closing
        the iterator ends the request.
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
