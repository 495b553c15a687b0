"""`agentctl tools update`."""

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
  agentctl tools update quick --config timeout=5 --no-needs-approval
  agentctl tools update quick --unset config.timeout --unset description"""


@click.command("update", cls=Command, epilog=EXAMPLES)
@click.argument("slug")
@field_options
@click.option("--unset", multiple=True, metavar="FIELD", help="Take away this field, or config.KEY.")
@format_option
@pass_app
def command(app: App, /, slug: str, unset: tuple[str, ...], output_format: str | None, **given: Any) -> None:
    """Change a tool that no file declares.

    Those are the built-in ones and those that were made with a command; what a file declares is changed
    there. Only what is given changes; the config is merged key by key.
    """
    fields = read_fields(**given)
    if not fields and not unset:
        raise click.UsageError("nothing to change: give an option")
    app.tool_edits.update(slug, fields, unset)
    show_one(app.output(output_format), app.tool_views.describe(slug, None), "parameters")
