"""A search in the sessions of one user, and what it finds."""

from __future__ import annotations

from typing import NamedTuple


class SessionSearch(NamedTuple):
    """Words to look for in a user's messages since a time (milliseconds since 1970), but in one session."""

    user_id: int
    words: str
    limit: int
    since: int = 0
    except_session: str | None = None


class SessionHit(NamedTuple):
    """A message; `snippet` is the part of its text that was found, times are milliseconds since 1970."""

    session_id: str
    title: str | None
    role: str
    snippet: str
    created_at: int
