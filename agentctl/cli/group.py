"""Groups that import a subcommand only when it runs, and commands that take the global flags anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from agentctl.cli.invocation import invocation_of
from agentctl.errors import did_you_mean

GLOBAL_FLAGS: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (("--db",), {"metavar": "FILE", "help": "The database file (AGENTCTL_DB)."}),
    (("--user",), {"metavar": "NAME", "help": "Act for this user (AGENTCTL_USER; default: login name)."}),
    (("--no-input",), {"is_flag": True, "help": "Never ask a question."}),
    (("--plain",), {"is_flag": True, "help": "No colour, no decoration."}),
    (("--quiet",), {"is_flag": True, "help": "Only errors on stderr."}),
    (("--debug",), {"is_flag": True, "help": "Show the traceback of an error."}),
    (("--log-file",), {"metavar": "FILE", "help": "Add what happens to this file, as JSON lines."}),
)


def _remember(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    source = context.get_parameter_source(str(parameter.name))
    if source is click.core.ParameterSource.COMMANDLINE:
        invocation_of(context).flags[str(parameter.name)] = value
    return value


def global_options(*, hidden: bool) -> list[click.Parameter]:
    """The global flags as options that remember what they were given."""
    return [
        click.Option(names, expose_value=False, callback=_remember, hidden=hidden, is_eager=True, **details)
        for names, details in GLOBAL_FLAGS
    ]


class WithExamples(click.Command):
    """A command or group whose epilog, the examples, is kept as it is written."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples."""
        if self.epilog:
            formatter.write(f"\n{self.epilog}\n")


class Command(WithExamples):
    """A command that takes the global flags among its own."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters and the global flags, which only the root's help lists."""
        return [*super().get_params(ctx), *global_options(hidden=True)]


class Group(WithExamples, click.Group):
    """A group whose table says what it holds: name -> first line of help."""

    def __init__(self, package: str, table: Mapping[str, str], **attributes: Any) -> None:
        super().__init__(**attributes)
        self._package = package
        self._table = table

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The global flags: in sight at the root, hidden below it."""
        return [*super().get_params(ctx), *global_options(hidden=ctx.parent is not None)]

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the table."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of that name and take its command."""
        if cmd_name not in self._table:
            return None
        command: click.Command = import_module(f"{self._package}.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it, with a suggestion for an unknown word."""
        if args and not args[0].startswith("-") and args[0] not in self._table:
            raise click.UsageError(f'no command "{args[0]}"{did_you_mean(args[0], self._table)}', ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table, without importing what it names."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._table.items()))
