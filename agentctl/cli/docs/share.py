"""`agentctl docs share`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.app.docs_rows import changed
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl docs share 4f7k --with ann,bob
  agentctl docs share 4f7k --private"""


@click.command("share", cls=Command, epilog=EXAMPLES)
@click.argument("given", metavar="ID")
@click.option("--with", "names", metavar="USER,...", help="These users may read it, and nobody else.")
@click.option("--public", is_flag=True, help="Every user of this database may read it.")
@click.option("--private", is_flag=True, help="Nobody else may.")
@format_option
@pass_app
def command(
    app: App, given: str, names: str | None, public: bool, private: bool, output_format: str | None
) -> None:
    """Say who else may read a document.

    Nobody else can change it, or see its history. They find it with list --reach shared, or public.
    """
    if (names is not None) + public + private != 1:
        raise click.UsageError("give one of --with, --public and --private")
    if names is None:
        shared = app.docs.user.share(given, "public" if public else "private")
    else:
        readers = [name.strip() for name in names.split(",") if name.strip()]
        shared = app.docs.user.share(given, "shared", readers)
    app.output(output_format).one(changed(shared))
