"""Whose documents a tool finds, and what it says of where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.document import Document, Reach
from agentctl.tools.base import Holding
from agentctl.tools.document.config import DocumentConfig


def reach_of(config: DocumentConfig) -> Reach:
    """The user's own; with `include_shared` also what others shared with that user."""
    return "shared" if config.include_shared else "own"


def marks_of(document: Document, user_id: int | None) -> dict[str, Any]:
    """What a row says besides: the `owner` of another user's document, `untrusted` where that is so."""
    marks: dict[str, Any] = {}
    if document.user_id != user_id:
        marks["owner"] = document.owner
    if document.untrusted:
        marks["untrusted"] = True
    return marks


def find_marked(data: Any) -> tuple[Holding, ...]:
    """`untrusted` where a row in the data says so."""
    return ("untrusted",) if _is_marked(data) else ()


def _is_marked(data: Any) -> bool:
    if isinstance(data, Mapping):
        return data.get("untrusted") is True or any(map(_is_marked, data.values()))
    return isinstance(data, list | tuple) and any(map(_is_marked, data))
