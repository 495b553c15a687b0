"""A plain conversation on a terminal: a line in, a streamed answer out."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from agentctl.cli.chat.slash import ENDINGS, HELP, read_command, read_message
from agentctl.errors import AgentctlError, OutputClosed

if TYPE_CHECKING:
    from agentctl.app import App
    from agentctl.domain.chat import ChatRequest

BANNER = "A line is a message; Ctrl-C stops the answer, /help lists commands, Ctrl-D ends the conversation."

# SIGHUP and SIGTERM end the conversation; SIGINT (130) only the answer.
SIGNALS = (129, 143)


def converse(app: App, request: ChatRequest, output_format: str, attached: str) -> int:
    """Ask until the person leaves; every line goes on with the same session. Returns the exit code.

    Files and `attached` text belong to the first message.
    """
    app.streams.note(BANNER)
    _edit_lines(app)
    while True:
        line = _read_line(app)
        if line is None:
            return 0
        if not line.strip():
            continue
        try:
            command = read_command(line)
            if command in ENDINGS:
                return 0
            if command is not None:
                request = _obey(app, command, request)
                continue
            prompt = read_message(line)
            prompt = f"{prompt}\n\n{attached}" if attached else prompt
            renderer = app.screen.renderer(output_format, final=request.schema is not None)
            result = app.conversations.run_turn(replace(request, prompt=prompt), renderer)
        except OutputClosed:
            raise
        except AgentctlError as error:
            app.screen.complain(error)
            continue
        if result["exit_code"] in SIGNALS:
            return int(result["exit_code"])
        request = replace(
            request, session=result["session_id"], agent=result["agent"], follow=False, files=()
        )
        attached = ""


def _obey(app: App, command: str, request: ChatRequest) -> ChatRequest:
    """Do what a command says; returns what the next message goes on with."""
    if command == "/new":
        app.streams.note("the next message starts a new session")
        return replace(request, session=None, follow=False)
    for word, meaning in HELP.items():
        app.streams.note(f"{word:<8}{meaning}")
    return request


def _edit_lines(app: App) -> None:
    """Arrow keys and history within this conversation, where Python was built with them."""
    if not app.streams.stdout_is_terminal:
        return
    with suppress(ImportError):
        import readline  # noqa: F401 - importing it is what makes input() edit


def _read_line(app: App) -> str | None:
    """One line, or None at the end of input; Ctrl-C drops what was typed. The prompt never enters a pipe."""
    while True:
        try:
            if app.streams.stdout_is_terminal:
                return input("> ")
            app.streams.stderr.write("> ")
            app.streams.stderr.flush()
            return input()
        except EOFError:
            app.streams.note("")
            return None
        except KeyboardInterrupt:
            app.streams.note("")
