"""What consents to something in a person's name, and is refused to programs that a tool has started."""

from __future__ import annotations

import click

from agentctl.errors import PolicyDenied

# Whole groups and single commands; what changes tools, agents or providers would allow the next call.
COMMANDS = frozenset(
    {
        "apply",
        "approvals",
        *(f"docs {verb}" for verb in ("import", "pin", "share")),
        "keys",
        "rollback",
        *(
            f"{noun} {verb}"
            for noun in ("agents", "providers", "tools")
            for verb in ("create", "edit", "update")
        ),
        *(f"tools {verb}" for verb in ("delete", "disable", "enable")),
    }
)
FLAGS = {"allow": "--allow", "yes": "--yes"}


def refuse_consent(context: click.Context) -> None:
    """Raise PolicyDenied for a command or flag that consents; only called inside a tool."""
    words = context.command_path.split()[1:]
    found = next((name for name in (" ".join(words[:2]), *words[:1]) if name in COMMANDS), None)
    if found is None:
        found = next((flag for name, flag in FLAGS.items() if context.params.get(name)), None)
    if found is not None:
        raise PolicyDenied(
            f"{found} is refused to programs that a tool has started",
            hint="A person has to do that, in a shell of their own.",
        )
