"""The root of the command line."""

from __future__ import annotations

import click

from agentctl import __version__
from agentctl.cli import COMMANDS
from agentctl.cli.group import Group

EXAMPLES = """\
Examples:
  agentctl chat "What is 37*91? Use the calculator."
  git diff | agentctl chat coder "review this"
  agentctl chat -c "and in German?"
  agentctl plan && agentctl apply --yes
  agentctl sessions list -o json"""


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"agentctl {__version__}")
        context.exit()


VERSION = click.Option(
    ["--version"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)

root = Group(
    "agentctl.cli",
    COMMANDS,
    name="agentctl",
    help="Agents in YAML, kept in SQLite, run from any shell.",
    epilog=EXAMPLES,
    params=[VERSION],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
