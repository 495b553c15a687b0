"""`agentctl export`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App


@click.command(
    "export", cls=Command, epilog="Examples:\n  agentctl export > all.yaml\n  agentctl export --dir ."
)
@click.option(
    "--dir", "folder", metavar="DIR", type=click.Path(), help="Write agents.yaml and tools.yaml there."
)
@click.option("--force", is_flag=True, help="With --dir: overwrite files that are there.")
@pass_app
def command(app: App, folder: str | None, force: bool) -> None:
    """Print the database's agents, tools, models and providers as YAML.

    Applying what was exported changes nothing.
    """
    if folder is None:
        app.output().text(app.control.export())
        return
    paths = app.control.export_files(folder, replace_files=force)
    app.output().text("\n".join(str(path) for path in paths))
