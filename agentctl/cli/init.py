"""`agentctl init`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App


@click.command("init", cls=Command, epilog="Example:\n  agentctl init && agentctl apply")
@click.argument("folder", default=".", metavar="[DIR]", type=click.Path())
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
@pass_app
def command(app: App, folder: str, force: bool) -> None:
    """Write a commented agents.yaml and tools.yaml to start from.

    Their first line tells editors where the JSON Schema is, so that they complete and check keys.
    """
    paths = app.control.write_templates(folder, replace_files=force)
    app.output().text("\n".join(str(path) for path in paths))
