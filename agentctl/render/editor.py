"""Opens a text in the person's editor and takes back what they made of it."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from pathlib import Path


async def edit(text: str, editor: str, terminal: int, *, ending: str = ".json") -> str:
    """The edited text; the editor has the terminal for itself, whatever stdin and stdout are.

    `ending` is that of the file's name, by which editors know what they have before them.

    Raises OSError where it cannot be run or fails. A cancelled run takes it along.
    """
    descriptor, name = tempfile.mkstemp(suffix=ending, prefix="agentctl-")
    path = Path(name)
    process = None
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        process = await asyncio.create_subprocess_exec(
            *shlex.split(editor), name, stdin=terminal, stdout=terminal, stderr=terminal
        )
        if await process.wait() != 0:
            raise OSError(f"{editor} failed, nothing was changed")
        return path.read_text(encoding="utf-8")
    finally:
        if process is not None and process.returncode is None:
            process.kill()
        path.unlink(missing_ok=True)
