"""What the config of a `memory` tool may say, and what a model may ask of it."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from agentctl.domain.value import value
from agentctl.tools.base import ToolConfig

Command = Literal["view", "create", "str_replace", "insert", "delete", "rename"]


@value
class MemoryArguments:
    """One command and what it takes; `checks.py` says which fields belong to which command."""

    command: Command = field(metadata={"description": "What to do."})
    path: str | None = field(
        default=None, metadata={"description": "All but rename: /memories or a path below it."}
    )
    view_range: tuple[int, ...] | None = field(
        default=None,
        metadata={
            "description": "view: first and last line of a file, from 1; -1 is its end.",
            "min_items": 2,
            "max_items": 2,
        },
    )
    file_text: str | None = field(default=None, metadata={"description": "create: the text of the file."})
    old_str: str | None = field(
        default=None, metadata={"description": "str_replace: text that stands in the file exactly once."}
    )
    new_str: str | None = field(
        default=None, metadata={"description": "str_replace: what takes its place; nothing if absent."}
    )
    insert_line: int | None = field(
        default=None, metadata={"description": "insert: the line to insert behind; 0 is the beginning."}
    )
    insert_text: str | None = field(default=None, metadata={"description": "insert: the text."})
    old_path: str | None = field(default=None, metadata={"description": "rename: the path that there is."})
    new_path: str | None = field(default=None, metadata={"description": "rename: the path that it gets."})


@value
class MemoryConfig(ToolConfig):
    """How much may be stored, and what a person is asked about."""

    max_content_length: int = field(
        default=50_000, metadata={"description": "Characters that a file may have.", "minimum": 1}
    )
    approval_required_actions: tuple[Command, ...] = field(
        default=("delete",), metadata={"description": "Commands that a person is asked about each time."}
    )
    hard_delete: bool = field(
        default=False, metadata={"description": "Whether delete removes at once and for good."}
    )
