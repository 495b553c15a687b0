"""How large documents and what belongs to them may be; a database may set some of it otherwise."""

from __future__ import annotations

from agentctl.domain.value import value

TITLE_LENGTH = 255
TAGS_LENGTH = 500
SUMMARY_LENGTH = 200
# Lists read summaries, so that one must not be a second content.
LONGEST_SUMMARY = 2_000
PAGE_SIZE = 10
LARGEST_PAGE = 50
UNDELETE_DAYS = 30
# The key of the settings that holds a `DocumentLimits` as JSON.
DOCUMENT_SETTINGS = "documents"


@value
class DocumentLimits:
    """Content in code points; pinned documents in estimated tokens, all of a user together.

    Memories of a session are archived when it was idle for `session_days`.
    """

    max_content_length: int = 50_000
    pinned_tokens: int = 1_000
    session_days: int = 30
