"""The flags of `agentctl chat`, and the request that they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agentctl.cli.options import Dollars, Seconds
from agentctl.domain.chat import ChatRequest
from agentctl.domain.limits import Limits

if TYPE_CHECKING:
    from agentctl.app import App

F = TypeVar("F", bound=Callable[..., Any])

_COUNT = click.IntRange(1)
_USD = Dollars()
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
    click.option("--yes", is_flag=True, help="Allow every tool call that would ask."),
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
    click.option(
        "-o",
        "--format",
        "output_format",
        type=click.Choice(["text", "json", "stream-json"]),
        default="text",
        help="Text, one result object, or one event a line.",
    ),
)


def chat_flags(command: F) -> F:
    """All flags of `chat`, in the order in which the help lists them."""
    for flag in reversed(FLAGS):
        command = flag(command)
    return command


def check_flags(flags: Mapping[str, Any]) -> None:
    """Raise click.UsageError for flags that cannot stand together."""
    if flags["follow"] and flags["session"]:
        raise click.UsageError("-c and -s exclude each other")
    if flags["record"] and flags["replay"]:
        raise click.UsageError("--record and --replay exclude each other")
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
    )
