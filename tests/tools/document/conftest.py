"""The tools of documents on a real database, called as the engine calls them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from agentctl.app.documents import Documents
from agentctl.domain.document import Document, NewDocument
from agentctl.domain.tool import Tool, ToolContext, ToolResult
from agentctl.store import Store
from agentctl.tools.base import Services
from agentctl.tools.executor import execute
from agentctl.tools.ready import make_ready


class Desk:
    """One tool as one user calls it; `user` None is nobody."""

    def __init__(self, store: Store, kind: str) -> None:
        self.store = store
        self.service = Documents(store).service
        self.user: int | None = store.users.ensure("ann").id
        self.kind = kind
        self.config: Mapping[str, Any] = {}
        self.context = ToolContext("x", user_id=None, session_id=None)

    @property
    def tool(self) -> Any:
        """The tool as it is configured now."""
        services = Services(
            find_user=lambda _: None, locale="C", time_zone="UTC", documents=Documents(self.store).desk
        )
        return make_ready(Tool("x", "X", self.kind, config=self.config), {}, services).instance

    def call(self, *, approved: bool = False, **arguments: Any) -> ToolResult:
        """The result of one call."""
        return asyncio.run(execute(self.tool, arguments, self._context(approved=approved)))

    def __call__(self, **arguments: Any) -> Any:
        """The data of a call that succeeds."""
        result = self.call(**arguments)
        assert result.success, result.error
        return result.data

    def refused(self, **arguments: Any) -> str | None:
        """The error of a call that fails."""
        result = self.call(**arguments)
        assert not result.success
        return result.error

    def hindrance(self, **arguments: Any) -> str | None:
        """Why nobody has to be asked about a call."""
        return self.tool.find_hindrance(self.tool.check(arguments)[0], self._context())

    def explain(self, **arguments: Any) -> str | None:
        """What a person is told who is asked about a call."""
        return self.tool.explain(self.tool.check(arguments)[0], self._context())

    def make(self, content: str = "Some text.", *, user: str = "ann", **fields: Any) -> Document:
        """A document that is there already."""
        new = NewDocument(**{"title": "Title", "content": content, **fields})
        return self.service.create(self.store.users.ensure(user).id, new).document

    def _context(self, *, approved: bool = False) -> ToolContext:
        return replace(self.context, user_id=self.user, approved=approved)


@pytest.fixture
def document(store: Store) -> Desk:
    return Desk(store, "document")
