"""What a script says: replies, and which of them answers a request."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentctl.domain.message import Message, Text, ToolOutput, Usage
from agentctl.domain.value import value
from agentctl.providers.base import FaultKind, Finish

DEFAULT_PLAIN_TEXT = "Scripted conversation"

# Text without spaces (Chinese, a long number) still comes in several pieces.
_WORD = re.compile(r"\s*\S{1,12}|\s+")


@value
class ScriptedCall:
    """A tool call; `raw` are its arguments as a model would send them."""

    name: str
    raw: str
    id: str | None = None


@value
class ScriptedError:
    """A fault: `status` or `kind` says which. `times` limits it to so many requests of a process.

    `code` is the provider's own word beside a status, which may say more than that.
    """

    message: str
    kind: FaultKind | None = None
    status: int | None = None
    code: str | None = None
    retry_after: float | None = None
    times: int | None = None


@value
class ScriptedReply:
    """One entry of `replies`; `number` counts from 1, delays are in seconds."""

    number: int
    match: re.Pattern[str] | None = None
    text: tuple[str, ...] = ()
    reasoning: tuple[str, ...] = ()
    calls: tuple[ScriptedCall, ...] = ()
    error: ScriptedError | None = None
    delay: float = 0.0
    chunk_delay: float = 0.0
    usage: Usage | None = None
    finish: Finish | None = None
    repeat: bool = False


@value
class Script:
    """A whole file."""

    replies: tuple[ScriptedReply, ...] = ()
    plain_text: str = DEFAULT_PLAIN_TEXT

    @property
    def matching(self) -> tuple[ScriptedReply, ...]:
        """The replies with a pattern, in order."""
        return tuple(reply for reply in self.replies if reply.match)

    @property
    def ordered(self) -> tuple[ScriptedReply, ...]:
        """The replies without a pattern, in order."""
        return tuple(reply for reply in self.replies if not reply.match)


def choose_reply(script: Script, messages: Sequence[Message]) -> ScriptedReply | None:
    """The reply to a history, None where the script has run out."""
    found = _match(script, messages[-1]) if messages else None
    if found:
        return found
    index = find_index(script, messages)
    if index < len(script.ordered):
        return script.ordered[index]
    last = script.ordered[-1] if script.ordered else None
    return last if last and last.repeat else None


def find_index(script: Script, messages: Sequence[Message]) -> int:
    """How many replies without a pattern were used up by `messages`."""
    befores = [None, *messages[:-1]]
    return sum(
        1
        for before, message in zip(befores, messages, strict=False)
        if message.role == "assistant" and not (before and _match(script, before))
    )


def find_words(message: Message) -> str:
    """What a pattern is searched in: the texts of a message, results of tools among them."""
    return "\n".join(part.text for part in message.parts if isinstance(part, (Text, ToolOutput)))


def split_words(text: str) -> tuple[str, ...]:
    """`text` in pieces of about a word, nothing lost."""
    return tuple(_WORD.findall(text))


def _match(script: Script, message: Message) -> ScriptedReply | None:
    text = find_words(message)
    return next((reply for reply in script.matching if reply.match and reply.match.search(text)), None)
