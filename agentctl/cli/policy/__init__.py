"""`agentctl policy`: what decides on tool calls."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "explain": "Say what decides on a tool call, and where it stands.",
}

command = Group(__name__, COMMANDS, name="policy", help="See what decides on tool calls.")
