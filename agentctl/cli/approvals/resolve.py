"""`agentctl approvals resolve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.approvals.answer import finish
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl approvals resolve ap_mx2k1c0p_4f7k2m9q --ran --result "the mail is in the outbox"
  agentctl approvals resolve 4f7k2m9q --did-not-run"""


@click.command("resolve", cls=Command, epilog=EXAMPLES)
@click.argument("given", metavar="ID")
@click.option("--ran/--did-not-run", default=None, help="Whether it ran; one that did not is run again.")
@click.option("--result", metavar="TEXT", help="With --ran: what came of it, for the model.")
@pass_app
def command(app: App, given: str, ran: bool | None, result: str | None) -> int:
    """Say whether a call ran whose process died.

    Look first: nobody but you can know. The run goes on with agentctl resume.
    """
    if ran is None:
        raise click.UsageError("say --ran or --did-not-run")
    if result is not None and not ran:
        raise click.UsageError("--result goes with --ran")
    chosen = app.approvals.choose([given], None)
    app.approvals.answer(chosen, "ran" if ran else "not_run", "approvals resolve", result)
    return finish(app, "resolved", chosen, None, "text", final=False)
