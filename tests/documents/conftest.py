"""A document service on a real database, with an index that only writes down what it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from agentctl.documents.service import DocumentService
from agentctl.domain.agent import Agent
from agentctl.domain.document import Document, NewDocument
from agentctl.store import Store


@dataclass
class Recorded:
    """An index that knows what can be found: contents by id."""

    contents: dict[str, str] = field(default_factory=dict)

    def put(self, document: Document) -> None:
        self.contents[document.id] = document.text

    def drop(self, ids: Sequence[str]) -> None:
        for each in ids:
            self.contents.pop(each, None)


@pytest.fixture
def index() -> Recorded:
    return Recorded()


@pytest.fixture
def service(store: Store, index: Recorded) -> DocumentService:
    return DocumentService(store, index)


@pytest.fixture
def ann(store: Store) -> int:
    return store.users.ensure("ann").id


@pytest.fixture
def bob(store: Store) -> int:
    return store.users.ensure("bob").id


@pytest.fixture
def session(store: Store, ann: int) -> str:
    """A session of ann's."""
    store.agents.put(Agent("default", "Default"))
    agent = store.agents.get("default")
    assert agent is not None
    return store.sessions.create(ann, agent.id, "default", None, 0)


@pytest.fixture
def make(service: DocumentService, ann: int) -> Callable[..., Document]:
    """Store a document of ann's: `make("text", title=..., type="memory")`."""

    def call(content: str = "Some text.", **fields: object) -> Document:
        return service.create(ann, NewDocument(**{"title": "Title", "content": content, **fields})).document

    return call
