"""Finds documents by what they mean, where a model for embeddings is at hand; none is ever needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from agentctl.documents.search.ranking import Near
from agentctl.documents.search.units import find_lines, find_parts, to_chunk
from agentctl.documents.search.vectors import (
    Vector,
    distance,
    from_bytes,
    nearness,
    normalize,
    to_bytes,
    to_signs,
)
from agentctl.domain.document import Document
from agentctl.domain.value import value
from agentctl.errors import AgentctlError
from agentctl.store import Store
from agentctl.store.document_scope import DocumentScope
from agentctl.store.document_vectors import DocumentVectors, StoredVector
from agentctl.store.documents import Documents

Embed = Callable[[Sequence[str]], Sequence[Vector]]
# (documents done, documents in all)
Progress = Callable[[int, int], None]
# Chunks whose signs are nearest are compared in full; of their documents, so many join a search.
_COMPARED = 200
_NEAREST = 20
_AT_ONCE = 8


@value
class Embedder:
    """A model by its name, and how it makes vectors of texts: of passages, and of questions if otherwise."""

    model: str
    embed: Embed
    embed_questions: Embed | None = None


class Semantics:
    """Vectors of one model beside the search index."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._rows = DocumentVectors(store.database)

    def nearest(self, scope: DocumentScope, text: str) -> Mapping[str, Near]:
        """The documents of the scope that are nearest to a question; none where the model fails."""
        try:
            question = normalize(next(iter(self._ask([text]))))
        except Exception:  # Whatever a model or a server raises: words alone are a search as well.
            return {}
        signs = int.from_bytes(to_signs(question))
        stored = self._rows.signs(scope, self._embedder.model, len(question))
        stored.sort(key=lambda row: distance(signs, row[2]))
        places = [(document_id, ordinal) for document_id, ordinal, _ in stored[:_COMPARED]]
        found: dict[str, Near] = {}
        for (document_id, ordinal), packed in zip(places, self._rows.vectors(places), strict=True):
            score = nearness(question, from_bytes(packed))
            if document_id not in found or score > found[document_id].score:
                found[document_id] = Near(score, ordinal)
        best = sorted(found, key=lambda each: -found[each].score)[:_NEAREST]
        return {document_id: found[document_id] for document_id in best}

    def index(self, progress: Progress) -> int:
        """Make vectors for all documents that have none of this model, and say for how many.

        What was done stays done when it is interrupted; what the model raises ends it.
        """
        done, last = 0, ""
        waiting, total = self._rows.count_waiting(self._embedder.model)
        progress(total - waiting, total)
        while found := self._rows.waiting(self._embedder.model, last, _AT_ONCE):
            for last, user_id, rev in found:
                self._index(last, user_id, rev)
                done += 1
                progress(min(total, total - waiting + done), total)
        return done

    def _ask(self, texts: Sequence[str]) -> Sequence[Vector]:
        return (self._embedder.embed_questions or self._embedder.embed)(texts)

    def _index(self, document_id: str, user_id: int, rev: int) -> None:
        documents = Documents(self._store.database)
        document = documents.get(user_id, document_id)
        if document is None:
            return
        # The model may take seconds, which nobody else has to wait for.
        texts = chunk_texts(document)
        vectors = [normalize(each) for each in self._embedder.embed(texts)]
        if len(vectors) != len(texts) or len({len(each) for each in vectors}) > 1:
            raise AgentctlError(f"{self._embedder.model} did not give one vector for each text")
        stored = [StoredVector(number, to_signs(each), to_bytes(each)) for number, each in enumerate(vectors)]
        dimension = len(vectors[0]) if vectors else 0
        with self._store.transaction():
            now = documents.get(user_id, document_id)
            if now is not None and now.rev == rev:
                self._rows.put(document_id, self._embedder.model, dimension, stored)


def chunk_texts(document: Document) -> list[str]:
    """The chunks of a document with what gives them their sense: its title, and the headings above them."""
    content = document.text
    lines = find_lines(content)
    texts = []
    for number, part in enumerate(find_parts(content, lines)):
        chunk = to_chunk(content, lines, number, part)
        texts.append("\n".join((document.title, *chunk.headings, content[chunk.start : chunk.end])))
    return texts
