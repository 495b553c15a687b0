"""Searches documents: from the text of a query to hits, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from agentctl.documents.search.hits import to_hit
from agentctl.documents.search.query import Query, parse_query
from agentctl.documents.search.ranking import Near, Ranked, rank
from agentctl.documents.shelf import require_user
from agentctl.domain.document import DOCUMENT_TYPES, DocumentFilter
from agentctl.domain.document_hit import ListRank, SearchPage
from agentctl.store import Store
from agentctl.store.document_scope import DocumentScope, Narrowing

# What is near to a question by vectors, by id of the document.
Nearest = Callable[[DocumentScope, str], Mapping[str, Near]]
_EVERYTHING = DocumentFilter()
_ALL = -1


def search(
    store: Store,
    viewer: int | None,
    text: str,
    wanted: DocumentFilter = _EVERYTHING,
    *,
    limit: int = 10,
    offset: int = 0,
    explain: bool = False,
    count: bool = False,
    nearest: Nearest | None = None,
) -> SearchPage:
    """What `viewer` may read and `wanted` lets through that fits the query, best first.

    Ranked hits come first, then whatever holds the text of the query letter by letter. A query that holds
    nothing to look for finds nothing; no text is an error. `wanted.query`, its order and its page play no
    part. `count` finds out the total. Raises NeedsUser for nobody.
    """
    user, query = require_user(viewer), parse_query(text)
    narrowed = _narrow(query, wanted)
    if query.is_empty or narrowed is None:
        return SearchPage((), False, 0 if count else None)
    scope = DocumentScope(store.database, user, narrowed, _narrowing(query))
    near = nearest(scope, text) if nearest and query.terms else {}
    ranked = rank(scope, query, near, explained=explain) if query.terms else []
    last = _ALL if count else offset + limit + 1
    found = [*ranked, *_unranked(scope, query, {each.document_id for each in ranked}, last)]
    shown = found[offset : offset + limit]
    documents = scope.documents([each.document_id for each in shown])
    hits = tuple(
        to_hit(documents[each.document_id], each, query) for each in shown if each.document_id in documents
    )
    return SearchPage(hits, len(found) > offset + limit, len(found) if count else None)


def _unranked(scope: DocumentScope, query: Query, seen: set[str], last: int) -> Iterator[Ranked]:
    """What holds the query letter by letter; without any term, also what only the filters name."""
    if 0 <= last <= len(seen):
        return
    if not query.terms and query.literal is None:
        yield from (Ranked(document_id, 0.0) for document_id in scope.recent(last))
        return
    ids = scope.literal(query.literal, last) if query.literal else []
    for number, document_id in enumerate((each for each in ids if each not in seen), 1):
        yield Ranked(document_id, 0.0, ranks=(ListRank("literal", number, 0.0),))


def _narrow(query: Query, wanted: DocumentFilter) -> DocumentFilter | None:
    """The filter with what the query says of types and times; None where both exclude each other."""
    types = set(query.types or DOCUMENT_TYPES)
    if wanted.type is not None:
        types &= {wanted.type}
    if not types:
        return None
    return replace(
        wanted,
        type=types.pop() if len(types) == 1 else None,
        since=max(filter(None, (wanted.since, query.after)), default=None),
        until=min((each for each in (wanted.until, query.before) if each is not None), default=None),
        query=None,
        cursor=None,
    )


def _narrowing(query: Query) -> Narrowing:
    return Narrowing(query.tags, query.phrases, query.letters, query.excluded)
