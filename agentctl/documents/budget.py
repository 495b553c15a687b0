"""What of documents fits into a budget of estimated tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agentctl.domain.document import Document
from agentctl.domain.tokens import estimate_tokens
from agentctl.domain.value import value

CONTENT_TOO_LONG = "content too long, summary returned; pass full_content=true"


@value
class Cut:
    """The documents that fit, in their order; `is_cut` says that some were left out behind them."""

    items: tuple[Document, ...]
    is_cut: bool


def cut_list(documents: Sequence[Document], budget: int) -> Cut:
    """The first documents whose summaries fit into `budget` tokens together.

    The first one always comes, its summary cut to fit, so that a list goes on however small the budget is.
    """
    kept: list[Document] = []
    left = budget
    for document in documents:
        needed = estimate_tokens(document.summary)
        if needed > left and kept:
            break
        kept.append(
            document
            if needed <= left
            else replace(document, summary=cut_text(document.summary, max(left, 0)))
        )
        left -= needed
    return Cut(tuple(kept), len(kept) < len(documents))


def cut_text(text: str, budget: int) -> str:
    """The longest beginning of `text` that takes at most `budget` tokens, as far as estimates go."""
    if estimate_tokens(text) <= budget:
        return text
    low, high = 0, len(text) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate_tokens(text[:middle]) <= budget else (low, middle - 1)
    return text[:low]


def is_over(content: str, budget: int) -> bool:
    """Whether a content takes more than `budget` tokens, so that only its summary is answered with."""
    return estimate_tokens(content) > budget
