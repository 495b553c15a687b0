"""Agents and the tools each of them has."""

from __future__ import annotations

import sqlite3
from collections import defaultdict

from agentctl.domain.agent import Agent, AgentMemory, AgentTool
from agentctl.domain.ids import now_ms
from agentctl.domain.limits import Limits
from agentctl.errors import NotFound, did_you_mean
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json
from agentctl.store.rules import rules_from_json, rules_to_json
from agentctl.store.upsert import upsert

AGENT = "SELECT * FROM agents"
TOOLS = (
    "SELECT a.agent_id, t.slug, a.needs_approval, a.sort_order, a.config"
    " FROM agent_tool_associations a JOIN agent_tools t ON t.id = a.tool_id"
)


class Agents:
    """Agents by slug."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def list(self) -> list[Agent]:
        """All agents with their tools, by `sort_order`, then slug; two queries in all."""
        tools: dict[int, list[AgentTool]] = defaultdict(list)
        for row in self.database.execute(f"{TOOLS} ORDER BY a.sort_order, a.id"):
            tools[row["agent_id"]].append(_agent_tool(row))
        rows = self.database.execute(f"{AGENT} ORDER BY sort_order, slug")
        return [_agent(row, tools[row["id"]]) for row in rows]

    def get(self, slug: str) -> Agent | None:
        """The agent with this slug, enabled or not, or None."""
        row = self.database.one(f"{AGENT} WHERE slug = ?", (slug,))
        return self._with_tools(row) if row else None

    def require(self, slug: str) -> Agent:
        """The agent with this slug, enabled or not; raises NotFound with a suggestion."""
        agent = self.get(slug)
        if agent is None:
            known = [row["slug"] for row in self.database.execute("SELECT slug FROM agents ORDER BY slug")]
            raise NotFound(
                f'no agent "{slug}"{did_you_mean(slug, known)}',
                hint=f"Agents: {', '.join(known[:20])}."
                if known
                else "Declare one in agents.yaml, then agentctl apply.",
            )
        return agent

    def default(self) -> Agent | None:
        """The default among the enabled agents: `is_default`, else the lowest `sort_order`, then id."""
        row = self.database.one(f"{AGENT} WHERE enabled = 1 ORDER BY is_default DESC, sort_order, id LIMIT 1")
        return self._with_tools(row) if row else None

    def exist(self) -> bool:
        """Whether there is any agent, enabled or not."""
        return self.database.one("SELECT 1 FROM agents LIMIT 1") is not None

    def put(self, agent: Agent) -> None:
        """Insert or update by slug; the tools become exactly those of `agent` (all must exist)."""
        with self.database.transaction():
            if agent.is_default:
                self.database.execute("UPDATE agents SET is_default = 0 WHERE slug <> ?", (agent.slug,))
            upsert(self.database, "agents", ("slug",), _row(agent))
            where = (agent.slug,)
            self.database.execute(
                "DELETE FROM agent_tool_associations WHERE agent_id = (SELECT id FROM agents WHERE slug = ?)",
                where,
            )
            self.database.executemany(
                "INSERT INTO agent_tool_associations"
                " (agent_id, tool_id, needs_approval, sort_order, config, created_at)"
                " VALUES ((SELECT id FROM agents WHERE slug = ?), ?, ?, ?, ?, ?)",
                [
                    (
                        agent.slug,
                        f"tool_{tool.slug}",
                        tool.needs_approval,
                        tool.sort_order,
                        to_json(tool.config),
                        now_ms(),
                    )
                    for tool in agent.tools
                ],
            )

    def delete(self, slug: str) -> None:
        """Remove the agent; its sessions stay and belong to no agent."""
        self.database.execute("DELETE FROM agents WHERE slug = ?", (slug,))

    def _with_tools(self, row: sqlite3.Row) -> Agent:
        tools = self.database.execute(
            f"{TOOLS} WHERE a.agent_id = ? ORDER BY a.sort_order, a.id", (row["id"],)
        )
        return _agent(row, [_agent_tool(tool) for tool in tools])


def _row(agent: Agent) -> dict[str, object]:
    return {
        "slug": agent.slug,
        "name": agent.name,
        "description": agent.description,
        "system_prompt": agent.system_prompt,
        "default_model": to_json(list(agent.default_model)) if agent.default_model else None,
        "title_model": agent.title_model,
        "title_strategy": agent.title_strategy,
        "enable_thinking": agent.enable_thinking,
        "enable_tools": agent.enable_tools,
        "max_step_count": agent.max_step_count,
        "is_default": agent.is_default,
        "is_callable": agent.is_callable,
        "sort_order": agent.sort_order,
        "enabled": agent.enabled,
        "options": to_json(agent.options),
        "limits": to_json(agent.limits.as_dict()),
        "egress": agent.egress,
        "memory": to_json(agent.memory.as_dict()),
        "approvals": rules_to_json(agent.approvals),
        "source": agent.source,
    }


def _agent_tool(row: sqlite3.Row) -> AgentTool:
    needs_approval = row["needs_approval"]
    return AgentTool(
        slug=row["slug"],
        needs_approval=None if needs_approval is None else bool(needs_approval),
        sort_order=row["sort_order"],
        config=from_json(row["config"]),
    )


def _agent(row: sqlite3.Row, tools: list[AgentTool]) -> Agent:
    return Agent(
        slug=row["slug"],
        name=row["name"],
        description=row["description"],
        system_prompt=row["system_prompt"],
        default_model=tuple(from_json(row["default_model"]) or ()),
        title_model=row["title_model"],
        title_strategy=row["title_strategy"],
        enable_thinking=bool(row["enable_thinking"]),
        enable_tools=bool(row["enable_tools"]),
        max_step_count=row["max_step_count"],
        is_default=bool(row["is_default"]),
        is_callable=bool(row["is_callable"]),
        sort_order=row["sort_order"],
        enabled=bool(row["enabled"]),
        options=from_json(row["options"]),
        limits=Limits(**from_json(row["limits"])),
        egress=row["egress"],
        memory=AgentMemory(**(from_json(row["memory"]) or {})),
        approvals=rules_from_json(row["approvals"]),
        tools=tuple(tools),
        id=row["id"],
        source=row["source"],
    )
