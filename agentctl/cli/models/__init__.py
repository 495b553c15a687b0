"""`agentctl models`: what can answer."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "list": "List the declared and embedded models.",
    "pull": "Fetch an embedded model, after saying how large it is.",
    "show": "Show one model and the provider behind it.",
}

command = Group(__name__, COMMANDS, name="models", help="See the models, and fetch the embedded one.")
