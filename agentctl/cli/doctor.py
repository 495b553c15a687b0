"""`agentctl doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import format_option
from agentctl.errors import ConfigError

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl doctor
  agentctl doctor -o csv > report.csv || mail -s "agentctl: a problem" ops@example.com < report.csv"""

COLUMNS = ("check", "status", "detail", "repair")


@click.command("doctor", cls=Command, epilog=EXAMPLES)
@format_option
@pass_app
def command(app: App, output_format: str | None) -> None:
    """Look for what is wrong, and say how to mend it.

    Looked at are the installation, the database, keys (there or not), providers (asked without a key), the
    embedded model, and whether the YAML files of this folder are what the database holds. Nothing is
    changed. Exit 5 where a problem was found.
    """
    findings = list(app.examine())
    rows = [{name: getattr(finding, name) for name in COLUMNS} for finding in findings]
    app.output(output_format).rows(rows, COLUMNS)
    ill = [finding for finding in findings if finding.status == "problem"]
    if ill:
        raise ConfigError(
            f"{len(ill)} of {len(findings)} checks found a problem: {', '.join(each.check for each in ill)}",
            hint=f"{ill[0].repair}" if len(ill) == 1 else "The last column says how to mend each.",
        )
