"""`agentctl validate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import files_option

if TYPE_CHECKING:
    from agentctl.app import App


@click.command("validate", cls=Command, epilog="Example:\n  agentctl validate -f agents.yaml -f tools/")
@files_option
@pass_app
def command(app: App, files: tuple[str, ...]) -> None:
    """Check the YAML files.

    Every problem is listed as file:line:column: message; exit 5 when there is one. Nothing is written.
    """
    declared = app.control.read(files)
    counts = ", ".join(
        f"{len(getattr(declared, noun))} {noun}" for noun in ("agents", "tools", "models", "providers")
    )
    app.output().text(f"valid: {counts}")
