"""Explains what becomes of a tool call: which rule decides, where it stands, what the others say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from agentctl.app.tool_views import find_association
from agentctl.app.tools import Tools
from agentctl.chat.opening import enabled_agent
from agentctl.chat.order import Order, Said
from agentctl.chat.toolbox import equip
from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.rule import Rule
from agentctl.domain.tool import Tool
from agentctl.domain.user import User
from agentctl.errors import UsageError
from agentctl.store import Store

# From the JSON Schema of a tool's arguments: those of one call, and what is wrong with how they are written.
Given = Callable[[Mapping[str, Any]], tuple[Mapping[str, Any], list[str]]]
ENDS = {
    "allow": "the call runs",
    "ask": "a person is asked; where nobody can be, the run pauses (exit 4); --yes allows it",
    "deny": "the call does not run (exit 3)",
}
HIDDEN = "the model does not see the tool, and a call of it does not run"


class PolicyExplained:
    """The policy of agents for one user, without a session."""

    def __init__(self, store: Store, tools: Tools, user: User, folder: str) -> None:
        self._store = store
        self._tools = tools
        self._user = user
        self._folder = Path(folder)

    def explain(self, agent_slug: str, slug: str, given: Given) -> dict[str, Any]:
        """What decides a call of the tool by the agent, and every part of the order with what it says.

        `faults` are those of the arguments, for which the call would be refused before anything is decided.
        Raises NotFound, ConfigError for a tool that is not ready, UsageError for unreadable arguments.
        """
        agent = enabled_agent(self._store, agent_slug)
        tool = self._store.tools.require(slug)
        association = find_association(self._store, slug, agent_slug)
        ready = equip(tool, association, self._tools.services)
        arguments, faults = given(ready.ready.parameters)
        if faults:
            raise UsageError(f"wrong arguments for {slug}: {'; '.join(faults)}")
        order = Order(
            agent.approvals, find_grants=partial(self._store.grants.usable, self._user.id, agent.slug)
        )
        case = order.look_at(ready, "", slug, arguments)
        rows = [self._row(agent, tool, said) for said in order.go_through(case)]
        rows[-1]["reason"] = _find_origin(tool, association)
        decisive = next(row for row in rows if row["says"])
        decisive["decides"] = True
        hidden = ready.is_hidden or any(rule.hides and rule.tool == slug for rule in agent.approvals)
        return {
            "agent": agent.slug,
            "tool": slug,
            "action": case.action,
            "arguments": dict(case.complete),
            "decision": decisive["says"],
            "then": HIDDEN if hidden else ENDS[decisive["says"]],
            **{key: decisive[key] for key in ("part", "rule", "place", "reason")},
            "faults": ready.ready.instance.check(arguments)[1],
            "parts": rows,
        }

    def _row(self, agent: Agent, tool: Tool, said: Said) -> dict[str, Any]:
        return {
            "part": said.part,
            "says": said.effect,
            "decides": False,
            "rule": None if said.rule is None else said.rule.text,
            "place": None if said.rule is None else self._place(agent, tool, said.rule),
            "grant": said.grant,
            "reason": said.reason,
        }

    def _place(self, agent: Agent, tool: Tool, rule: Rule) -> str:
        # Only a rule that has a file pays for reading it.
        from agentctl.sync.places import find_place

        owner: tuple[str, Agent | Tool] = ("agents", agent) if rule in agent.approvals else ("tools", tool)
        section, thing = owner
        found = find_place(thing.source, section, thing.slug, rule, self._folder)
        return found or rule.place


def _find_origin(tool: Tool, association: AgentTool) -> str:
    """Who says whether calls need approval."""
    if association.needs_approval is not None:
        return "as the agent says of its tool"
    return f"as the type {tool.type} says" if tool.needs_approval is None else "as the tool says"
