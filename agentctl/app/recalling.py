"""What the documents of a user say to the question that a run begins with."""

from __future__ import annotations

import re

from agentctl.app.documents import Documents
from agentctl.documents.context import build_context
from agentctl.documents.passages import passages_of
from agentctl.documents.recollection import Recalled, recall
from agentctl.store import Store

# What the query language would read as more than words.
_OPERATORS = re.compile(r'["“”:]|(?<!\S)-')
_LONGEST = 2_000


def recall_documents(store: Store, user_id: int, question: str, budget: int) -> Recalled:
    """Pinned documents of this user, then passages that fit, in at most `budget` estimated tokens."""
    service = Documents(store).service
    words = _OPERATORS.sub(" ", question[:_LONGEST])
    find = passages_of(store, service, user_id)
    return recall(build_context(service.pinned(user_id), find, words, budget))
