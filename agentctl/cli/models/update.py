"""`agentctl models update`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.models.fields import fact_options, read_facts
from agentctl.cli.options import format_option, private_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl models update fast --input-price 0.4 --output-price 1.6
  agentctl models update fast --unset input_price"""


@click.command("update", cls=Command, epilog=EXAMPLES)
@click.argument("slug")
@click.option("--provider", metavar="PROVIDER", help="The provider that serves it.")
@fact_options
@click.option("--unset", multiple=True, metavar="FIELD", help="Leave this field, or options.KEY, open again.")
@private_option
@format_option
@pass_app
def command(
    app: App,
    /,
    slug: str,
    provider: str | None,
    private: bool,
    unset: tuple[str, ...],
    output_format: str | None,
    **facts: Any,
) -> None:
    """Change a model that was declared by hand.

    Only what is given changes; options are merged by name. One that a file declares is changed there.
    """
    fields = read_facts({"provider": provider, **facts})
    if not fields and not unset:
        raise click.UsageError("nothing to change: give an option")
    app.model_edits(private=private).update(slug, fields, unset)
    app.output(output_format).one(app.models.describe(slug))
