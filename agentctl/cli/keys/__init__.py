"""`agentctl keys`: keys in a file that only you can read."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "delete": "Forget keys.",
    "list": "List the names of the keys that are kept, and who uses them.",
    "set": "Keep a key for a provider.",
}

command = Group(__name__, COMMANDS, name="keys", help="Keep keys in a file that only you can read.")
