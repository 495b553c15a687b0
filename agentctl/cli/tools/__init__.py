"""`agentctl tools`: what agents can be given."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "create": "Make a tool without a file.",
    "delete": "Delete tools that no file declares.",
    "disable": "Take tools from their agents without deleting them.",
    "enable": "Give disabled tools back to their agents.",
    "list": "List the declared tools, and why one cannot be used.",
    "run": "Run a tool exactly as an agent would.",
    "show": "Show one tool, with the schema that models see.",
    "types": "List the tool types, or show the settings and arguments of one.",
    "update": "Change a tool that no file declares.",
}

command = Group(__name__, COMMANDS, name="tools", help="See, run and change the tools.")
