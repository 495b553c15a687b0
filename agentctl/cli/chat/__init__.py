"""`agentctl chat`: one question, a pipe, or a conversation."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from agentctl.cli.chat.flags import chat_flags, check_flags, make_request
from agentctl.cli.chat.stdin import with_piped
from agentctl.cli.chat.words import split_words
from agentctl.cli.group import Command
from agentctl.cli.invocation import pass_app

if TYPE_CHECKING:
    from agentctl.app import App

EXAMPLES = """\
Examples:
  agentctl chat "What is 37*91? Use the calculator."
  agentctl chat coder "Explain this error" < build.log
  git diff | agentctl chat coder "review this" -o json
  agentctl chat -a plot.png "What does this show?" -m openai/gpt-4.1-mini
  agentctl chat "Who is it?" --schema "name, age int, tags list" < mail.txt
  agentctl chat -c "and in German?"          go on with the newest session
  agentctl chat coder "tidy up" --detach     leave it running; agentctl attach @last watches it
  agentctl chat                              a conversation, on a terminal"""


@click.command("chat", cls=Command, epilog=EXAMPLES)
@click.argument("words", nargs=-1, metavar="[AGENT] [PROMPT]...")
@chat_flags
@pass_app
def command(
    app: App,
    /,
    words: tuple[str, ...],
    attach: tuple[str, ...],
    final: bool,
    read_stdin: bool | None,
    output_format: str,
    detach: bool,
    **flags: Any,
) -> int:
    """Talk to an agent: one question, a pipe, or a conversation.

    The first word is the agent where it is the slug of one; everything else is the prompt, and without an
    agent the default one answers. `-` as the prompt reads it from stdin; other piped input is put behind
    the prompt. stdout is the answer and nothing else.
    """
    check_flags({**flags, "detach": detach})
    pipe = None
    if detach:
        left = app.leave()
        if not isinstance(left, int):
            return app.screen.show_left(left, output_format)
        pipe = left
    app.provide_defaults()
    agent, prompt = split_words(words, in_session=bool(flags["follow"] or flags["session"]))
    request = make_request(app, agent, flags)
    if agent is not None:
        app.conversations.require_agent(agent)
    attached = ""
    if attach:
        from agentctl.cli.chat.attachments import read_attachments

        files, attached = read_attachments(attach, app.streams.stdin)
        request = replace(request, files=files)
        read_stdin = False if "-" in attach else read_stdin
    if not words[1 if agent else 0 :] and not detach and app.streams.stdin_is_terminal and read_stdin is None:
        from agentctl.cli.chat.repl import converse

        return converse(app, request, output_format, attached)
    prompt, warning = with_piped(prompt, app.streams.stdin, read_stdin)
    prompt = f"{prompt}\n\n{attached}" if attached else prompt
    request = replace(request, prompt=prompt, warnings=(warning,) if warning else ())
    # An answer of a given form is printed alone: what was said on the way to it has another.
    renderer = partial(app.screen.renderer, output_format, final=final or request.schema is not None)
    return int(app.conversations.run_turn(request, app.heard(renderer, pipe))["exit_code"])
