"""`agentctl runs`: what happened."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "list": "List your runs, newest first.",
    "show": "Show one run: its steps, calls, cost, and what to type next.",
}

command = Group(__name__, COMMANDS, name="runs", help="See what happened.")
