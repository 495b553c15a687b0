"""`agentctl policy explain`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from agentctl.app.policy_shown import show_explanation
from agentctl.app.tool_arguments import read_pairs
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, split_pairs

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl policy explain coder fetch_md --arg url=https://docs.python.org/3/
  agentctl policy explain default calculator -o json"""


@click.command("explain", cls=Command, epilog=EXAMPLES)
@click.argument("agent")
@click.argument("tool")
@click.option(
    "--arg", "pairs", multiple=True, metavar="NAME=VALUE", help="An argument; may be given once for each."
)
@format_option
@pass_app
def command(app: App, agent: str, tool: str, pairs: tuple[str, ...], output_format: str | None) -> None:
    """Say what decides on a tool call, and where it stands.

    Every part of the order with what it says of a call of TOOL by AGENT with these arguments; the first that
    says something decides. Nothing runs and no grant is used up. What hangs on a session (its answers, what
    it holds) is left out.
    """
    named = list(split_pairs(pairs))

    def given(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
        return read_pairs(named, schema)

    app.provide_defaults()
    show_explanation(app.output(output_format), app.policy.explain(agent, tool, given))
