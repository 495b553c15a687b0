"""Markdown as people read it on a terminal; whatever could drive the terminal is gone."""

from __future__ import annotations

from io import StringIO
from shutil import get_terminal_size

from agentctl.render.controls import strip_controls

# Longer lines are hard to read.
WIDEST = 100


def render_markdown(text: str, *, color: bool) -> str:
    """`text` laid out for the width of the terminal, without a newline at its end.

    Links show where they lead. Without `color` there is no escape sequence in it.
    """
    from rich.console import Console
    from rich.markdown import Markdown

    written = StringIO()
    console = Console(
        file=written,
        width=min(WIDEST, get_terminal_size().columns),
        force_terminal=color,
        color_system="standard" if color else None,
        legacy_windows=False,
    )
    console.print(Markdown(strip_controls(text), hyperlinks=False))
    return "\n".join(line.rstrip() for line in written.getvalue().rstrip().split("\n"))
