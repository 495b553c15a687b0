"""What the `models` commands show and choose: lists, one model, which one an agent gets and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agentctl.app.embedded import Embedded
from agentctl.domain.model import Model, Provider, ResolvedModel
from agentctl.domain.user import User
from agentctl.errors import NotFound
from agentctl.models.catalog import FIELDS
from agentctl.models.resolver import DEFAULT_MODEL, Resolver
from agentctl.providers.base import Runtime
from agentctl.providers.keys import KeyState, describe_key
from agentctl.providers.origins import complete
from agentctl.store import Store

if TYPE_CHECKING:
    from agentctl.domain.agent import Agent

READY = "ready"
KEY_BY_COMMAND = "key by command"
_USABLE = (READY, KEY_BY_COMMAND)


class Models:
    """The models as one user sees them."""

    def __init__(
        self, store: Store, resolver: Resolver, embedded: Embedded, runtime: Runtime, user: User
    ) -> None:
        self._store = store
        self._resolver = resolver
        self._embedded = embedded
        self._runtime = runtime
        self._user = user

    def find(self, reference: str, *, for_everybody: bool = False) -> ResolvedModel:
        """The model that a reference means to this user, or to everybody. Raises NotFound."""
        found = self._resolver.find(reference, user_id=None if for_everybody else self._user.id)
        self._embedded.require(found)
        return found

    def rows(self, *, every: bool) -> list[dict[str, Any]]:
        """Declared and embedded models as rows; `every` adds those of the catalogue."""
        references = {model.slug: None for model in self._store.models.list(self._user.id)}
        references.update(dict.fromkeys(self._embedded.slugs))
        if every:
            references.update(dict.fromkeys(self._resolver.names(self._user.id)))
        return [self._row_of(reference) for reference in references]

    def rows_for(self, agent: Agent, *, every: bool) -> list[dict[str, Any]]:
        """What an agent could use now, in the order in which it would: the chosen ones are numbered.

        Then what other sources name, then everything else whose key or file is there.
        """
        chosen = self._resolver.choose(agent, self._user)
        named = [
            self._resolver.find(reference, source.reason, self._user.id)
            for source in self._resolver.sources(agent, self._user)
            for reference in source.references
        ]
        first = {model.reference: self._row(model) for model in (*chosen, *named)}
        others = {row["slug"]: row for row in self.rows(every=every) if row["status"] in _USABLE}
        places = {model.reference: number for number, model in enumerate(chosen, start=1)}
        reasons = {model.reference: model.reason for model in (*named, *chosen)}
        rows = {**others, **first}
        order = [*first, *(slug for slug in others if slug not in first)]
        return [{**rows[slug], "choice": places.get(slug), "reason": reasons.get(slug, "")} for slug in order]

    def describe(self, reference: str) -> dict[str, Any]:
        """One model, its provider, and where what is known of it comes from."""
        found = self.find(reference)
        model, provider = found.model, found.provider
        return {
            "slug": found.reference,
            "provider": provider.slug,
            "kind": provider.kind,
            "base_url": complete(provider).base_url,
            "api_key_env": complete(provider).api_key_env,
            "name": model.name,
            **_facts(model),
            "options": dict(model.options),
            "private": model.private,
            "source": model.source,
            "status": self._status(found),
            "catalogue": self._resolver.catalog.source(provider.slug, model.name),
        }

    def resolve(self, slug: str, session_id: str | None, flag: str | None) -> dict[str, Any]:
        """Which model an agent gets, in a session or a new one, which come after it, and what sources say."""
        agent = self._store.agents.require(slug)
        session = self._store.sessions.find(self._user.id, session_id) if session_id else None
        chosen = self._resolver.choose(agent, self._user, session, flag)
        for model in chosen:
            self._embedded.require(model)
        sources = self._resolver.sources(agent, self._user, session, flag)
        deciding = next(source for source in sources if source.references)
        first, *fallbacks = (self._candidate(model) for model in chosen)
        return {
            **first,
            "agent": agent.slug,
            "session": session.id if session else None,
            "fallbacks": fallbacks,
            "sources": [
                {
                    "source": source.name,
                    "models": list(source.references),
                    "chosen": source is deciding,
                }
                for source in sources
            ],
        }

    def prefer(self, reference: str | None) -> None:
        """What this user wants in every conversation that names no model; None takes that back."""
        if reference is not None:
            self.find(reference)
        self._store.users.prefer(self._user.id, reference)

    def set_default(self, reference: str | None) -> None:
        """What everybody gets where nothing else names a model; None takes that back."""
        if reference is not None:
            self.find(reference, for_everybody=True)
        self._store.settings.set(DEFAULT_MODEL, reference)

    def _candidate(self, found: ResolvedModel) -> dict[str, Any]:
        key = self._key(found.provider)
        return {
            "model": found.reference,
            "reason": found.reason,
            "provider": found.provider.slug,
            "kind": found.provider.kind,
            "base_url": complete(found.provider).base_url,
            "key": key.source,
            "key_present": key.present,
            "status": self._status(found),
        }

    def _row_of(self, reference: str) -> dict[str, Any]:
        """A model whose provider is gone is shown as well, for somebody has to mend it."""
        try:
            return self._row(self._resolver.find(reference, user_id=self._user.id))
        except NotFound:
            model = self._store.models.get(reference, self._user.id)
            if model is None:
                raise
            found = ResolvedModel(reference, Provider(model.provider, "?"), model, "")
            return {**self._row(found), "status": f"no provider {model.provider}"}

    def _row(self, found: ResolvedModel) -> dict[str, Any]:
        return {
            "slug": found.reference,
            "provider": found.provider.slug,
            "name": found.model.name,
            **_facts(found.model),
            "declared": _declared(found.model),
            "status": self._status(found),
        }

    def _status(self, found: ResolvedModel) -> str:
        """Whether it could be asked now, without asking it."""
        if found.provider.kind == "local":
            return READY if self._embedded.is_ready(found.model.name) else "not fetched"
        if found.provider.kind == "script":
            return READY
        key = self._key(found.provider)
        if key.present is None:
            return READY if key.source is None else KEY_BY_COMMAND
        return READY if key.present else f"no key: {key.source}"

    def _key(self, provider: Provider) -> KeyState:
        return describe_key(complete(provider), self._runtime)


def _facts(model: Model) -> Mapping[str, Any]:
    facts = {name: getattr(model, name) for name in FIELDS}
    return {**facts, "inputs": None if model.inputs is None else list(model.inputs)}


def _declared(model: Model) -> str:
    if model.private:
        return "private"
    if model.source:
        return "file"
    return "no" if "/" in model.slug else "by hand"
