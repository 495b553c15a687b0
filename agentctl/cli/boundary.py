"""The one place where errors become a line on stderr and an exit code, and a result object if one is due."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from collections.abc import Sequence

import click

from agentctl.cli.group import GLOBAL_FLAGS
from agentctl.cli.invocation import Invocation
from agentctl.cli.root import root
from agentctl.errors import AgentctlError, OutputClosed, Stopped, UsageError


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code; nothing escapes."""
    invocation = Invocation(os.environ)
    _catch_signals()
    code = _attempt(arguments, invocation)
    invocation.close(code)
    return code


def _attempt(arguments: Sequence[str], invocation: Invocation) -> int:
    try:
        _refuse_undecodable(arguments)
        code = root.main(list(arguments), prog_name="agentctl", obj=invocation, standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except OutputClosed as closed:
        return _leave(closed)
    except (BrokenPipeError, SystemExit):
        # click turns a broken pipe into SystemExit(1), and nothing else here raises it.
        return _leave(OutputClosed())
    except (KeyboardInterrupt, click.Abort):
        return _fail(Stopped("stopped by SIGINT"), invocation, arguments)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return UsageError.exit_code
    except click.UsageError as error:
        return _fail(_usage(error), invocation, arguments)
    except AgentctlError as error:
        return _fail(error, invocation, arguments)
    except Exception as bug:  # the last fence: whatever is left is a bug of ours
        hint = "This is a bug; --debug shows where."
        return _fail(
            AgentctlError(f"unexpected {type(bug).__name__}: {bug}", hint=hint), invocation, arguments
        )


def _catch_signals() -> None:
    """Make SIGTERM and SIGHUP end a command like an error, until a run takes them over."""

    def stop(number: int, _: object) -> None:
        raise Stopped(f"stopped by {signal.Signals(number).name}", signal=number)

    for name in ("SIGHUP", "SIGTERM"):
        number = getattr(signal, name, None)
        # nohup ignores some on purpose, and only the main thread may set any.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL and _is_main_thread():
            signal.signal(number, stop)


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _fail(error: AgentctlError, invocation: Invocation, arguments: Sequence[str]) -> int:
    invocation.error = error
    if invocation.flags.get("debug"):
        import traceback

        traceback.print_exc()
    from agentctl.app.report import abandon_stdout, report_error

    try:
        report_error(error, result_format=wanted_result(arguments))
    except OutputClosed:
        abandon_stdout()
    return error.code


def _leave(closed: OutputClosed) -> int:
    """End because stdout takes nothing more; said only where somebody may want to know why."""
    from agentctl.app.report import abandon_stdout, report_error

    abandon_stdout()
    if not closed.is_silent:
        report_error(closed, result_format=None)
    return closed.code


def _refuse_undecodable(arguments: Sequence[str]) -> None:
    """Raise UsageError for an argument that is no text; further in it could neither be stored nor sent."""
    for number, argument in enumerate(arguments, start=1):
        if any("\ud800" <= character <= "\udfff" for character in argument):
            raise UsageError(
                f"argument {number} is not UTF-8 text", hint="Convert it first, e.g. with iconv."
            )


def wanted_result(arguments: Sequence[str]) -> str | None:
    """The format in which a run was to be shown, result object included; parsing may be what failed."""
    takes_value = {name for names, details in GLOBAL_FLAGS if not details.get("is_flag") for name in names}
    words = iter(arguments)
    for word in words:
        if word in takes_value:
            next(words, None)
        elif not word.startswith("-"):
            if word == "approvals":
                word = next(words, "")
            if word not in ("approve", "attach", "chat", "deny", "resume"):
                return None
            break
    rest = list(words)
    rest = rest[: rest.index("--")] if "--" in rest else rest
    wanted = None
    for word, following in zip(rest, [*rest[1:], ""], strict=False):
        if word in ("-o", "--format") or re.fullmatch("-c+o", word):
            wanted = following
        elif word.startswith("--format="):
            wanted = word.removeprefix("--format=")
        elif re.match("-c*o.", word):
            wanted = word.partition("o")[2]
    return wanted if wanted in ("json", "stream-json") else None


def _usage(error: click.UsageError) -> UsageError:
    command = error.ctx.command_path if error.ctx else "agentctl"
    message = error.format_message().rstrip(".?")
    return UsageError(message[:1].lower() + message[1:], hint=f"See {command} --help.")
