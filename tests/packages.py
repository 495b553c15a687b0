"""Packages with tool types, as an installer would leave them in a folder."""

from __future__ import annotations

from pathlib import Path

WHOLE = """
from agentctl.tools.base import ToolType

class Extra(ToolType):
    type = "extra"
    description = "Says yes. Example: {}."

    async def run(self, arguments, context):
        return {"text": "yes"}
"""


def install(folder: Path, source: str, *, name: str = "extra", package: str = "extra-tools") -> Path:
    """Put a package with one module, whose class `Extra` is the type `name`, into `folder`; returns it."""
    module = package.replace("-", "_")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[agentctl.tools]\n{name} = {module}:Extra\n")
    (folder / f"{module}.py").write_text(source)
    return folder
