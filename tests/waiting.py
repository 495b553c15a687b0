"""Questions that wait in the database, made without a model."""

from __future__ import annotations

from typing import Any

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.approval import Approval, bind
from agentctl.domain.ids import clock_ms, new_id
from agentctl.domain.message import Message, Text, ToolCall
from agentctl.domain.tool import Tool
from agentctl.store import Store
from agentctl.store.runs import NewRun

HOUR = 3_600_000
Place = tuple[int, str, str]


def declare(store: Store, tool: str = "calculator") -> int:
    """An agent with a tool that asks; returns its id."""
    store.tools.put(Tool(tool, tool.title(), "calculator", needs_approval=True))
    store.agents.put(
        Agent("default", "Default", title_strategy="none", is_default=True, tools=(AgentTool(tool),))
    )
    agent = store.agents.get("default")
    assert agent is not None
    return agent.id


def begin_run(store: Store, user: str = "tester") -> Place:
    """A run that waits: user, session and run."""
    agent = store.agents.get("default")
    user_id = store.users.ensure(user).id
    session = store.sessions.create(user_id, agent.id if agent else declare(store), "default", None, 0)
    run = store.runs.start(NewRun(session, user_id, "default", "script/x", "/", 0, {"schema": None}))
    store.database.execute("UPDATE agent_runs SET status = 'awaiting_approval' WHERE id = ?", (run,))
    store.messages.add(Message("user", (Text("How much?"),), session_id=session, run_id=run))
    return user_id, session, run


def ask(store: Store, place: Place, **changes: Any) -> Approval:
    """A question about a new call of that run."""
    user_id, session, run = place
    arguments = changes.get("arguments", {"expression": "1+1"})
    call = ToolCall(new_id("ac"), changes.get("tool", "calculator"), arguments)
    now = clock_ms()
    approval = Approval(
        **{
            "id": new_id("ap"),
            "kind": "call",
            "user_id": user_id,
            "session_id": session,
            "run_id": run,
            "call_id": call.id,
            "agent": "default",
            "tool": call.name,
            "arguments": arguments,
            "tool_revision": "r1",
            "hash": bind(call.name, "r1", None, arguments),
            "created_at": now,
            "expires_at": now + HOUR,
            **changes,
        }
    )
    with store.transaction():
        message = store.messages.add(Message("assistant", (call,), session_id=session, run_id=run))
        store.calls.propose(run, message, [call])
        store.calls.await_approval(call.id, arguments)
        store.approvals.request(approval)
    return approval
