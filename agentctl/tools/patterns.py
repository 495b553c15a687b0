"""Whether a text matches a pattern as a whole, in bounded time whatever the two are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

SECONDS = 1.0
# Of a text of so many characters even the square is nothing.
SHORT = 20_000
_STEPS = re.compile(r"[*+?{|]")


def fits(pattern: str, text: str) -> bool:
    """Whether all of `text` matches `pattern`. What cannot be told within a second counts as no match."""
    return tell(pattern, text) is True


def tell(pattern: str, text: str, *, lines: bool = True) -> bool | None:
    """Whether all of `text` matches `pattern`; None where that cannot be told within a second.

    Without `lines`, a dot stands for the end of a line too.
    """
    flags = re.NOFLAG if lines else re.DOTALL
    # With at most one choice to go back to, matching takes no more than the square of the text's length.
    if len(_STEPS.findall(pattern)) < 2 and len(text) <= SHORT:
        return re.fullmatch(pattern, text, flags) is not None
    return _tell_guarded({"pattern": pattern, "text": text, "flags": int(flags)})


def match(argument: Mapping[str, Any]) -> bool:
    """What runs in the guarded child."""
    return re.fullmatch(argument["pattern"], argument["text"], argument["flags"]) is not None


def _tell_guarded(argument: Mapping[str, Any]) -> bool | None:
    """In a child that can be killed; the loop of this thread, if one runs, waits for it."""
    import asyncio
    from threading import Thread

    from agentctl.tools.failure import ToolError
    from agentctl.tools.guard.client import run_guarded

    found: list[bool] = []

    def ask() -> None:
        with suppress(ToolError):
            found.append(asyncio.run(run_guarded(f"{__name__}:match", argument, timeout=SECONDS)))

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    return found[0] if found else None
