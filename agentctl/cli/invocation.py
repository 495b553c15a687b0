"""What one process was called with, and the App that is made from it once all flags are known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

import click

if TYPE_CHECKING:
    from agentctl.app import App
    from agentctl.errors import AgentctlError

P = ParamSpec("P")
R = TypeVar("R")


class Invocation:
    """Environment and flags of one call. Flags arrive while click parses, on either side of the command."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.environ = environ
        self.flags: dict[str, Any] = {}
        self.error: AgentctlError | None = None

    @cached_property
    def app(self) -> App:
        """The App; first asked for when parsing is over."""
        from agentctl.app import App
        from agentctl.config import load_config

        return App(load_config(self.environ, self.flags))

    def close(self, code: int) -> None:
        """Close what was opened; `code` is the exit code."""
        if "app" in self.__dict__:
            self.app.close(code, self.error)


def invocation_of(context: click.Context) -> Invocation:
    """What this process was called with."""
    return cast("Invocation", context.find_root().obj)


def pass_app(function: Callable[Concatenate[App, P], R]) -> Callable[P, R]:
    """Give a command the App as its first argument."""

    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        context = click.get_current_context()
        app = invocation_of(context).app
        if app.config.inside_tool:
            from agentctl.cli.consent import refuse_consent

            refuse_consent(context)
        app.start(context.command_path)
        return function(app, *args, **kwargs)

    return update_wrapper(wrapper, function)
