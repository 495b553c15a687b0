"""The arguments and the config of the tool type `fetch`."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from agentctl.domain.value import value
from agentctl.tools.base import ToolConfig


@value
class FetchArguments:
    """Which page, and from where in it."""

    url: str = field(
        metadata={"description": "The URL, with http:// or https://.", "min_length": 1, "max_length": 8_000}
    )
    start: int = field(
        default=0,
        metadata={"description": "Skip so many characters: next_start of the result before.", "minimum": 0},
    )


@value
class FetchConfig(ToolConfig):
    """What becomes of a page, and where pages may come from."""

    mode: Literal["html", "markdown", "json", "text", "auto"] = field(
        default="auto", metadata={"description": "What to make of what comes; auto goes by its type."}
    )
    max_bytes: int = field(
        default=2_000_000,
        metadata={"description": "Bytes of a page, unpacked.", "minimum": 1_000, "maximum": 10_000_000},
    )
    max_redirects: int = field(
        default=5, metadata={"description": "Redirects to follow.", "minimum": 0, "maximum": 20}
    )
    allow_hosts: tuple[str, ...] = field(
        default=(),
        metadata={
            "description": "Hosts (name, address, *.suffix, *) that may be fetched from, and no others; they "
            "may be private, on any port. Empty means all public ones.",
            "security": True,
        },
    )
    deny_hosts: tuple[str, ...] = field(
        default=(),
        metadata={
            "description": "Hosts (name, address, *.suffix) that may not, whatever else says.",
            "security": True,
        },
    )
    allow_private: bool = field(
        default=False,
        metadata={"description": "Let it fetch from this machine and private networks.", "security": True},
    )
    allow_ports: tuple[int, ...] = field(
        default=(), metadata={"description": "Ports of public hosts besides 80 and 443.", "security": True}
    )
    proxy: str | None = field(
        default=None,
        metadata={
            "description": "http://HOST:PORT of a proxy; none of the environment is used.",
            "pattern": r"^https?://[^@/\s]+/?$",
        },
    )
    user_agent: str | None = field(
        default=None,
        metadata={"description": "The name to fetch under.", "pattern": r"^[\x20-\x7e]+$", "max_length": 300},
    )
