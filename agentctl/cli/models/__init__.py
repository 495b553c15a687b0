"""`agentctl models`: what can answer."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "create": "Declare a model by hand.",
    "default": "Set the model for everybody where nothing else names one.",
    "delete": "Remove models that were declared by hand.",
    "list": "List the declared and embedded models.",
    "prefer": "Set the model that you want where a conversation names none.",
    "pull": "Fetch an embedded model, after saying how large it is.",
    "resolve": "Say which model an agent gets, and why.",
    "rm": "Remove embedded models from this machine.",
    "show": "Show one model and the provider behind it.",
    "test": "Ask a model twice, to see whether it answers, streams, calls tools and counts.",
    "update": "Change a model that was declared by hand.",
}

command = Group(__name__, COMMANDS, name="models", help="See, choose, test and fetch models.")
