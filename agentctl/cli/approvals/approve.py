"""`agentctl approvals approve`."""

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
  agentctl approvals approve ap_mx2k1c0p_4f7k2m9q --resume
  agentctl approvals approve 4f7k2m9q --edit
  agentctl approvals approve --all --session as_mx2k1b3a_9d2h5t0x --resume
  agentctl approvals list --status pending -o ids | agentctl approvals approve -"""


@click.command("approve", cls=Command, epilog=EXAMPLES)
@choice_options
@click.option("--edit", is_flag=True, help="Change the arguments in $EDITOR first; for one call.")
@resume_options
@pass_app
def command(
    app: App,
    ids: tuple[str, ...],
    everything: bool,
    session: str | None,
    edit: bool,
    resume: bool,
    final: bool,
    output_format: str,
) -> int:
    """Allow calls that wait.

    All of them or none: one that was answered already, has expired or is used up ends this with exit 10.
    Allowed is the very call that was asked about. Where the tool or its settings changed since, the run asks
    again; where a deny rule came since, it denies the call. ID is a whole id or 8 characters or more of it,
    - reads ids from stdin.
    """
    check_format(output_format, final=final, resume=resume)
    chosen = choose(app, ids, session, everything=everything)
    if edit and len(chosen) > 1:
        raise click.UsageError("--edit takes one call at a time")
    run_id = app.approvals.require_one_run(chosen) if resume else None
    how = "approvals approve --edit" if edit else "approvals approve"
    if edit:
        chosen = [app.approval_edit.edit(chosen[0])]
    app.approvals.answer(chosen, "approved", how)
    return finish(app, "approved", chosen, run_id, output_format, final=final)
