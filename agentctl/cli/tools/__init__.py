"""`agentctl tools`: what agents can be given."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "list": "List the declared tools.",
    "show": "Show one tool, with the schema that models see.",
}

command = Group(__name__, COMMANDS, name="tools", help="See the tools.")
