"""Titles of documents: made by a model, or taken from the text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from agentctl.app.docs_user import UserDocs
from agentctl.documents.heading import find_heading
from agentctl.documents.titles import first_line
from agentctl.domain.agent import Agent, TitleStrategy
from agentctl.domain.document import Document, DocumentChange
from agentctl.domain.model import Provider
from agentctl.domain.usage import Payer
from agentctl.domain.user import User
from agentctl.errors import AgentctlError
from agentctl.models.resolver import Resolver
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.providers.base import Adapter


class DocsTitles:
    """Names documents. `disconnect` lets go of the connections that models were asked over."""

    def __init__(
        self,
        store: Store,
        resolver: Resolver,
        load_adapter: Callable[[Provider], Adapter],
        user: User,
        disconnect: Callable[[], Awaitable[None]],
    ) -> None:
        self._store = store
        self._resolver = resolver
        self._load_adapter = load_adapter
        self._user = user
        self._disconnect = disconnect

    def make(self, content: str, agent: str | None = None, strategy: TitleStrategy | None = None) -> str:
        """A title by the strategy of this agent (None: the default one), or by `strategy`.

        The first heading or line stands in where the agent wants no titles or its model fails. Raises
        NotFound for an agent that is not there.
        """
        return self.make_all([content], agent, strategy, lambda *_: None)[0]

    def make_all(
        self,
        contents: Sequence[str],
        agent: str | None,
        strategy: TitleStrategy | None,
        progress: Callable[[int, int, str], None],
    ) -> list[str]:
        """A title for each; `progress` hears how many are made, how many there are, and each of them."""
        chosen = self._store.agents.require(agent) if agent else self._store.agents.default()
        strategy = strategy or (chosen.title_strategy if chosen else "first-line")
        if strategy != "llm" or chosen is None:
            return list(map(find_heading, contents))
        import asyncio

        return asyncio.run(self._ask_all(contents, replace(chosen, title_strategy="llm"), progress))

    def retitle(
        self,
        docs: UserDocs,
        ids: Sequence[str],
        strategy: TitleStrategy | None,
        progress: Callable[[int, int, str], None],
    ) -> list[Document]:
        """Give documents new titles, all of them at once when all are made."""
        documents = [docs.read(each) for each in ids]
        titles = self.make_all([each.text for each in documents], None, strategy, progress)
        with self._store.transaction():
            return [
                docs.update(document.id, DocumentChange(title=title))
                for document, title in zip(documents, titles, strict=True)
            ]

    async def _ask_all(
        self, contents: Sequence[str], agent: Agent, progress: Callable[[int, int, str], None]
    ) -> list[str]:
        made: list[str] = []
        try:
            for content in contents:
                made.append(await self._ask(content, agent))
                progress(len(made), len(contents), made[-1])
        finally:
            await self._disconnect()
        return made

    async def _ask(self, content: str, agent: Agent) -> str:
        from agentctl.chat.spending import Spending
        from agentctl.chat.titling import Titles

        spending = Spending(self._store, Payer(self._user.id, agent.slug), agent.limits, agent.options)
        try:
            titles = Titles(self._store, self._resolver, self._load_adapter)
            first = self._resolver.choose(agent, self._user)[0]
            model = titles.model_for(agent, self._user.id, first)
            made = await titles.make(content, agent, model, spending)
        except AgentctlError:
            made = None
        # What a failed model leaves is the first line with its marks.
        return made if made and made != first_line(content) else find_heading(content)
