"""`agentctl tools run`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from agentctl.app.tool_arguments import read_object, read_pairs
from agentctl.app.tool_shown import show_result
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import approval_flags, split_pairs
from agentctl.cli.stdin import read_stdin

if TYPE_CHECKING:
    from agentctl.app import App
    from agentctl.domain.question import OnApproval

EXAMPLES = """\
Examples:
  agentctl tools run calculator --arg expression='37*91'
  agentctl tools run uuid --json '{"version": "7", "count": 3}' -o json
  agentctl tools run json_formatter --json - <arguments.json"""


@click.command("run", cls=Command, epilog=EXAMPLES)
@click.argument("slug")
@click.option(
    "--arg", "pairs", multiple=True, metavar="NAME=VALUE", help="An argument; may be given once for each."
)
@click.option("--json", "document", metavar="JSON", help="All arguments as a JSON object; - reads stdin.")
@click.option("--agent", metavar="AGENT", help="As this agent has it: with its config and its approval.")
@click.option("--yes", is_flag=True, help="Allow the call where it would need approval.")
@approval_flags
@click.option(
    "-o",
    "--format",
    "output_format",
    type=click.Choice(("text", "json")),
    help="text: the data (default). json: the whole result, also of a call that failed or was denied.",
)
@pass_app
def command(
    app: App,
    /,
    slug: str,
    pairs: tuple[str, ...],
    document: str | None,
    agent: str | None,
    yes: bool,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
    on_approval: OnApproval | None,
    output_format: str | None,
) -> None:
    """Run a tool exactly as an agent would.

    With the same checks, rules, question and limits, and nothing is kept of it: where a run would pause, the
    call is denied. Exit codes: 0 done, 2 wrong arguments, 3 denied or nobody could be asked, 5 not ready, 6
    no such tool, 15 the tool failed.
    """
    if pairs and document is not None:
        raise click.UsageError("give the arguments with --arg or with --json, not both")
    named = list(split_pairs(pairs))
    whole = None if document is None else read_object(_text(app, document))

    def given(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
        return read_pairs(named, schema) if whole is None else (whole, [])

    app.provide_defaults()
    ran = app.tool_run.run(
        slug, given, agent=agent, approve=yes, allow=allow, deny=deny, on_approval=on_approval or "ask"
    )
    for note in ran.notes:
        app.streams.note(note)
    show_result(app.output(output_format), ran.result)
    if ran.error:
        raise ran.error


def _text(app: App, document: str) -> str:
    return read_stdin(app.streams.stdin) if document == "-" else document
