"""`agentctl providers update`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option, private_option
from agentctl.cli.providers.fields import KINDS, field_options, read_fields

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl providers update work --base-url https://new.example.com/v1
  agentctl providers update work --header X-Team=blue --unset headers.X-Old --unset api_key_env"""


@click.command("update", cls=Command, epilog=EXAMPLES)
@click.argument("slug")
@click.option("--kind", metavar="KIND", help=KINDS)
@field_options
@click.option(
    "--unset", multiple=True, metavar="FIELD", help="Take away this field, headers.NAME or options.KEY."
)
@private_option
@format_option
@pass_app
def command(
    app: App, /, slug: str, unset: tuple[str, ...], private: bool, output_format: str | None, **given: Any
) -> None:
    """Change a provider that was made by hand.

    Only what is given changes; headers and options are merged by name. One that a file declares is changed
    there.
    """
    fields = read_fields(**given)
    if not fields and not unset:
        raise click.UsageError("nothing to change was given")
    for note in app.provider_edits.update(slug, fields, unset, private=private):
        app.streams.note(f"note: {note}")
    app.output(output_format).one(app.providers.show(slug))
