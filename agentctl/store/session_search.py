"""Finds messages of one user by their words, in any script and without an index."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

from agentctl.domain.session_search import SessionHit, SessionSearch
from agentctl.store.connection import Database
from agentctl.store.json_columns import from_json

MOST_TERMS = 16
MOST_CANDIDATES = 2_000
SNIPPET = 300
# Scripts without spaces between words: pairs of characters stand for words.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]+")
_WORD = re.compile(r"[^\W_]+")


def search_messages(database: Database, search: SessionSearch) -> tuple[SessionHit, ...]:
    """The messages that hold most of the words, at least half of them; newest first among equals.

    Only what the user and the model said is searched, and of what may fit, the newest few thousand messages.
    """
    terms = find_terms(search.words)
    if not terms:
        return ()
    scored = []
    for row in _candidates(database, search, terms):
        text = _text(row)
        folded = text.casefold()
        count = sum(term in folded for term in terms)
        if 2 * count >= len(terms):
            scored.append((count, row, text))
    scored.sort(key=lambda found: -found[0])
    return tuple(_hit(row, text, terms) for _, row, text in scored[: search.limit])


def find_terms(words: str) -> tuple[str, ...]:
    """What is looked for: words, and pairs of characters of scripts that have no spaces."""
    folded = words.casefold()
    terms = [run[at : at + 2] for run in _UNSPACED.findall(folded) for at in range(max(1, len(run) - 1))]
    terms += _WORD.findall(_UNSPACED.sub(" ", folded))
    return tuple(dict.fromkeys(terms))[:MOST_TERMS]


def _candidates(database: Database, search: SessionSearch, terms: tuple[str, ...]) -> Iterator[sqlite3.Row]:
    """Messages in whose stored form a term stands; SQLite knows capitals of ASCII only."""
    tests = [test for term in terms for test in _tests(term)]
    found = " OR ".join(sql for sql, _ in tests)
    return database.execute(
        "WITH newest AS (SELECT m.rowid AS place FROM agent_messages m"
        " JOIN agent_sessions s ON s.id = m.session_id"
        f" WHERE s.user_id = ? AND s.id <> ? AND m.created_at >= ? AND ({found})"
        " ORDER BY m.created_at DESC, m.seq DESC LIMIT ?)"
        " SELECT m.session_id, s.title, m.role, m.parts, m.created_at FROM newest"
        " JOIN agent_messages m ON m.rowid = place JOIN agent_sessions s ON s.id = m.session_id"
        " ORDER BY m.created_at DESC, m.seq DESC",
        (
            search.user_id,
            search.except_session or "",
            search.since,
            *(text for _, text in tests),
            MOST_CANDIDATES,
        ),
    )


def _tests(term: str) -> Iterator[tuple[str, str]]:
    """What SQL asks about a term; `instr` is several times faster than LIKE but tells capitals apart."""
    if term.isascii():
        yield "m.parts LIKE ?", f"%{term}%"
        return
    for spelling in dict.fromkeys((term, term.upper(), term.capitalize())):
        yield "instr(m.parts, ?)", spelling


def _text(row: sqlite3.Row) -> str:
    return "\n".join(part["text"] for part in from_json(row["parts"]) if part["type"] == "text")


def _hit(row: sqlite3.Row, text: str, terms: tuple[str, ...]) -> SessionHit:
    folded = text.casefold()
    first = min(at for term in terms if (at := folded.find(term)) >= 0)
    start = max(0, first - SNIPPET // 3)
    snippet = " ".join(text[start : start + SNIPPET].split())
    before, after = "..." if start else "", "..." if start + SNIPPET < len(text) else ""
    return SessionHit(
        row["session_id"], row["title"], row["role"], before + snippet + after, row["created_at"]
    )
