"""Declared tools."""

from __future__ import annotations

import sqlite3

from agentctl.domain.tool import Tool
from agentctl.errors import NotFound, did_you_mean
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json, to_json
from agentctl.store.rules import rules_from_json, rules_to_json
from agentctl.store.upsert import upsert

COLUMNS = "slug, name, type, description, config, needs_approval, enabled, approvals, source"


class Tools:
    """Tools by slug."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def list(self) -> list[Tool]:
        """All tools, by slug."""
        rows = self.database.execute(f"SELECT {COLUMNS} FROM agent_tools ORDER BY slug")
        return [_tool(row) for row in rows]

    def get(self, slug: str) -> Tool | None:
        """The tool with this slug, or None."""
        row = self.database.one(f"SELECT {COLUMNS} FROM agent_tools WHERE slug = ?", (slug,))
        return _tool(row) if row else None

    def require(self, slug: str) -> Tool:
        """The tool with this slug; raises NotFound with a suggestion."""
        tool = self.get(slug)
        if tool is None:
            known = [tool.slug for tool in self.list()]
            raise NotFound(
                f'no tool "{slug}"{did_you_mean(slug, known)}', hint="agentctl tools list shows them."
            )
        return tool

    def put(self, tool: Tool) -> None:
        """Insert or update by slug."""
        row = {
            "id": tool.id,
            "slug": tool.slug,
            "name": tool.name,
            "type": tool.type,
            "description": tool.description,
            "config": to_json(tool.config),
            "needs_approval": tool.needs_approval,
            "enabled": tool.enabled,
            "approvals": rules_to_json(tool.approvals),
            "source": tool.source,
        }
        upsert(self.database, "agent_tools", ("id",), row)

    def delete(self, slug: str) -> None:
        """Remove the tool; agents that had it lose it."""
        self.database.execute("DELETE FROM agent_tools WHERE slug = ?", (slug,))


def _tool(row: sqlite3.Row) -> Tool:
    needs_approval = row["needs_approval"]
    return Tool(
        slug=row["slug"],
        name=row["name"],
        type=row["type"],
        description=row["description"],
        config=from_json(row["config"]),
        needs_approval=None if needs_approval is None else bool(needs_approval),
        enabled=bool(row["enabled"]),
        approvals=rules_from_json(row["approvals"]),
        source=row["source"],
    )
