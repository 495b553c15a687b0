"""A tool call as it is stored: what became of it so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.message import ToolCall
from agentctl.domain.states import CallStatus
from agentctl.domain.tool import ToolResult
from agentctl.domain.value import value


@value
class StoredCall:
    """A call, its state and result; `output` is what the model reads of it. Times are milliseconds UTC.

    `decision` holds `decision`, `by`, `rule`, `scope`, `reason` and `hash` once something was decided.
    """

    call: ToolCall
    message_id: str
    status: CallStatus
    decision: Mapping[str, Any]
    result: ToolResult | None
    output: str | None
    started_at: int | None
    finished_at: int | None
