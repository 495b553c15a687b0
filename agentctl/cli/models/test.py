"""`agentctl models test`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.model_views import show_test
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import Seconds, format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl models test openai/gpt-4.1-mini
  agentctl models test local/smollm2-135m -o json"""


@click.command("test", cls=Command, epilog=EXAMPLES)
@click.argument("model")
@click.option(
    "--timeout", type=Seconds(), default=120.0, metavar="SECONDS", help="For each request (default 120)."
)
@format_option
@pass_app
def command(app: App, model: str, timeout: float, output_format: str | None) -> int:
    """Ask a model twice, to see whether it answers, streams, calls tools and counts.

    Two requests of a few words, the second only where the first was answered. The exit code is that of the
    fault that there was; what a model answers without (a `no`) is none.
    """
    return show_test(app.output(output_format), app.model_test.run(app.models.find(model), timeout))
