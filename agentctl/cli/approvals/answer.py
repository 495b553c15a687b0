"""What the commands that answer have in common: which approvals they mean, and going on with the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agentctl.cli.chat.flags import result_format

if TYPE_CHECKING:
    from agentctl.app import App
    from agentctl.domain.approval import Approval

F = TypeVar("F", bound=Callable[..., Any])


def choice_options(function: F) -> F:
    """IDs, or `--all --session S`."""
    function = click.option(
        "--session", metavar="ID", help="The session of --all: its id, or 8 characters or more of it."
    )(function)
    function = click.option(
        "--all", "everything", is_flag=True, help="All calls of --session that wait for approval."
    )(function)
    return click.argument("ids", nargs=-1, metavar="ID...")(function)


def resume_options(function: F) -> F:
    """`--resume`, and how the run is shown then."""
    function = result_format(function)
    function = click.option("--final", is_flag=True, help="With --resume: print the last message only.")(
        function
    )
    return click.option(
        "--resume", is_flag=True, help="Then go on with the run, if nothing else of it waits."
    )(function)


def read_ids(app: App, given: Sequence[str]) -> list[str]:
    """The ids; `-` stands for those on stdin. Raises click.UsageError for none."""
    ids: list[str] = []
    for each in given:
        if each != "-":
            ids.append(each)
            continue
        from agentctl.cli.stdin import read_stdin

        ids += read_stdin(app.streams.stdin).split()
    if not ids:
        raise click.UsageError("no id is given" + (", and none came on stdin" if given else ""))
    return ids


def choose(app: App, ids: Sequence[str], session: str | None, *, everything: bool) -> list[Approval]:
    """What is meant. Raises click.UsageError for flags that cannot stand together."""
    if everything != (session is not None):
        raise click.UsageError("--all and --session go together")
    if everything and ids:
        raise click.UsageError("give ids, or --all --session ID")
    return app.approvals.choose([] if everything else read_ids(app, ids), session)


def check_format(output_format: str, *, final: bool, resume: bool) -> None:
    """Raise click.UsageError where a run is to be shown that is not gone on with."""
    if not resume and (output_format != "text" or final):
        raise click.UsageError("-o and --final go with --resume")


def finish(
    app: App, done: str, chosen: Sequence[Approval], run_id: str | None, output_format: str, *, final: bool
) -> int:
    """Say on stderr what was decided; then go on with the run `run_id`, or say how to.

    Returns the exit code. Raises Paused where the run waits for more.
    """
    for approval in chosen:
        action = f":{approval.action}" if approval.action else ""
        app.streams.note(f"{done} {approval.id}: {approval.tool}{action}")
    if run_id is None:
        for each in dict.fromkeys(approval.run_id for approval in chosen):
            app.streams.note(f"go on with agentctl resume {each}")
        return 0
    app.approvals.require_nothing_pending(run_id)
    result = app.resume(run_id, output_format, final=final)
    return int(result["exit_code"])
