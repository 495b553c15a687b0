"""One search in 10,000 documents, in this process, against a bare full-text query over the same texts."""

from __future__ import annotations

import random
import sqlite3
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from agentctl.documents.search.engine import search
from agentctl.documents.search.index import SearchIndex
from agentctl.documents.service import DocumentService
from agentctl.domain.document import NewDocument
from agentctl.store import Store

DOCUMENTS = 10_000
WORDS = 8_000
QUERIES = 200
# Shapes of words, so that stemming and runs of characters have something to do.
_SYLLABLES = tuple(map("".join, zip("bcdfglmnprstvwz", "aeiouaeiouaeiou", strict=True)))
_LARGEST = 0.95


class Speed(NamedTuple):
    """Milliseconds: the median search, the one that 95 of 100 are faster than, and the median bare query."""

    median: float
    slow: float
    bare: float
    ratio: float


def measure_search(folder: Path) -> Speed:
    """Fill a database with DOCUMENTS documents of about 100 words and search it for two to seven words."""
    chance = random.Random(1)
    words = ["".join(chance.choices(_SYLLABLES, k=chance.randrange(1, 5))) for _ in range(WORDS)]
    # As in any language, the word of rank n is about n times as rare as the first (Zipf).
    weights = [1 / rank for rank in range(1, WORDS + 1)]
    texts = [_text(chance, words, weights) for _ in range(DOCUMENTS)]
    queries = [" ".join(chance.choices(words, weights, k=chance.randrange(2, 8))) for _ in range(QUERIES)]
    store = Store(folder / "documents.db")
    user = _fill(store, texts)
    bare = _bare(texts)
    # The first search loads modules and reads pages, as the first of any process does.
    search(store, user, queries[0])
    pairs = [
        (_seconds(lambda query=query: search(store, user, query)), _seconds(lambda query=query: bare(query)))  # type: ignore[misc]
        for query in queries
    ]
    store.close()
    mine, theirs = zip(*pairs, strict=True)
    slow = sorted(mine)[int(_LARGEST * len(mine))]
    ratio = statistics.median(mine) / statistics.median(theirs)
    return Speed(statistics.median(mine) * 1000, slow * 1000, statistics.median(theirs) * 1000, ratio)


def _text(chance: random.Random, words: list[str], weights: list[float]) -> str:
    picked = chance.choices(words, weights, k=chance.randrange(20, 180))
    return "\n".join(" ".join(picked[at : at + 12]) for at in range(0, len(picked), 12))


def _fill(store: Store, texts: list[str]) -> int:
    user = store.users.ensure("bench").id
    service = DocumentService(store, SearchIndex(store))
    with store.transaction():
        for number, text in enumerate(texts):
            service.create(user, NewDocument(f"Document number {number}", text))
    return user


def _bare(texts: list[str]) -> Callable[[str], object]:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter')")
    database.executemany("INSERT INTO texts VALUES (?)", [(text,) for text in texts])
    found = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10"
    return lambda query: database.execute(found, (" OR ".join(query.split()),)).fetchall()


def _seconds(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started
