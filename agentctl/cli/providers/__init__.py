"""`agentctl providers`: where requests go."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "create": "Add a provider, for everybody or for yourself alone.",
    "delete": "Delete providers that were made by hand.",
    "list": "List the providers that can be asked, and whether their keys are there.",
    "show": "Show one provider, and where its key comes from.",
    "update": "Change a provider that was made by hand.",
}

command = Group(__name__, COMMANDS, name="providers", help="See and change where requests go.")
