"""A plain conversation on a terminal: a line in, a streamed answer out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agentctl.errors import AgentctlError, OutputClosed

if TYPE_CHECKING:
    from agentctl.app import App
    from agentctl.domain.chat import ChatRequest

BANNER = "A line is a message; Ctrl-C stops the answer, /quit or Ctrl-D ends the conversation."

# SIGHUP and SIGTERM end the conversation; SIGINT (130) only the answer.
ENDINGS = (129, 143)


def converse(app: App, request: ChatRequest, output_format: str, attached: str) -> int:
    """Ask until the person leaves; every line goes on with the same session. Returns the exit code.

    Files and `attached` text belong to the first message.
    """
    app.streams.note(BANNER)
    while True:
        line = _read_line(app)
        if line is None or line.strip() == "/quit":
            return 0
        if not line.strip():
            continue
        try:
            prompt = f"{line}\n\n{attached}" if attached else line
            renderer = app.renderer(output_format, final=request.schema is not None)
            result = app.conversations.run_turn(replace(request, prompt=prompt), renderer)
        except OutputClosed:
            raise
        except AgentctlError as error:
            app.complain(error)
            continue
        if result["exit_code"] in ENDINGS:
            return int(result["exit_code"])
        request = replace(request, session=result["session_id"], follow=False, agent=None, files=())
        attached = ""


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
