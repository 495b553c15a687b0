"""Runs one tool by hand, exactly as an agent would: the same checks, policy, question and executor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agentctl.app.edits import is_declared
from agentctl.app.person import Person
from agentctl.app.tool_views import find_association
from agentctl.app.tools import Tools
from agentctl.chat.abort import Abort
from agentctl.chat.call_results import NOT_ASKED
from agentctl.chat.driver import catch_signals
from agentctl.chat.flag_rules import check_flag_rules, read_flag_rules
from agentctl.chat.opening import enabled_agent
from agentctl.chat.policy import Policy, Verdict
from agentctl.chat.toolbox import AgentsTool, equip
from agentctl.domain.ids import new_id
from agentctl.domain.message import ToolCall
from agentctl.domain.question import OnApproval
from agentctl.domain.tool import Tool, ToolContext, ToolResult
from agentctl.domain.value import value
from agentctl.errors import (
    AgentctlError,
    ConfigError,
    NotFound,
    PolicyDenied,
    Stopped,
    ToolFailed,
    UsageError,
)
from agentctl.render.controls import strip_controls
from agentctl.store import Store

# From the JSON Schema of a tool's arguments: those of one call, and what is wrong with how they are written.
Given = Callable[[Mapping[str, Any]], tuple[Mapping[str, Any], list[str]]]


@value
class Ran:
    """What came of a call, and the error that it ends the command with: None where the tool did its work.

    `notes` are for people: what of the tool's config could not be used, what the tool printed.
    """

    result: ToolResult
    error: AgentctlError | None = None
    notes: tuple[str, ...] = ()


class ToolRun:
    """Runs tools for one user, outside of any session."""

    def __init__(self, store: Store, tools: Tools, person: Person, user_id: int) -> None:
        self._store = store
        self._tools = tools
        self._person = person
        self._user_id = user_id

    def run(
        self,
        slug: str,
        given: Given,
        *,
        agent: str | None,
        approve: bool,
        allow: Sequence[str] = (),
        deny: Sequence[str] = (),
        on_approval: OnApproval = "ask",
    ) -> Ran:
        """Run one call, as `agent` would have it where one is named; `allow` and `deny` are rules as of chat.

        Raises NotFound for a tool that is not there or disabled, ConfigError for one that is not ready,
        UsageError with every fault of the arguments, Stopped where a person or a signal said so.
        """
        rules = read_flag_rules(allow, deny)
        tool = self._find(slug, agent)
        if rules:
            check_flag_rules(rules, [each.slug for each in self._store.tools.list()], [tool])
        arguments, faults = given(tool.ready.parameters)
        if not faults:
            checked = tool.check(arguments)
            # A secret among them is no mistake in writing: the call itself is refused.
            faults = [] if checked.secret else list(checked.faults)
        if faults:
            raise UsageError(
                f"wrong arguments for {slug}: {'; '.join(faults)}",
                hint=f"See agentctl tools show {slug}.",
            )
        policy = Policy(
            approve_all=approve,
            ask=self._person.find_asker(),
            grants=(),
            rules=(*rules, *(() if agent is None else self._store.agents.require(agent).approvals)),
            on_approval=on_approval,
        )
        return asyncio.run(self._run(tool, policy, ToolCall(new_id("ac"), slug, arguments)))

    def _find(self, slug: str, agent: str | None) -> AgentsTool:
        tool = self._store.tools.require(slug)
        if agent is not None:
            enabled_agent(self._store, agent)
        association = find_association(self._store, slug, agent)
        if not tool.enabled:
            raise NotFound(f'tool "{slug}" is disabled', hint=f"Enable it: agentctl tools enable {slug}")
        try:
            return equip(tool, association, self._tools.services)
        except ConfigError as error:
            # Its message names every fault already; what helps depends on where the tool is declared.
            raise ConfigError(error.message, hint=error.hint or _find_way(tool)) from error

    async def _run(self, tool: AgentsTool, policy: Policy, call: ToolCall) -> Ran:
        task = asyncio.current_task()
        assert task is not None
        abort = Abort(task)
        catch_signals(abort)
        try:
            verdict = await policy.decide(tool, call)
            if verdict.decision == "stop":
                raise Stopped("stopped at the question about a tool call")
            if verdict.decision != "allow":
                return _deny(verdict)
            context = ToolContext(
                tool_slug=call.name,
                user_id=self._user_id,
                session_id=None,
                approved=verdict.by != "setting",
                call_id=call.id,
            )
            return _report(tool, await tool.run(verdict.arguments, context))
        except asyncio.CancelledError:
            reason_to_end = abort.accept()
            if reason_to_end is None:
                raise
            raise reason_to_end from None
        finally:
            await abort.settle()


def _find_way(tool: Tool) -> str:
    if is_declared(tool.source):
        return f"Change its config in {tool.source}, then agentctl apply."
    return f"agentctl tools update {tool.slug} --config KEY=VALUE changes it."


def _report(tool: AgentsTool, result: ToolResult) -> Ran:
    notes = [f"warning: {warning}" for warning in tool.ready.warnings]
    if printed := result.metadata.get("printed"):
        notes.append(f"note: the tool printed: {strip_controls(printed).strip()}")
    error = None if result.success else ToolFailed(result.error or "the tool failed")
    return Ran(result, error, tuple(notes))


def _deny(verdict: Verdict) -> Ran:
    nobody = verdict.by == "nobody"
    reason = f": {verdict.reason}" if verdict.reason else ""
    who = "a person denied" if verdict.by == "person" else f"the rule {verdict.rule} denies"
    error = NOT_ASKED if nobody else f"{who} this call{reason}"
    result = ToolResult(False, error=error, metadata={"duration_ms": 0, "needs_approval": True})
    return Ran(result, PolicyDenied(error, hint="--yes allows it." if nobody else None))
