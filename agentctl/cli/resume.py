"""`agentctl resume`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from agentctl.cli.chat.flags import limit_flags, result_format
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.domain.limits import Limits

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl resume @last
  agentctl resume ar_mx2k1c0p -o json
  agentctl runs list --status interrupted -o ids | xargs -n 1 agentctl resume"""


@click.command("resume", cls=Command, epilog=EXAMPLES)
@click.argument("run", metavar="RUN")
@limit_flags
@click.option("--deny", multiple=True, metavar="RULE", help="Deny calls, besides what the run denies itself.")
@click.option("--final", is_flag=True, help="Print the last message only.")
@result_format
@pass_app
def command(
    app: App,
    /,
    run: str,
    max_steps: int | None,
    deny: tuple[str, ...],
    final: bool,
    output_format: str,
    **limits: Any,
) -> int:
    """Go on with a run where it stopped.

    RUN is an id, a part of one, or @last. No step that the model has answered is asked for again, and no tool
    call that has a result runs again. The run keeps its folder, flags and limits, which can only be tightened
    here; --yes is not among them. Calls that wait for approval are asked about on a terminal; else it pauses
    again (exit 4).
    """
    chosen = Limits(**{each.name: limits[each.name] for each in fields(Limits)})
    result = app.resume(run, output_format, final=final, deny=deny, limits=chosen, max_steps=max_steps)
    return int(result["exit_code"])
