"""What the `docs` commands have in common: ids, also from a pipe, and texts from files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agentctl.cli.stdin import read_stdin

if TYPE_CHECKING:
    from agentctl.app import App

F = TypeVar("F", bound=Callable[..., Any])


def ids_argument(function: F) -> F:
    """`ID...`, where `-` stands for those on stdin; at least one."""
    return click.argument("given", nargs=-1, required=True, metavar="ID...")(function)


def read_ids(app: App, given: Sequence[str]) -> list[str]:
    """The ids that were given; for `-` the first word of each line on stdin."""
    ids: list[str] = []
    for each in given:
        if each == "-":
            # Not splitlines(): other line ends may stand in a summary, and no word of one is an id.
            lines = read_stdin(app.streams.stdin).split("\n")
            ids += [line.split()[0] for line in lines if line.strip()]
        else:
            ids.append(each)
    if not ids:
        app.streams.note("no ids on stdin, nothing to do")
    return ids


def read_source(app: App, source: str) -> str:
    """The text of a file, or of stdin for `-`."""
    return read_stdin(app.streams.stdin) if source == "-" else app.docs.read_text(source)
