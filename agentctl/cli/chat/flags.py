"""The flags of `agentctl chat`, and the request that they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agentctl.cli.options import APPROVAL_FLAGS, Dollars, Seconds
from agentctl.domain.chat import ChatRequest
from agentctl.domain.limits import Limits

if TYPE_CHECKING:
    from agentctl.app import App

F = TypeVar("F", bound=Callable[..., Any])

_COUNT = click.IntRange(1)
_USD = Dollars()
_FORMAT = click.option(
    "-o",
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "stream-json"]),
    default="text",
    help="Text, one result object, or one event a line.",
)
LIMITS = (
    click.option("--max-steps", type=_COUNT, metavar="N", help="Model requests at most, for this run."),
    click.option(
        "--max-tool-calls", type=click.IntRange(0), metavar="N", help="Tool calls at most (exit 8)."
    ),
    click.option(
        "--max-output-tokens", type=_COUNT, metavar="N", help="Tokens of all answers at most (exit 8)."
    ),
    click.option("--max-cost", "max_cost_usd", type=_USD, metavar="USD", help="Cost of the run (exit 8)."),
    click.option(
        "--max-cost-per-day",
        "max_cost_usd_per_day",
        type=_USD,
        metavar="USD",
        help="Cost of the agent's UTC day, earlier runs included (exit 8).",
    ),
    click.option("--timeout", type=Seconds(), metavar="SECONDS", help="End the run then (exit 124)."),
)
FLAGS = (
    click.option("-c", "--continue", "follow", is_flag=True, help="Go on with the newest session."),
    click.option("-s", "--session", metavar="ID", help="Go on with this session (@last: the newest)."),
    click.option(
        "-m", "--model", metavar="MODEL", help="A declared model, or provider/model (AGENTCTL_MODEL)."
    ),
    click.option(
        "-a",
        "--attach",
        multiple=True,
        metavar="FILE|URL",
        help="Attach an image, a PDF or a text (- for stdin); may be repeated.",
    ),
    click.option("--system", metavar="TEXT", help="Another system prompt, for this run."),
    click.option("--tools/--no-tools", default=None, help="With or without tools, for this run."),
    click.option("--thinking/--no-thinking", default=None, help="With or without thinking, for this run."),
    click.option(
        "--schema",
        metavar="FILE|JSON|WORDS",
        help='Answer as JSON of this schema, e.g. "name, age int, tags list" (exit 9 if it does not).',
    ),
    *LIMITS,
    click.option("--yes", is_flag=True, help="Allow every tool call that would ask."),
    *APPROVAL_FLAGS,
    click.option("--wait", is_flag=True, help="Wait for a busy session instead of exit 10."),
    click.option("--fork", is_flag=True, help="Ask in a copy of the session that -c or -s names."),
    click.option(
        "--supersede", is_flag=True, help="Deny what waits for approval in the session, and ask anew."
    ),
    click.option(
        "--request-id",
        metavar="ID",
        help="Ask once: where this id was used before, that run is shown and nothing is sent.",
    ),
    click.option(
        "--detach", is_flag=True, help="Print the run's id and leave it running; attach watches it."
    ),
    click.option("--record", metavar="FILE", help="Keep requests, answers and tool results for --replay."),
    click.option("--replay", metavar="FILE", help="Answer from a recording: no network, key or tool."),
    click.option("--live-tools", is_flag=True, help="With --replay: run the tools all the same."),
    click.option("--final", is_flag=True, help="Print the last message only."),
    click.option(
        "--stdin/--no-stdin",
        "read_stdin",
        default=None,
        help="Wait for the end of stdin, or never read it.",
    ),
)


def chat_flags(command: F) -> F:
    """All flags of `chat`, in the order in which the help lists them."""
    return _give((*FLAGS, result_format), command)


def limit_flags(command: F) -> F:
    """The limits of a run."""
    return _give(LIMITS, command)


def result_format(command: F) -> F:
    """How a run is shown."""
    return _FORMAT(command)


def _give(flags: Sequence[Callable[[F], F]], command: F) -> F:
    for flag in reversed(flags):
        command = flag(command)
    return command


def check_flags(flags: Mapping[str, Any]) -> None:
    """Raise click.UsageError for flags that cannot stand together."""
    if flags["follow"] and flags["session"]:
        raise click.UsageError("-c and -s exclude each other")
    if flags["record"] and flags["replay"]:
        raise click.UsageError("--record and --replay exclude each other")
    if flags["fork"] and not (flags["follow"] or flags["session"]):
        raise click.UsageError("--fork goes with -c or -s")
    if flags["detach"] and (flags["record"] or flags["replay"]):
        raise click.UsageError("--detach excludes --record and --replay")
    if flags["request_id"] is not None and not flags["request_id"].strip():
        # An unset variable of a script would make all its requests the same one.
        raise click.UsageError("--request-id is empty")
    if flags["live_tools"] and not flags["replay"]:
        raise click.UsageError("--live-tools goes with --replay")


def make_request(app: App, agent: str | None, flags: dict[str, Any]) -> ChatRequest:
    """The request without its prompt. Raises UsageError for a schema that is none."""
    schema = flags["schema"]
    return ChatRequest(
        prompt="",
        user=app.config.user,
        cwd=app.config.cwd,
        agent=agent,
        session=flags["session"],
        follow=flags["follow"],
        model=flags["model"],
        system=flags["system"],
        tools=flags["tools"],
        thinking=flags["thinking"],
        max_steps=flags["max_steps"],
        limits=Limits(**{each.name: flags[each.name] for each in fields(Limits)}),
        schema=None if schema is None else app.read_schema(schema),
        approve_all=flags["yes"],
        record=flags["record"],
        replay=flags["replay"],
        live_tools=flags["live_tools"],
        allow=flags["allow"],
        deny=flags["deny"],
        on_approval=flags["on_approval"],
        request_id=flags["request_id"],
        wait=flags["wait"],
        fork=flags["fork"],
        supersede=flags["supersede"],
    )
