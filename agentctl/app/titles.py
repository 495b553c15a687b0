"""Titles of sessions that are there already: for one, or for all that have none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from agentctl.documents.titles import first_line
from agentctl.domain.model import Provider
from agentctl.domain.session import Session
from agentctl.domain.usage import Payer
from agentctl.domain.user import User
from agentctl.errors import UsageError
from agentctl.models.resolver import Resolver
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.providers.base import Adapter


class SessionTitles:
    """Names sessions anew. `disconnect` lets go of the connections that models were asked over."""

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

    def rename(self, session: Session, title: str) -> str:
        """Give the session a title of its own; returns it. Raises UsageError for an empty one."""
        title = first_line(title)
        if not title:
            raise UsageError("the title is empty", hint="Give it as words, or --auto to have one made.")
        self._store.sessions.rename(session.id, title)
        return title

    def make(self, session: Session) -> str:
        """Give the session a title through its agent's title model, also where the agent wants none.

        Raises UsageError where nothing was said in it.
        """
        import asyncio

        made = asyncio.run(self._make_all([session], insist=True, progress=lambda _: None))
        if session.id not in made:
            raise UsageError(f"nothing was said in session {session.id}, so it has no title")
        return made[session.id]

    def make_pending(self, limit: int, progress: Callable[[str], None]) -> dict[str, str]:
        """Titles for the user's sessions without one, newest first; `progress` hears of each."""
        import asyncio

        sessions = self._store.sessions.untitled(self._user.id, limit)
        return asyncio.run(self._make_all(sessions, insist=False, progress=progress))

    async def _make_all(
        self, sessions: Sequence[Session], *, insist: bool, progress: Callable[[str], None]
    ) -> dict[str, str]:
        made: dict[str, str] = {}
        try:
            for number, session in enumerate(sessions, start=1):
                progress(f"title {number} of {len(sessions)}")
                title = await self._make(session, insist)
                if title:
                    self._store.sessions.rename(session.id, title)
                    made[session.id] = title
        finally:
            await self._disconnect()
        return made

    async def _make(self, session: Session, insist: bool) -> str | None:
        messages = self._store.messages.history(session.id)
        text = next((message.text for message in messages if message.role == "user"), "")
        if session.agent is None:
            return first_line(text) or None
        agent = self._store.agents.require(session.agent)
        if agent.title_strategy == "none" and insist:
            agent = replace(agent, title_strategy="llm")
        from agentctl.chat.spending import Spending
        from agentctl.chat.titling import Titles

        titles = Titles(self._store, self._resolver, self._load_adapter)
        first = self._resolver.choose(agent, self._user, session)[0]
        model = titles.model_for(agent, self._user.id, first)
        payer = Payer(self._user.id, agent.slug, session.id)
        spending = Spending(self._store, payer, agent.limits, agent.options)
        return await titles.make(text, agent, model, spending)
