"""`agentctl sessions`: conversations."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "fork": "Copy a session, to go on with it in two ways.",
    "list": "List your sessions, newest activity first.",
    "messages": "Show what was said in a session.",
    "rename": "Give a session another title.",
    "show": "Show one session.",
    "title": "Make the titles that are missing.",
}

command = Group(__name__, COMMANDS, name="sessions", help="See conversations.")
