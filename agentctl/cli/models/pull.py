"""`agentctl models pull`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl models pull
  agentctl models pull smollm2-135m
  agentctl models pull --from ~/Downloads/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf
  agentctl models pull https://models.example/small.gguf --sha256 HEX
  agentctl models pull ./small.gguf          then: agentctl chat -m local/small"""


@click.command("pull", cls=Command, epilog=EXAMPLES)
@click.argument("name", required=False, metavar="[NAME|URL|PATH]")
@click.option(
    "--from", "source", type=click.Path(path_type=Path), metavar="FILE", help="Take NAME from this file."
)
@click.option("--sha256", metavar="HEX", help="What the file at URL or PATH must be.")
@pass_app
def command(app: App, name: str | None, source: Path | None, sha256: str | None) -> None:
    """Fetch an embedded model, after saying how large it is.

    Without NAME the default one. It is kept in the cache folder, checked against its hash, and fetched once.
    A GGUF file at a URL (https) or PATH is kept under its own name: -m local/NAME asks it, without .gguf.
    """
    path = app.embedded.pull(name, source, sha256)
    app.streams.note(f"ready: {path}")
