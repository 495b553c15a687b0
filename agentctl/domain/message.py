"""Messages and their parts: what is stored, and what a model reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from agentctl.domain.value import value

Role = Literal["user", "assistant", "tool"]


@value
class Text:
    """Words of the user or the model."""

    text: str


@value
class Reasoning:
    """What a model thought before it spoke; never sent to another model."""

    text: str


@value
class ToolCall:
    """A call that a model asked for. `id` is ours (`ac_...`) and unique.

    `arguments` is None where the model sent something that is no JSON object; `raw` then holds what it sent.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    raw: str | None = None


@value
class ToolOutput:
    """The answer to the call with the same id, as text for the model."""

    call_id: str
    name: str
    text: str
    success: bool


@value
class File:
    """An image or a document that the user attached: bytes of our own, or a URL that the provider fetches.

    `data` is held apart from the other fields: it is loaded for a request and never printed.
    """

    name: str
    media_type: str
    url: str | None = None
    size: int | None = None
    sha256: str | None = None
    data: bytes | None = field(default=None, repr=False)

    @property
    def kind(self) -> Literal["image", "pdf"]:
        """What a model must be able to read for this."""
        return "pdf" if self.media_type == "application/pdf" else "image"


Part = Text | Reasoning | ToolCall | ToolOutput | File


@value
class Usage:
    """Tokens of one request or of several; `cached` is a part of `input`, `reasoning` of `output`.

    `cache_write` is the part of `input` that the provider stored for later requests, where that has a price
    of its own.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0
    cache_write: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.reasoning + other.reasoning,
            self.cache_write + other.cache_write,
        )

    def as_dict(self) -> dict[str, int]:
        """The object under `usage` in results."""
        return {
            "input": self.input,
            "output": self.output,
            "cached": self.cached,
            "reasoning": self.reasoning,
        }


@value
class Message:
    """One message of a session.

    `origin` is the `provider/model` that made it; `replay` are that provider's own fields (signatures,
    reasoning details), sent back to that origin only. `status` is `complete`, or says what cut it short.
    `cost_usd` is None where no price is known.
    """

    role: Role
    parts: tuple[Part, ...]
    id: str = ""
    session_id: str = ""
    run_id: str | None = None
    status: str = "complete"
    finish: str | None = None
    origin: str | None = None
    usage: Usage | None = None
    cost_usd: float | None = None
    replay: Mapping[str, Any] = field(default_factory=dict)
    created_at: int = 0

    @property
    def text(self) -> str:
        """The words, without reasoning and calls."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def reasoning(self) -> str:
        """The reasoning, in one piece."""
        return "".join(part.text for part in self.parts if isinstance(part, Reasoning))

    @property
    def files(self) -> tuple[File, ...]:
        """The attachments."""
        return tuple(part for part in self.parts if isinstance(part, File))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls, in the order in which the model made them."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))
