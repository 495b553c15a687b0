"""`agentctl sessions messages`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option
from agentctl.domain.ids import rfc3339
from agentctl.domain.message import Message, ToolOutput
from agentctl.domain.parts import part_as_dict

if TYPE_CHECKING:
    from agentctl.app import App

COLUMNS = ("id", "role", "status", "text", "created_at")


def row(message: Message) -> dict[str, Any]:
    """A message as a row; tool results have no id of their own, files stand behind the text by name."""
    outputs = [part.text for part in message.parts if isinstance(part, ToolOutput)]
    files = [f"[{file.name}]" for file in message.files]
    return {
        "id": message.id or None,
        "role": message.role,
        "status": message.status,
        "text": "\n".join([message.text or "\n".join(outputs), *files]),
        "created_at": rfc3339(message.created_at) if message.created_at else None,
        "parts": [part_as_dict(part) for part in message.parts],
        "finish": message.finish,
        "model": message.origin,
        "usage": message.usage.as_dict() if message.usage else None,
        "cost_usd": message.cost_usd,
    }


@click.command("messages", cls=Command, epilog="Example:\n  agentctl sessions messages @last -o json")
@click.argument("session", default="@last")
@format_option
@pass_app
def command(app: App, session: str, output_format: str | None) -> None:
    """Show what was said in a session.

    SESSION is an id, 4 or more characters of its start or end, or @last (the default). The status of a
    message that was cut short says what cut it: aborted, interrupted or failed.
    """
    found = app.store.sessions.find(app.user.id, session)
    messages = app.store.messages.history(found.id)
    if output_format is None and app.streams.stdout_is_terminal:
        app.screen.show_transcript(messages)
        return
    app.output(output_format).rows(map(row, messages), COLUMNS)
