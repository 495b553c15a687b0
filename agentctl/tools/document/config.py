"""What the config of a `document` tool may say, and what a model may ask of it."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from agentctl.domain.value import value
from agentctl.tools.base import ToolConfig

Action = Literal["create", "read", "update", "delete", "list"]
LARGEST_PAGE = 50
PAGE_SIZE = 10


@value
class DocumentArguments:
    """One action and what it takes; `checks.py` says which fields belong to which action."""

    action: Action = field(metadata={"description": "What to do."})
    title: str | None = field(
        default=None, metadata={"description": "create, update: the title.", "max_length": 255}
    )
    content: str | None = field(default=None, metadata={"description": "create, update: the text, Markdown."})
    type: Literal["memory", "document"] | None = field(
        default=None,
        metadata={"description": "create: memory (for yourself, the default) or document (for the user)."},
    )
    summary: str | None = field(
        default=None,
        metadata={"description": "create, update: one or two sentences; cut from content if absent."},
    )
    tags: str | None = field(
        default=None, metadata={"description": "create, update: tags with commas between.", "max_length": 500}
    )
    tier: Literal["session", "long_term"] | None = field(
        default=None, metadata={"description": "create: session for what matters in this session only."}
    )
    session_id: str | None = field(
        default=None, metadata={"description": "create: the session it belongs to."}
    )
    id: str | None = field(default=None, metadata={"description": "read, update, delete: which document."})
    q: str | None = field(default=None, metadata={"description": "read, list: words to search for."})
    filter_type: Literal["memory", "document"] | None = field(
        default=None, metadata={"description": "read, list: only this type."}
    )
    page: int | None = field(default=None, metadata={"description": "list: from 1.", "minimum": 1})
    page_size: int | None = field(
        default=None,
        metadata={"description": "list: documents a page.", "minimum": 1, "maximum": LARGEST_PAGE},
    )
    cursor: str | None = field(
        default=None, metadata={"description": "list: where an earlier answer says that it goes on."}
    )
    full_content: bool = field(default=False, metadata={"description": "read: all of the text."})


@value
class DocumentConfig(ToolConfig):
    """How much may be stored and answered, and what a person is asked about."""

    max_content_length: int = field(
        default=50_000, metadata={"description": "Characters that a document may have.", "minimum": 1}
    )
    default_summary_length: int = field(
        default=200,
        metadata={"description": "Characters of a summary that is cut.", "minimum": 1, "maximum": 2_000},
    )
    token_budget: int = field(
        default=2_000, metadata={"description": "Tokens that one answer may take.", "minimum": 50}
    )
    max_page_size: int = field(
        default=20, metadata={"description": "Documents on one page.", "minimum": 1, "maximum": LARGEST_PAGE}
    )
    approval_required_actions: tuple[Action, ...] = field(
        default=("delete",), metadata={"description": "Actions that a person is asked about each time."}
    )
    hard_delete: bool = field(
        default=False, metadata={"description": "Whether delete removes at once and for good."}
    )
    include_shared: bool = field(
        default=False, metadata={"description": "Whether what others shared with the user is found too."}
    )
