"""What a declared agent must keep to besides kinds of fields: tools, limits, memory, rules, prompt file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agentctl.domain.agent import AgentMemory, AgentTool
from agentctl.sync.entries import Entry
from agentctl.sync.fields import AGENT_TOOL, MEMORY
from agentctl.sync.kinds import SLUG_TEXT, describe
from agentctl.sync.limits import read_limits
from agentctl.sync.prompt_file import PromptError, read_prompt
from agentctl.sync.rules import read_rules


def check_agent(entry: Entry) -> None:
    """Report bad items of `tools` and `approvals`, bad `limits`, `memory` and unreadable prompt files.

    AgentTools, Rules, Limits, an AgentMemory and text are left in `entry.sound`.
    """
    sound = entry.sound
    if "tools" in sound:
        sound["tools"] = _read_tools(entry)
    if "limits" in sound:
        sound["limits"] = read_limits(entry.report, sound["limits"])
    if "memory" in sound:
        sound["memory"] = AgentMemory(**entry.report.fields(sound["memory"], MEMORY))
    if "approvals" in sound:
        sound["approvals"] = read_rules(entry, f"agent {entry.slug}")
    prompt = sound.get("system_prompt")
    if isinstance(prompt, dict):
        try:
            sound["system_prompt"] = read_prompt(entry.file.path.parent, prompt["file"])
        except PromptError as fault:
            entry.report.at_value(prompt, "file", f"system_prompt: {fault}")
            del sound["system_prompt"]


def _read_tools(entry: Entry) -> tuple[AgentTool, ...]:
    """The sound ones, in the order in which the model gets them: by `sort_order`, then as they stand."""
    items = entry.raw["tools"]
    tools: list[AgentTool] = []
    seen: set[str] = set()
    for index, item in enumerate(items):
        tool = _read_tool(entry, items, index, item)
        if tool is None:
            continue
        if tool.slug in seen:
            entry.report.at_value(items, index, f'tools: "{tool.slug}" stands here twice')
            continue
        seen.add(tool.slug)
        tools.append(tool)
    return tuple(sorted(tools, key=lambda tool: tool.sort_order))


def _read_tool(entry: Entry, items: list[Any], index: int, item: Any) -> AgentTool | None:
    if isinstance(item, str):
        fault = SLUG_TEXT.check(item)
        if fault is None:
            return AgentTool(item, sort_order=index)
        entry.report.at_value(items, index, f"tools: {fault}")
        return None
    if not isinstance(item, dict):
        message = f"tools: expected a slug or a mapping with `slug`, got {describe(item)}"
        entry.report.at_value(items, index, message)
        return None
    fields = entry.report.fields(item, AGENT_TOOL)
    return replace(AgentTool("", sort_order=index), **fields) if "slug" in fields else None
