"""The command line: this folder is its first word, and one line here makes a command known."""

from __future__ import annotations

# One line per command: the module of the same name holds it, and is imported when it runs.
COMMANDS = {
    "agents": "See the agents.",
    "apply": "Make the database match the YAML files.",
    "approvals": "Answer calls that wait for a person.",
    "attach": "Watch a run, from its beginning to its end.",
    "chat": "Talk to an agent: one question, a pipe, or a conversation.",
    "docs": "Keep, find, change and share documents.",
    "doctor": "Look for what is wrong, and say how to mend it.",
    "export": "Print the database's agents, tools, models and providers as YAML.",
    "init": "Write a commented agents.yaml and tools.yaml to start from.",
    "keys": "Keep keys in a file that only you can read.",
    "models": "See, choose, test and fetch models.",
    "plan": "Show what apply would change.",
    "policy": "See what decides on tool calls.",
    "providers": "See and change where requests go.",
    "resume": "Go on with a run where it stopped.",
    "runs": "See what happened.",
    "sessions": "See conversations.",
    "stop": "End a run from any process.",
    "tools": "See, run and change the tools.",
    "usage": "See what requests used and what they cost.",
    "validate": "Check the YAML files.",
}
