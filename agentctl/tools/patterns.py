"""Whether a text matches a pattern as a whole, in bounded time whatever the two are."""

from __future__ import annotations

import re
from collections.abc import Mapping

SECONDS = 1.0
_STEPS = re.compile(r"[*+?{|]")


def fits(pattern: str, text: str) -> bool:
    """Whether all of `text` matches `pattern`. What cannot be told within a second counts as no match."""
    # With at most one choice to go back to, matching takes no more than the square of the text's length.
    if len(_STEPS.findall(pattern)) < 2:
        return re.fullmatch(pattern, text) is not None
    return _fits_guarded(pattern, text)


def match(argument: Mapping[str, str]) -> bool:
    """What runs in the guarded child."""
    return re.fullmatch(argument["pattern"], argument["text"]) is not None


def _fits_guarded(pattern: str, text: str) -> bool:
    """In a child that can be killed; the loop of this thread, if one runs, waits for it."""
    import asyncio
    from threading import Thread

    from agentctl.tools.failure import ToolError
    from agentctl.tools.guard.client import run_guarded

    found: list[bool] = []

    def ask() -> None:
        argument = {"pattern": pattern, "text": text}
        try:
            found.append(asyncio.run(run_guarded(f"{__name__}:match", argument, timeout=SECONDS)))
        except ToolError:
            found.append(False)

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    return found == [True]
