"""A declared tool, the context a call runs in, and the result every call returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from agentctl.domain.value import value

if TYPE_CHECKING:
    from agentctl.domain.rule import Rule


def tool_id(slug: str) -> str:
    """The key of a tool in the database: `tool_<slug>`."""
    return f"tool_{slug}"


@value
class Tool:
    """One instance of a tool type. `needs_approval` None means: as the type says.

    `approvals` are rules about its calls. `source` names the files that declared it, None = by hand.
    """

    slug: str
    name: str
    type: str
    description: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    needs_approval: bool | None = None
    enabled: bool = True
    source: str | None = None
    approvals: tuple[Rule, ...] = ()

    @property
    def id(self) -> str:
        """The key in the database."""
        return tool_id(self.slug)


@value
class ToolContext:
    """Who calls, from where, and whether a person or a flag approved this very call.

    `user_id` None is a caller who is not logged in. `call_id` stays the same where one call is run again.
    `confined` says that a request must not be led on to another host than the one that was allowed.
    `saw_untrusted`: the session holds words of strangers. `recalled` are documents the run was shown.
    """

    tool_slug: str
    user_id: int | None
    session_id: str | None
    approved: bool = False
    call_id: str | None = None
    confined: bool = False
    saw_untrusted: bool = False
    recalled: tuple[str, ...] = ()

    @property
    def tool_id(self) -> str:
        """The key of the tool in the database."""
        return tool_id(self.tool_slug)


@value
class ToolResult:
    """What a call gave: `data` on success, `error` otherwise.

    `metadata` holds `duration_ms` and, where a call was turned away for want of one, `needs_approval`.
    """

    success: bool
    data: Any = None
    error: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The object that is stored and printed."""
        return {
            "success": self.success,
            "data": self.data,
            "error": self.error,
            "metadata": dict(self.metadata),
        }
