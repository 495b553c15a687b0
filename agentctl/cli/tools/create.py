"""`agentctl tools create`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentctl.app.tool_shown import show_one
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option
from agentctl.cli.tools.fields import field_options, read_fields

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl tools create quick --type calculator --config timeout=2
  agentctl tools create ids --type uuid --description "Makes ids." --needs-approval
  agentctl tools create intranet --type fetch --config mode=markdown --config allow_private=true
  agentctl tools create status --type command --config '{"argv": ["git", "status", "--short"]}'"""


@click.command("create", cls=Command, epilog=EXAMPLES)
@click.argument("slug")
@click.option("--type", required=True, metavar="TYPE", help="What it does; see agentctl tools types.")
@field_options
@format_option
@pass_app
def command(app: App, /, slug: str, output_format: str | None, **given: Any) -> None:
    """Make a tool without a file.

    The rules are those of `tools:` in YAML; agentctl tools types TYPE lists the settings. No apply touches
    the tool; agents in YAML may name it.
    """
    app.tool_edits.create(slug, read_fields(**given))
    show_one(app.output(output_format), app.tool_views.describe(slug, None), "parameters")
