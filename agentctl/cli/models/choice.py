"""What `models prefer` and `models default` take: a model, or --unset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def choice_arguments(function: F) -> F:
    """MODEL and --unset."""
    function = click.option("--unset", is_flag=True, help="Take it back.")(function)
    return click.argument("model", required=False)(function)


def read_choice(model: str | None, unset: bool) -> str | None:
    """The model, or None to take it back; raises a usage error for both and for neither."""
    if unset == (model is not None):
        raise click.UsageError("give a MODEL, or --unset")
    return model
