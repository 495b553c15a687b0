"""`agentctl providers create`."""

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
  agentctl providers create work --kind openai --base-url https://llm.example.com/v1 --api-key-env WORK_KEY
  agentctl providers create mine --kind openai --base-url https://llm.example.com/v1 \\
      --api-key-cmd "pass show llm" --option temperature=0.2 --private
  agentctl providers create azure --kind openai --base-url https://me.example.com/openai/v1 \\
      --header api-key=key:azure"""


@click.command("create", cls=Command, epilog=EXAMPLES)
@click.argument("slug")
@click.option("--kind", required=True, metavar="KIND", help=KINDS)
@field_options
@private_option
@format_option
@pass_app
def command(app: App, /, slug: str, private: bool, output_format: str | None, **given: Any) -> None:
    """Add a provider, for everybody or for yourself alone.

    No apply touches it. Naming where a key comes from is the consent to send it to the base URL. A key is
    never given here: keep one with agentctl keys set SLUG.
    """
    for note in app.provider_edits.create({"slug": slug, **read_fields(**given)}, private=private):
        app.streams.note(f"note: {note}")
    app.output(output_format).one(app.providers.show(slug))
