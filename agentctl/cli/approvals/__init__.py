"""`agentctl approvals`: calls that wait for a person, and what persons allow ahead of time."""

from __future__ import annotations

from agentctl.cli.group import Group

COMMANDS = {
    "approve": "Allow calls that wait.",
    "audit": "See who decided what about tool calls, or check that nothing of it was changed.",
    "cleanup": "Close questions that nobody can answer any more.",
    "deny": "Deny calls that wait.",
    "grant": "Allow calls ahead of time, for runs that nobody watches.",
    "grants": "List what was allowed ahead of time.",
    "list": "List the calls that wait for a person, and those that did.",
    "resolve": "Say whether a call ran whose process died.",
    "revoke": "Take grants back.",
    "show": "Show one call whole, and who decided on it.",
}

command = Group(__name__, COMMANDS, name="approvals", help="Answer calls that wait for a person.")
