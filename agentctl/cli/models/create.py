"""`agentctl models create`."""

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
  agentctl models create fast --provider openai --name gpt-4.1-mini
  agentctl models create mine --provider ollama --name qwen3:8b --context-window 32768 --private"""


@click.command("create", cls=Command, epilog=EXAMPLES)
@click.argument("slug")
@click.option("--provider", required=True, metavar="PROVIDER", help="The provider that serves it.")
@fact_options
@private_option
@format_option
@pass_app
def command(
    app: App, /, slug: str, provider: str, private: bool, output_format: str | None, **facts: Any
) -> None:
    """Declare a model by hand.

    The rules are those of `models:` in YAML; what is left out is as the catalogue says.
    """
    app.model_edits(private=private).create(slug, {"provider": provider, **read_facts(facts)})
    app.output(output_format).one(app.models.describe(slug))
