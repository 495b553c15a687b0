"""Shows the error that ended a command."""

from __future__ import annotations

from agentctl.errors import AgentctlError
from agentctl.render import streams
from agentctl.render.error import error_line


def report_error(error: AgentctlError, *, result_format: str | None) -> None:
    """Show the error that ended a command: a line on stderr, and the result object if one is wanted.

    Imports little: a signal may have come in the middle of another import.
    """
    out = streams.standard_streams()
    out.complain(error_line(error.message, error.hint, getattr(error, "problems", ())))
    if result_format is None:
        return
    import json

    from agentctl.domain.ids import now_ms, rfc3339
    from agentctl.domain.outcome import OUTCOME_OF_KIND, RunResult, describe

    outcome = OUTCOME_OF_KIND.get(error.kind, "failed")
    result = RunResult(outcome, error.code, error=describe(error.kind, error.message, error.hint))
    numbered = {"seq": 1, "ts": rfc3339(now_ms())} if result_format == "stream-json" else {}
    out.write(json.dumps({**result.as_dict(), **numbered}, ensure_ascii=False) + "\n")


def abandon_stdout() -> None:
    """Make the interpreter's last flush harmless after stdout's reader went away."""
    streams.abandon_stdout()
