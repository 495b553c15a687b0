"""Who a run calls tools for: the context of every call."""

from __future__ import annotations

from agentctl.chat.recorder import Recorder
from agentctl.chat.toolbox import AgentsTool
from agentctl.domain.message import ToolCall
from agentctl.domain.tool import ToolContext


class Caller:
    """The user and session of one run."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def context(self, tool: AgentsTool, call: ToolCall) -> ToolContext:
        """The context of a call that nobody has decided on."""
        recorder = self._recorder
        # Only what is written down keeps the mark.
        saw = tool.writes and "untrusted" in recorder.store.calls.holdings(recorder.session_id)
        return ToolContext(
            tool_slug=call.name,
            user_id=recorder.opening.user.id,
            session_id=recorder.session_id,
            call_id=call.id,
            saw_untrusted=saw,
            recalled=recorder.opening.recalled.ids if recorder.opening.recalled else (),
        )

    def explain(self, tool: AgentsTool, call: ToolCall) -> str | None:
        """What a person should know who is asked about a call."""
        return tool.explain(call.arguments or {}, self.context(tool, call))
