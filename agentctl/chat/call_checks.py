"""What is wrong with a call before anybody decides on it, in words for the model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from agentctl.chat.caller import Caller
from agentctl.chat.toolbox import AgentsTool, Toolbox
from agentctl.domain.message import ToolCall

# A model that asks for the same thing a third time is going round in circles.
REPEATS = 3


class CallChecks:
    """The checks of one run, which counts how often each call came; `earlier` came before."""

    def __init__(self, toolbox: Toolbox, caller: Caller, earlier: Iterable[ToolCall]) -> None:
        self._toolbox = toolbox
        self._caller = caller
        self._seen = Counter(map(_key, earlier))
        self._secretive: set[str] = set()

    def note_secret(self, call: ToolCall) -> None:
        """What the model sent held a secret that is known."""
        self._secretive.add(call.id)

    def is_repeated(self, call: ToolCall) -> bool:
        """Whether the same call came too often."""
        return self._seen[_key(call)] >= REPEATS

    def check(self, call: ToolCall) -> tuple[AgentsTool | None, str | None]:
        """The tool of a call, and what is wrong with the call; one of them is there."""
        self._seen[_key(call)] += 1
        tool = self._toolbox.get(call.name)
        if tool is None:
            names = ", ".join(self._toolbox.names) or "none"
            return None, f'there is no tool "{call.name}"; available: {names}'
        return tool, self._find_fault(tool, call)

    def _find_fault(self, tool: AgentsTool, call: ToolCall) -> str | None:
        if call.arguments is None:
            return "the arguments are not a JSON object"
        if call.id in self._secretive:
            from agentctl.tools.call_check import SECRET

            return SECRET
        faults = tool.check(call.arguments).faults
        if faults:
            return "; ".join(faults)
        if self.is_repeated(call):
            return f"the same call came {REPEATS} times; it was not run again"
        return tool.hindrance(call.arguments, self._caller.context(tool, call))


def _key(call: ToolCall) -> str:
    """Equal for calls that ask for the same thing."""
    arguments = call.raw if call.arguments is None else json.dumps(call.arguments, sort_keys=True)
    return f"{call.name} {arguments}"
