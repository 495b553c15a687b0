"""Whose documents a tool finds."""

from __future__ import annotations

from agentctl.domain.document import Reach
from agentctl.tools.document.config import DocumentConfig


def reach_of(config: DocumentConfig) -> Reach:
    """The user's own; with `include_shared` also what others shared with that user."""
    return "shared" if config.include_shared else "own"
