"""Pairs calls with their results: every call has one, every result a call."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from agentctl.domain.message import Message, ToolCall, ToolOutput

NO_RESULT = "This call was interrupted; there is no result."

Outputs = dict[str, deque[ToolOutput]]


def collect_outputs(messages: Iterable[Message]) -> Outputs:
    """Results by the id of their call, in order where an id was used twice."""
    outputs: Outputs = {}
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolOutput):
                outputs.setdefault(part.call_id, deque()).append(part)
    return outputs


def take_output(outputs: Outputs, call: ToolCall) -> ToolOutput:
    """The next result for `call`, or a failure that says there is none."""
    found = outputs.get(call.id)
    return found.popleft() if found else ToolOutput(call.id, call.name, NO_RESULT, False)
