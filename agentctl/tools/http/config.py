"""What the config of an `http` tool may say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from agentctl.domain.value import value
from agentctl.tools.base import ToolConfig

READING = ("GET", "HEAD")
MOST_BYTES = 10_000_000


@value
class HttpConfig(ToolConfig):
    """One request, and what of its answer the model gets."""

    method: Literal["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"] = field(
        default="GET",
        metadata={"description": "All but GET and HEAD ask before each call.", "security": True},
    )
    url: str = field(
        default="",
        metadata={
            "description": "The address; {name} in its path or query is the argument of that name.",
            "max_length": 2_000,
            "security": True,
        },
    )
    arguments: Mapping[str, Any] = field(
        default_factory=dict,
        metadata={"description": "What the model may give: name to {type, description, enum, pattern, ...}."},
    )
    query: Mapping[str, Any] = field(
        default_factory=dict,
        metadata={"description": "Parameters of the address: text, {name}, {env: NAME} or {key: NAME}."},
    )
    headers: Mapping[str, Any] = field(
        default_factory=dict, metadata={"description": "Text, {env: NAME} or {key: NAME}; no arguments."}
    )
    json: Any = field(
        default=None,
        metadata={"description": "The body as JSON; a text that is only {name} becomes the argument itself."},
    )
    form: Mapping[str, Any] = field(
        default_factory=dict, metadata={"description": "The body as a form, in place of json."}
    )
    result: str | None = field(
        default=None,
        metadata={
            "description": "A JMESPath: what of a JSON answer the model gets.",
            "min_length": 1,
            "max_length": 2_000,
        },
    )
    idempotency_header: str | None = field(
        default="Idempotency-Key",
        metadata={
            "description": "Carries a key that is the same whenever one call is sent again; null: none."
        },
    )
    allow_private: bool = field(
        default=False,
        metadata={
            "description": "Whether private addresses and this machine may be asked.",
            "security": True,
        },
    )
    allow_hosts: tuple[str, ...] = field(
        default=(), metadata={"description": "Hosts that may be asked, also private ones.", "security": True}
    )
    allow_ports: tuple[int, ...] = field(
        default=(),
        metadata={"description": "Ports besides 80, 443 and that of the address.", "security": True},
    )
    max_bytes: int = field(
        default=1_000_000,
        metadata={
            "description": "Bytes of an answer, unpacked; more is an error.",
            "minimum": 1,
            "maximum": MOST_BYTES,
        },
    )

    @property
    def is_reading(self) -> bool:
        """Whether a request changes nothing at the other end, by the words of HTTP (RFC 9110, 9.2.1)."""
        return self.method in READING
