"""Opens a text in the person's editor and takes back what they made of it."""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from pathlib import Path


async def edit(text: str, editor: str) -> str:
    """The edited text. Raises OSError where the editor cannot be run or fails."""
    descriptor, name = tempfile.mkstemp(suffix=".json", prefix="agentctl-")
    path = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        process = await asyncio.create_subprocess_exec(*shlex.split(editor), name)
        if await process.wait() != 0:
            raise OSError(f"{editor} failed, nothing was changed")
        return path.read_text(encoding="utf-8")
    finally:
        path.unlink(missing_ok=True)
