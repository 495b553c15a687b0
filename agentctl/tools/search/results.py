"""Results as the model gets them: plain text of bounded length, and addresses that can be fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from html import unescape
from typing import Any

from agentctl.domain.document import Document
from agentctl.domain.session_search import SessionHit
from agentctl.tools.document.reach import marks_of
from agentctl.tools.search.backend import Found

LONGEST_TITLE = 200
LONGEST_SNIPPET = 600
LONGEST_URL = 2_000
LONGEST_DATE = 40
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def show_web(found: Iterable[Found]) -> list[dict[str, str | None]]:
    """`title, url, snippet, date` (null where unknown) of every result with an address on the web."""
    return [
        {
            "title": _plain(each.title, LONGEST_TITLE),
            "url": each.url,
            "snippet": _plain(each.snippet, LONGEST_SNIPPET),
            "date": _date(each.date),
        }
        for each in found
        if _is_address(each.url)
    ]


def show_sessions(hits: Iterable[SessionHit]) -> list[dict[str, str | None]]:
    """`title, session, role, snippet, date` of messages."""
    return [
        {
            "title": hit.title,
            "session": hit.session_id,
            "role": hit.role,
            "snippet": hit.snippet,
            "date": _spell(hit.created_at),
        }
        for hit in hits
    ]


def show_documents(found: Iterable[Document]) -> list[dict[str, Any]]:
    """`id, title, type, snippet, date` of the user's own documents; the snippet is of the summary."""
    return [
        {
            "id": each.id,
            "title": each.title,
            "type": each.type,
            "snippet": _shorten(" ".join(each.summary.split()), LONGEST_SNIPPET),
            "date": _spell(each.created_at),
            **marks_of(each, each.user_id),
        }
        for each in found
    ]


def _plain(text: Any, longest: int) -> str:
    if not isinstance(text, str):
        return ""
    return _shorten(" ".join(unescape(_TAG.sub("", text[: longest * 4])).split()), longest)


def _shorten(line: str, longest: int) -> str:
    return line if len(line) <= longest else line[:longest].rstrip() + "..."


def _date(text: Any) -> str | None:
    """A day where the backend gives a time; else its own words, such as `3 days ago`."""
    if not isinstance(text, str) or not text.strip():
        return None
    day = _DAY.match(text.strip())
    return day[0] if day else _plain(text, LONGEST_DATE)


def _is_address(url: Any) -> bool:
    return (
        isinstance(url, str) and url.lower().startswith(("http://", "https://")) and len(url) <= LONGEST_URL
    )


def _spell(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
