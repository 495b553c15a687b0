"""`agentctl agents`: who can be talked to."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "list": "List the enabled agents.",
    "show": "Show one agent.",
}

command = Group(__name__, COMMANDS, name="agents", help="See the agents.")
