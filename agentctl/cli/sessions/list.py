"""`agentctl sessions list`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, page_options
from agentctl.domain.ids import rfc3339

if TYPE_CHECKING:
    from agentctl.app import App
    from agentctl.domain.session import Session

COLUMNS = ("id", "agent", "title", "last_active_at")


def row(session: Session) -> dict[str, Any]:
    """A session as a row; an untitled one shows the start of its first message."""
    preview = (session.preview or "").split("\n")[0]
    return {
        "id": session.id,
        "agent": session.agent,
        "title": session.title if session.title is not None else preview or None,
        "last_active_at": rfc3339(session.last_active_at),
    }


@click.command("list", cls=Command, epilog="Example:\n  agentctl sessions list --agent coder -o json")
@click.option("--agent", metavar="SLUG", help="Only sessions with this agent.")
@format_option
@page_options
@pass_app
def command(app: App, agent: str | None, output_format: str | None, limit: int | None, page: int) -> None:
    """List your sessions, newest activity first."""

    def fetch(size: int, offset: int) -> Any:
        return map(row, app.store.sessions.list(app.user.id, agent=agent, limit=size, offset=offset))

    app.output(output_format).page(fetch, COLUMNS, limit=limit, page=page)
