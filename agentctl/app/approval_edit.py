"""Changes the arguments of a call that waits, in the person's editor, and checks what came of it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from agentctl.app.approvals import check_kind
from agentctl.chat.flag_rules import read_flag_rules
from agentctl.chat.policy import Policy
from agentctl.chat.toolbox import AgentsTool, Toolbox
from agentctl.domain.agent import Agent
from agentctl.domain.approval import Approval, bind
from agentctl.domain.message import ToolCall
from agentctl.errors import PolicyDenied, UsageError
from agentctl.render.editor import edit
from agentctl.store import Store


class ApprovalEdit:
    """`find_terminal` opens the terminal that `editor` runs on."""

    def __init__(
        self,
        store: Store,
        make_toolbox: Callable[[Agent], Toolbox],
        find_terminal: Callable[[], int | None],
        editor: str,
    ) -> None:
        self._store = store
        self._make_toolbox = make_toolbox
        self._find_terminal = find_terminal
        self._editor = editor

    def edit(self, approval: Approval) -> Approval:
        """The approval as it is now about: other arguments, and the hash of them and of the tool as it is.

        Raises UsageError where nobody can edit or what came of it does not hold, PolicyDenied where a rule
        denies it; nothing was decided then.
        """
        check_kind(approval, "approved")
        agent = self._store.agents.require(approval.agent)
        tool = self._make_toolbox(agent).get(approval.tool)
        if tool is None:
            raise UsageError(f"agent {agent.slug} cannot use the tool {approval.tool} any more")
        arguments = self._ask(approval)
        faults = tool.check(arguments).faults
        if faults:
            raise UsageError(
                f"the edited arguments do not hold: {'; '.join(faults)}",
                hint=f"Nothing was approved. See agentctl tools show {approval.tool}.",
            )
        self._refuse_denied(agent, tool, approval, arguments)
        action, revision = tool.action(arguments), tool.revision
        return replace(
            approval,
            arguments=arguments,
            action=action,
            tool_revision=revision,
            hash=bind(approval.tool, revision, action, arguments),
        )

    def _refuse_denied(
        self, agent: Agent, tool: AgentsTool, approval: Approval, arguments: Mapping[str, Any]
    ) -> None:
        settings = self._store.runs.get(approval.run_id).settings
        flags = read_flag_rules((), settings.get("deny", ()))
        policy = Policy(approve_all=False, ask=None, grants=(), rules=(*flags, *agent.approvals))
        call = ToolCall(approval.call_id, approval.tool, arguments)
        denied = policy.find_denial(tool, call)
        if denied is not None:
            why = f": {denied.reason}" if denied.reason else ""
            raise PolicyDenied(
                f"the edited call is denied by {denied.rule}{why}", hint="Nothing was approved."
            )

    def _ask(self, approval: Approval) -> dict[str, Any]:
        terminal = self._find_terminal()
        if terminal is None:
            raise UsageError(
                "--edit needs a terminal, and nobody can be asked", hint="Approve it as it is, or deny it."
            )
        text = json.dumps(dict(approval.arguments), ensure_ascii=False, indent=2)
        try:
            edited = json.loads(asyncio.run(edit(text, self._editor, terminal)))
        except (OSError, ValueError, RecursionError) as error:
            raise UsageError(f"nothing was approved: {error}") from None
        finally:
            os.close(terminal)
        if not isinstance(edited, dict):
            raise UsageError("the edited arguments are no JSON object", hint="Nothing was approved.")
        return edited
