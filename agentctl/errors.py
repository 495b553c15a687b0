"""The tree of errors: each class carries the exit code and the kind that scripts see.

AgentctlError                  1  internal
├── UsageError                 2  usage
├── PolicyDenied               3  denied
├── Paused                     4  paused
├── ConfigError                5  config
├── NotFound                   6  not_found
├── CredentialsError           7  credentials
├── LimitReached               8  limit
├── EmptyAnswer                9  empty_answer
│   └── SchemaBroken           9  schema
├── Busy                      10  busy
│   └── Decided               10  decided
├── ChangesPending            11  changes
├── ProviderError             13  provider
├── ModelRefused              14  refusal
├── ToolFailed                15  tool
├── TemporaryFailure          75  temporary
├── TimeLimit                124  timeout
├── Stopped          129/130/143  stopped
└── OutputClosed             141  stdout_closed
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable


READER_GONE = "the reader of stdout went away"


class AgentctlError(Exception):
    """A failure that a person can read: one line that says what, where and what to do next.

    `hint` is a second sentence that names the flag or command that helps.
    """

    exit_code: ClassVar[int] = 1
    kind: ClassVar[str] = "internal"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def code(self) -> int:
        """The exit code of this very error; a subclass may derive it from what happened."""
        return self.exit_code


class UsageError(AgentctlError):
    """The command line cannot be understood or lacks something."""

    exit_code = 2
    kind = "usage"


class PolicyDenied(AgentctlError):
    """The run finished, but a tool call was denied while nobody was asked."""

    exit_code = 3
    kind = "denied"


class Paused(AgentctlError):
    """The run waits for a person: a tool call needs approval, and nobody could be asked."""

    exit_code = 4
    kind = "paused"


class ConfigError(AgentctlError):
    """Configuration, YAML, schema or database is invalid.

    `problems` holds one line each, `file:line:col: message`, when there are several.
    """

    exit_code = 5
    kind = "config"

    def __init__(self, message: str, *, hint: str | None = None, problems: Iterable[str] = ()) -> None:
        super().__init__(message, hint=hint)
        self.problems = tuple(problems)


class NotFound(AgentctlError):
    """What was named does not exist (for this user)."""

    exit_code = 6
    kind = "not_found"


class CredentialsError(AgentctlError):
    """A key is missing, was refused, or its account is out of credit."""

    exit_code = 7
    kind = "credentials"


class LimitReached(AgentctlError):
    """Steps, repeated calls or output length reached their limit; the partial answer is kept."""

    exit_code = 8
    kind = "limit"


class EmptyAnswer(AgentctlError):
    """The model finished without a word."""

    exit_code = 9
    kind = "empty_answer"


class SchemaBroken(EmptyAnswer):
    """There is an answer, and it breaks the JSON Schema that it had to keep to."""

    kind = "schema"


class Busy(AgentctlError):
    """Another process holds the session, or the database changed under a confirmed plan."""

    exit_code = 10
    kind = "busy"


class Decided(Busy):
    """The question was answered, used or closed before; trying again changes nothing."""

    kind = "decided"


class ChangesPending(AgentctlError):
    """`plan --exit-code` found changes."""

    exit_code = 11
    kind = "changes"


class ProviderError(AgentctlError):
    """The provider refused the request or sent something that is no answer."""

    exit_code = 13
    kind = "provider"


class ModelRefused(AgentctlError):
    """The model refused, or a filter cut the answer."""

    exit_code = 14
    kind = "refusal"


class ToolFailed(AgentctlError):
    """A tool that was run by hand failed, or was kept from what it was asked for."""

    exit_code = 15
    kind = "tool"


class TemporaryFailure(AgentctlError):
    """Rate limit, server error or broken network: the same command may work later."""

    exit_code = 75
    kind = "temporary"


class TimeLimit(AgentctlError):
    """A time limit of the run passed."""

    exit_code = 124
    kind = "timeout"


class Stopped(AgentctlError):
    """A signal, or a person's no, ended it; what had been said is saved."""

    exit_code = 130
    kind = "stopped"

    def __init__(self, message: str, *, signal: int = 2, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.signal = signal

    @property
    def code(self) -> int:
        """128 plus the number of the signal, as shells report it."""
        return 128 + self.signal


class OutputClosed(AgentctlError):
    """Stdout takes nothing more: its reader went away (which nobody has to be told), or a disk is full."""

    exit_code = 141
    kind = "stdout_closed"

    def __init__(self, message: str = READER_GONE, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.is_silent = message == READER_GONE


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean "x"?)` for the closest known word, else an empty string."""
    close = find_closest(word, known)
    return f' (did you mean "{close}"?)' if close else ""


def find_closest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` is nearest to; None where none is near."""
    # Only mistakes pay for this import.
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), n=1, cutoff=0.6)), None)
