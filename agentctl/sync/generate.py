"""Writes the generated files of this package anew: `python -m agentctl.sync.generate` in a checkout.

They are the JSON Schema, and the copies of the root's agents.yaml and tools.yaml that travel in the wheel.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from agentctl.sync.json_schema import schema_text
from agentctl.sync.templates import FOLDER, NAMES, SCHEMA_PATH


def generated(root: Path) -> Mapping[Path, str]:
    """Each generated file and what has to stand in it; `root` holds the two YAML files."""
    copies = {FOLDER / name: (root / name).read_text(encoding="utf-8") for name in NAMES}
    return {SCHEMA_PATH: schema_text(), **copies}


def main(root: Path) -> None:
    """Write them all."""
    for path, text in generated(root).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path.cwd())
