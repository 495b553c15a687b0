"""`agentctl approvals deny`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.approvals.answer import (
    check_format,
    choice_options,
    choose,
    finish,
    resume_options,
)
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl approvals deny ap_mx2k1c0p_4f7k2m9q --reason "use the staging host"
  agentctl approvals deny --all --session as_mx2k1b3a_9d2h5t0x --resume"""


@click.command("deny", cls=Command, epilog=EXAMPLES)
@choice_options
@click.option("--reason", metavar="TEXT", help="What the model is told.")
@resume_options
@pass_app
def command(
    app: App,
    ids: tuple[str, ...],
    everything: bool,
    session: str | None,
    reason: str | None,
    resume: bool,
    final: bool,
    output_format: str,
) -> int:
    """Deny calls that wait.

    All of them or none: one that was answered already or has expired ends this with exit 10. The model reads
    that the user denied the call, and why. ID is a whole id or 8 characters or more of it, - reads ids
    from stdin.
    """
    check_format(output_format, final=final, resume=resume)
    chosen = choose(app, ids, session, everything=everything)
    run_id = app.approvals.require_one_run(chosen) if resume else None
    app.approvals.answer(chosen, "denied", "approvals deny", reason)
    return finish(app, "denied", chosen, run_id, output_format, final=final)
