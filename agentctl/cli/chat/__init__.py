"""`agentctl chat`: one question, a pipe, or a conversation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from agentctl.cli.chat.stdin import with_piped
from agentctl.cli.chat.words import split_words
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app
from agentctl.cli.options import Seconds
from agentctl.domain.chat import ChatRequest
from agentctl.domain.limits import Limits

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl chat "What is 37*91? Use the calculator."
  agentctl chat coder "Explain this error" < build.log
  git diff | agentctl chat coder "review this" -o json
  agentctl chat -c "and in German?"          go on with the newest session
  agentctl chat                              a conversation, on a terminal"""


@click.command("chat", cls=Command, epilog=EXAMPLES)
@click.argument("words", nargs=-1, metavar="[AGENT] [PROMPT]...")
@click.option("-c", "--continue", "follow", is_flag=True, help="Go on with the newest session.")
@click.option("-s", "--session", metavar="ID", help="Go on with this session (@last: the newest).")
@click.option("-m", "--model", metavar="MODEL", help="A declared model, or provider/model (AGENTCTL_MODEL).")
@click.option("--system", metavar="TEXT", help="Another system prompt, for this run.")
@click.option("--tools/--no-tools", default=None, help="With or without tools, for this run.")
@click.option("--thinking/--no-thinking", default=None, help="With or without thinking, for this run.")
@click.option(
    "--max-steps", type=click.IntRange(1), metavar="N", help="Model requests at most, for this run."
)
@click.option(
    "--timeout",
    type=Seconds(),
    metavar="SECONDS",
    help="End the run then (exit 124).",
)
@click.option("--yes", is_flag=True, help="Allow every tool call that would ask.")
@click.option("--final", is_flag=True, help="Print the last message only.")
@click.option(
    "--stdin/--no-stdin", "read_stdin", default=None, help="Wait for the end of stdin, or never read it."
)
@click.option(
    "-o",
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "stream-json"]),
    default="text",
    help="Text, one result object, or one event a line.",
)
@pass_app
def command(
    app: App,
    words: tuple[str, ...],
    follow: bool,
    session: str | None,
    model: str | None,
    system: str | None,
    tools: bool | None,
    thinking: bool | None,
    max_steps: int | None,
    timeout: float | None,
    yes: bool,
    final: bool,
    read_stdin: bool | None,
    output_format: str,
) -> int:
    """Talk to an agent: one question, a pipe, or a conversation.

    The first word is the agent where it is the slug of one; everything else is the prompt, and without an
    agent the default one answers. `-` as the prompt reads it from stdin; other piped input is put behind
    the prompt. stdout is the answer and nothing else.
    """
    if follow and session:
        raise click.UsageError("-c and -s exclude each other")
    app.provide_defaults()
    agent, prompt = split_words(words, in_session=bool(follow or session))
    request = ChatRequest(
        prompt="",
        user=app.config.user,
        cwd=app.config.cwd,
        agent=agent,
        session=session,
        follow=follow,
        model=model or app.config.model,
        system=system,
        tools=tools,
        thinking=thinking,
        max_steps=max_steps,
        limits=Limits(timeout=timeout),
        approve_all=yes,
    )
    if agent is not None:
        app.require_agent(agent)
    if not words[1 if agent else 0 :] and app.is_interactive and read_stdin is None:
        from agentctl.cli.chat.repl import converse

        return converse(app, request, output_format)
    prompt, warning = with_piped(prompt, app.streams.stdin, read_stdin)
    request = replace(request, prompt=prompt, warnings=(warning,) if warning else ())
    return int(app.converse(request, app.renderer(output_format, final=final))["exit_code"])
