"""The files and rows that the benchmarks work on."""

from __future__ import annotations

from pathlib import Path

from agentctl.domain.agent import Agent, AgentTool
from agentctl.domain.tool import Tool
from agentctl.store import Store
from agentctl.tools import TYPES

SESSIONS = 10_000
AGENTS = 1_000


def fill_sessions(path: Path, user: str) -> None:
    """A database in which `user` has SESSIONS sessions with a message each."""
    store = Store(path)
    owner = store.users.ensure(user)
    store.agents.put(Agent("default", "Default", is_default=True))
    for name in sorted(TYPES):
        store.tools.put(Tool(name, name, name))
    tools = tuple(AgentTool(name) for name in sorted(TYPES))
    store.agents.put(Agent("helper", "Helper", tools=tools))
    store.revisions.add("bench", {})
    agent = store.agents.get("default")
    assert agent is not None
    with store.transaction():
        store.database.executemany(
            "INSERT INTO agent_sessions (id, user_id, agent_id, agent_slug, title, created_at, updated_at,"
            " last_active_at) VALUES (?, ?, ?, 'default', ?, ?, ?, ?)",
            [
                (f"as_bench_{n:08d}", owner.id, agent.id, f"Session number {n}", n, n, n)
                for n in range(SESSIONS)
            ],
        )
    store.close()


def write_agents(folder: Path) -> Path:
    """An agents.yaml that declares AGENTS agents."""
    prompt = "You are helpful.\n" * 10
    lines = ["agents:"]
    for number in range(AGENTS):
        lines += [f"  - slug: agent-{number}", f"    name: Agent {number}", "    system_prompt: |"]
        lines += [f"      {line}" for line in prompt.splitlines()]
        lines += ["    max_step_count: 9", "    options: {temperature: 0.2}"]
    path = folder / "agents.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
