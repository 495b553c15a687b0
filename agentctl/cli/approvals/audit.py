"""`agentctl approvals audit`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from agentctl.app.audit import audit_rows, verify_audit
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import Since, format_option, page_options

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl approvals audit --since 7d
  agentctl approvals audit -o jsonl > audit.jsonl
  agentctl approvals audit --verify --head 5f2d...e1"""
COLUMNS = (
    "seq",
    "created_at",
    "user",
    "os_user",
    "event",
    "decision",
    "by",
    "rule",
    "agent",
    "tool",
    "action",
    "run_id",
    "data",
    "previous",
    "hash",
)


@click.command("audit", cls=Command, epilog=EXAMPLES)
@click.option("--since", type=Since(), default=0, metavar="TIME", help="From then on: 7d, 12h, 2026-11-01.")
@click.option("--verify", is_flag=True, help="Check the whole chain (exit 5 where it does not hold).")
@click.option("--head", metavar="HASH", help="With --verify: the hash that --verify printed last time.")
@format_option
@page_options
@pass_app
def command(
    app: App,
    since: int,
    verify: bool,
    head: str | None,
    output_format: str | None,
    limit: int | None,
    page: int,
) -> None:
    """See who decided what about tool calls, or check that nothing of it was changed.

    Your own entries, oldest first; USER is who the caller said to be, OS_USER who the system says. Each entry
    carries the hash of the one before. --verify checks those of all users and prints how many there are and
    the hash of the last; keep that elsewhere and give it as --head, so that a cut-off end shows as well. This
    finds accidents and partial edits: whoever can write the file can rewrite all of it.
    """
    if head is not None and not verify:
        raise click.UsageError("--head goes with --verify")
    output = app.output(output_format)
    if verify:
        output.one(verify_audit(app.store, head))
        return
    rows = partial(audit_rows, app.store, app.config.user, since=since)
    output.page(lambda size, offset: rows(limit=size, offset=offset), COLUMNS, limit=limit, page=page)
