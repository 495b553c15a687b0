"""Shows to people what is no plain list: runs, plans, conversations, errors that end nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agentctl.render.output import Output
from agentctl.render.streams import Streams

if TYPE_CHECKING:
    from agentctl.app.detached import Left
    from agentctl.domain.message import Message
    from agentctl.domain.plan import Plan
    from agentctl.errors import AgentctlError
    from agentctl.render.conversation import Renderer


class Screen:
    """What a command shows on its streams; `color` says whether it may be colored where people read it."""

    def __init__(self, streams: Streams, *, color: bool) -> None:
        self._streams = streams
        self._color = color

    def renderer(self, format: str, *, final: bool) -> Renderer:  # noqa: A002
        """What shows a run: `text`, `json` or `stream-json`."""
        from agentctl.render.conversation import make_renderer

        return make_renderer(self._streams, format, final=final, color=self._color)

    def show_plan(self, plan: Plan, format: str | None = None) -> None:  # noqa: A002
        """Show a plan to people, or its changes as rows in the format that was asked for."""
        from agentctl.render.plan import PLAN_COLUMNS, plan_lines, plan_rows

        output = Output(self._streams, format=format, color=self._color)
        if format is None:
            color = self._color and self._streams.stdout_is_terminal
            output.text("\n".join(plan_lines(plan, color=color)))
        else:
            output.rows(plan_rows(plan), PLAN_COLUMNS)

    def show_transcript(self, messages: Sequence[Message]) -> None:
        """Show a conversation to people."""
        from agentctl.render.transcript import transcript

        Output(self._streams, color=self._color).text(transcript(messages))

    def show_approval(self, row: Mapping[str, Any], format: str | None = None) -> None:  # noqa: A002
        """Show a call that waits for a person; on a terminal nothing of it can hide."""
        output = Output(self._streams, format=format, color=self._color)
        if format not in (None, "table") or not self._streams.stdout_is_terminal:
            output.one(row)
            return
        from shutil import get_terminal_size

        from agentctl.render.approval import approval_lines

        output.text("\n".join(approval_lines(row, get_terminal_size().columns)))

    def show_run(self, run: Mapping[str, Any]) -> None:
        """Show all that happened in a run to people."""
        from agentctl.render.run_report import run_report

        Output(self._streams, color=self._color).text(run_report(run))

    def show_left(self, left: Left, format: str) -> int:  # noqa: A002
        """Show the run of a process that was left behind; returns the exit code."""
        if left.run is not None:
            text = str(left.run["run_id"]) if format == "text" else json.dumps(dict(left.run))
            Output(self._streams, color=self._color).text(text)
        return left.code

    def complain(self, error: AgentctlError) -> None:
        """Show an error that does not end the command."""
        from agentctl.render.error import error_line

        self._streams.complain(error_line(error.message, error.hint))
