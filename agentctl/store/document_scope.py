"""The documents that one search may find: who may read them, and every filter, are part of each query."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from agentctl.domain.document import Document, DocumentFilter
from agentctl.domain.document_sheet import DocumentSheet
from agentctl.domain.surrogates import mend
from agentctl.domain.value import value
from agentctl.store.connection import Database
from agentctl.store.document_access import readable
from agentctl.store.document_conditions import conditions
from agentctl.store.document_index import to_sheet
from agentctl.store.documents import WHOLE, to_document

_FROM = "agent_document_index i CROSS JOIN agent_documents d ON d.id = i.document_id"
_FOUND = f"agent_document_words w CROSS JOIN {_FROM} AND i.no = w.rowid"
_HOLDING = f"agent_document_trigrams t CROSS JOIN {_FROM} AND i.no = t.rowid"
_INDEXED = "agent_documents d CROSS JOIN agent_document_index i ON i.document_id = d.id"
# The plus keeps SQLite from trying every number of the list on every row.
_HELD = "+i.no {} (SELECT rowid FROM agent_document_words WHERE agent_document_words MATCH :{})"
# A word in the title, in a tag or in the date says more.
_RANK = "w.rank MATCH 'bm25(2.0, 1.0)'"
# Owners whose documents a search by words reads, those with the most first.
_MOST_OWNERS = 64
_RUN = 3
# Up to this many documents are looked at one by one.
_FEW = 1_000
_NEWEST = "ORDER BY d.created_at DESC, d.id DESC LIMIT :limit"


@value
class Narrowing:
    """What else a document must be and say: sequences of terms, and text letter by letter."""

    tags: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    letters: tuple[str, ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()


class DocumentScope:
    """Searches what `user_id` may read and a filter lets through."""

    def __init__(
        self, database: Database, user_id: int, wanted: DocumentFilter, narrowing: Narrowing
    ) -> None:
        self.database = database
        self.user_id = user_id
        self._wanted = wanted
        self._readable, self._values = conditions(user_id, wanted)
        self._narrow(narrowing)

    @cached_property
    def owners(self) -> tuple[int, ...]:
        """Whose documents are searched."""
        if self._wanted.reach == "own":
            return (self.user_id,)
        rows = self.database.execute(
            f"SELECT d.user_id FROM agent_documents d WHERE {readable(self._wanted.reach)}"
            " GROUP BY d.user_id ORDER BY count(*) DESC LIMIT :most",
            {"user": self.user_id, "most": _MOST_OWNERS},
        )
        return tuple(row[0] for row in rows) or (self.user_id,)

    @property
    def condition(self) -> tuple[str, dict[str, Any]]:
        """What follows WHERE for documents `d` and their sheets `i`, and its named values."""
        return self._where, self._values

    def few(self, most: int) -> list[DocumentSheet] | None:
        """All documents of the scope; None where there are more than `most`."""
        rows = self.database.execute(
            f"SELECT i.no FROM {_INDEXED} WHERE {self._where} LIMIT :most",
            {**self._values, "most": most + 1},
        ).fetchall()
        return None if len(rows) > most else self.sheets([row[0] for row in rows])

    def count(self) -> int:
        """How many documents the filter lets through, whatever they say."""
        row = self.database.one(
            f"SELECT count(*) FROM agent_documents d WHERE {self._readable}", self._values
        )
        return row[0] if row else 0

    def frequency(self, term: str, most: int) -> int:
        """In how many documents of the owners a term stands; from `most` on, an estimate from the newest."""
        row = self.database.one(
            "SELECT count(*) AS found, min(no) AS first FROM (SELECT rowid AS no FROM agent_document_words"
            " WHERE agent_document_words MATCH ? ORDER BY rowid DESC LIMIT ?)",
            (self._match([(term,)], " OR "), most),
        )
        if row is None or row["found"] < most:
            return row["found"] if row else 0
        return int(most * self._last / (self._last - row["first"] + 1))

    @cached_property
    def _last(self) -> int:
        row = self.database.one("SELECT max(no) FROM agent_document_index")
        return row[0] or 0 if row else 0

    def ranked(self, terms: Iterable[str], limit: int) -> list[int]:
        """Numbers of the documents that hold a term, best first; takes time for all that do."""
        return self._numbers(self._match([(term,) for term in terms], " OR "), limit, "w.rank")

    def newest_heads(self, terms: Iterable[str], limit: int) -> list[int]:
        """Numbers of the last documents that hold a term in title, tags or date."""
        match = self._match([(term,) for term in terms], " OR ", "^")
        return self._numbers(match, limit, "w.rowid DESC")

    def newest(self, terms: Iterable[str], limit: int, *, every: bool = False) -> list[int]:
        """Numbers of the last documents that hold a term, or all of them."""
        words = [(term,) for term in terms]
        return self._numbers(self._match(words, " AND " if every else " OR "), limit, "w.rowid DESC")

    def holding(self, words: Iterable[str], limit: int) -> list[int]:
        """Numbers of documents with a word that holds one of `words`, three characters or more each."""
        match = " OR ".join(f"({_runs(word)})" for word in words if len(word) >= _RUN)
        if not match:
            return []
        rows = self.database.execute(
            f"SELECT i.no FROM {_HOLDING}"
            f" WHERE t.agent_document_trigrams MATCH :match AND {self._where} LIMIT :limit",
            {**self._values, "match": match, "limit": limit},
        )
        return [row[0] for row in rows]

    def sheets_of(self, ids: Sequence[str]) -> list[DocumentSheet]:
        """The sheets of documents of the scope."""
        rows = self.database.execute(
            f"SELECT i.no FROM {_FROM} WHERE d.id IN (SELECT value FROM json_each(:ids)) AND {self._where}",
            {**self._values, "ids": json.dumps(list(ids))},
        )
        return self.sheets([row[0] for row in rows])

    def sheets(self, numbers: Sequence[int]) -> list[DocumentSheet]:
        """The sheets with these numbers, in this order."""
        rows = self.database.execute(
            "SELECT i.no, i.document_id, i.user_id, i.version, i.head, i.body, i.chunks FROM"
            " agent_document_index i WHERE i.no IN (SELECT value FROM json_each(?))",
            (f"[{','.join(map(str, numbers))}]",),
        )
        found = {row["no"]: to_sheet(row) for row in rows}
        return [found[number] for number in numbers if number in found]

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Documents of the scope with their contents, by id."""
        # One by one: with a list of ids, SQLite would rather go through all documents of a user.
        wanted = f"{WHOLE} WHERE d.id = :id AND {self._readable}"
        rows = (self.database.one(wanted, {**self._values, "id": each}) for each in ids)
        return {row["id"]: to_document(row, self.user_id) for row in rows if row}

    def literal(self, text: str, limit: int) -> list[str]:
        """Ids of documents in whose title or content `text` stands as it is, newest first; -1 means all."""
        where, values = conditions(self.user_id, replace(self._wanted, query=text))
        values = {**self._values, **values, "limit": limit}
        found, runs = _INDEXED, _runs(text)
        # Where nearly all documents hold the text, the newest of them are found sooner without the index.
        if runs and self._are_few(runs):
            values["runs"] = runs
            found = f"{_HOLDING} AND t.agent_document_trigrams MATCH :runs"
        rows = self.database.execute(
            f"SELECT d.id FROM {found} WHERE {where} AND {self._where} {_NEWEST}", values
        )
        return [row["id"] for row in rows]

    def recent(self, limit: int) -> list[str]:
        """Ids of all documents of the scope, newest first."""
        rows = self.database.execute(
            f"SELECT d.id FROM {_INDEXED} WHERE {self._where} {_NEWEST}",
            {**self._values, "limit": limit},
        )
        return [row["id"] for row in rows]

    def _numbers(self, match: str, limit: int, order: str) -> list[int]:
        ranked = f" AND {_RANK}" if order == "w.rank" else ""
        rows = self.database.execute(
            f"SELECT i.no FROM {_FOUND} WHERE w.agent_document_words MATCH :match{ranked} AND {self._where}"
            f" ORDER BY {order} LIMIT :limit",
            {**self._values, "match": match, "limit": limit},
        )
        return [row[0] for row in rows]

    def _are_few(self, runs: str) -> bool:
        row = self.database.one(
            "SELECT count(*) FROM (SELECT 1 FROM agent_document_trigrams"
            " WHERE agent_document_trigrams MATCH ? LIMIT ?)",
            (runs, _FEW),
        )
        return row is not None and row[0] < _FEW

    def _match(self, sequences: Iterable[Sequence[str]], between: str, mark: str = ".") -> str:
        """What FTS5 looks for: terms with the numbers of their owners."""
        owners = [f"{owner}{mark}" for owner in self.owners]
        groups = (" OR ".join(_sequence(owner, each) for owner in owners) for each in sequences)
        return between.join(f"({group})" for group in groups)

    def _narrow(self, narrowing: Narrowing) -> None:
        tests = [self._readable]
        for number, tag in enumerate(narrowing.tags):
            tests.append(f"instr(',' || d.tags || ',', ',' || :tag_{number} || ',') > 0")
            self._values[f"tag_{number}"] = mend(tag)
        for number, text in enumerate(narrowing.letters):
            like = conditions(self.user_id, replace(self._wanted, query=text))[1]["like"]
            tests.append(rf"(d.title LIKE :l_{number} ESCAPE '\' OR d.content LIKE :l_{number} ESCAPE '\')")
            self._values[f"l_{number}"] = like
        for number, phrase in enumerate(narrowing.phrases):
            tests.append(_HELD.format("IN", f"phrase_{number}"))
            self._values[f"phrase_{number}"] = self._match([phrase], " OR ")
        if narrowing.excluded:
            tests.append(_HELD.format("NOT IN", "excluded"))
            self._values["excluded"] = self._match(narrowing.excluded, " OR ")
        self._where = " AND ".join(tests)


def _sequence(owner: str, terms: Sequence[str]) -> str:
    """A phrase of FTS5; a last term that ends in `*` is the start of one."""
    text = " ".join(f"{owner}{term.rstrip('*')}" for term in terms)
    return f'"{text}"*' if terms[-1].endswith("*") else f'"{text}"'


def _runs(text: str) -> str:
    """The runs of three characters of `text`, all of which must be there; "" for a shorter one."""
    runs = dict.fromkeys(text[at : at + _RUN] for at in range(len(text) - _RUN + 1))
    return " AND ".join('"{}"'.format(run.replace('"', '""')) for run in runs)
