"""`agentctl keys set`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl keys set openai
  pass show openai | agentctl keys set openai"""


@click.command("set", cls=Command, epilog=EXAMPLES)
@click.argument("name")
@pass_app
def command(app: App, name: str) -> None:
    """Keep a key for a provider.

    NAME is the provider's slug, or what headers call it: {key: NAME}. The key is the first line of stdin
    where that is a pipe or a file; else you are asked, and what you type is not shown. It is kept in
    keys.json (mode 0600) of AGENTCTL_HOME and sent to the place that the provider has now, nowhere else.
    """
    app.keys.set(name)
