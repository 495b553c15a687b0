"""Finds the model that answers: the first source that names one wins, and it says which."""

from __future__ import annotations

from collections.abc import Mapping

from agentctl.domain.agent import Agent
from agentctl.domain.model import Model, Provider, ResolvedModel
from agentctl.domain.session import Session
from agentctl.domain.user import User
from agentctl.errors import NotFound, did_you_mean
from agentctl.models.catalog import Catalog
from agentctl.models.names import suggest
from agentctl.models.sources import Source, list_sources
from agentctl.store import Store

DEFAULT_MODEL = "default_model"


class Resolver:
    """Resolves references against declared models, declared providers and built-in ones.

    `embedded` is the reference that is left when nothing else names a model, `variable` the value of
    AGENTCTL_MODEL. Wherever a user is given, what is private to that user comes before everybody's.
    """

    def __init__(
        self, store: Store, built_in: Mapping[str, Provider], embedded: str, variable: str | None = None
    ) -> None:
        self.store = store
        self.built_in = built_in
        self.embedded = embedded
        self.variable = variable
        self.catalog = Catalog()

    def choose(
        self, agent: Agent, user: User, session: Session | None = None, flag: str | None = None
    ) -> tuple[ResolvedModel, ...]:
        """The models for a conversation, best first, by the order of the contract.

        Flag, session, the user's preference, the agent's default, the global default, the embedded model.
        Only an agent's list gives more than one: each is to be used when those before it are down. Raises
        NotFound for a model that nobody knows, naming the source.
        """
        sources = self.sources(agent, user, session, flag)
        source = next(source for source in sources if source.references)
        first, *others = source.references
        fallbacks = (
            self.find(reference, f"fallback {number} of agent {agent.slug}", user.id)
            for number, reference in enumerate(others, start=1)
        )
        return (self.find(first, source.reason, user.id), *fallbacks)

    def sources(
        self, agent: Agent, user: User, session: Session | None = None, flag: str | None = None
    ) -> list[Source]:
        """Every place that may name the model of a conversation, the strongest first."""
        return list_sources(
            agent,
            user,
            session,
            flag=flag,
            variable=self.variable,
            default=self.store.settings.get(DEFAULT_MODEL),
            embedded=self.embedded,
        )

    def find(self, reference: str, reason: str = "", user_id: int | None = None) -> ResolvedModel:
        """The model that `reference` (a declared slug or `provider/model`) means, with what is known of it.

        Raises NotFound with a suggestion; `reason` says in the error where the reference came from.
        """
        declared = self.store.models.get(reference, user_id)
        if declared:
            provider = self.provider(declared.provider, user_id)
            return ResolvedModel(reference, provider, self.catalog.complete(declared, provider), reason)
        slug, slash, name = reference.partition("/")
        where = f", {reason}" if reason else ""
        if not slash or not name:
            raise self._unknown(reference, where, user_id)
        provider = self.provider(slug, user_id, f' in "{reference}"{where}')
        model = self.catalog.complete(Model(reference, slug, name), provider)
        return ResolvedModel(reference, provider, model, reason)

    def _unknown(self, reference: str, where: str, user_id: int | None) -> NotFound:
        slug = reference.rstrip("/")
        if slug in self.provider_slugs(user_id):
            hint = f"{slug} is a provider: write {slug}/MODEL, or see agentctl models list --all."
            return NotFound(f'unknown model "{reference}"{where}', hint=hint)
        return NotFound(
            f'unknown model "{reference}"{where}{suggest(reference, self.names(user_id))}',
            hint="Write provider/model (e.g. openai/gpt-4.1-mini), or see agentctl models list.",
        )

    def provider(self, slug: str, user_id: int | None = None, where: str = "") -> Provider:
        """The declared provider of this name, else the built-in one; raises NotFound."""
        provider = self.store.providers.get(slug, user_id) or self.built_in.get(slug)
        if provider:
            return provider
        known = self.provider_slugs(user_id)
        raise NotFound(
            f'unknown provider "{slug}"{where}{did_you_mean(slug, known)}',
            hint=f"Known providers: {', '.join(known)}.",
        )

    def provider_slugs(self, user_id: int | None = None) -> list[str]:
        """Every provider that can be named, declared or built in."""
        return sorted({*self.built_in, *(each.slug for each in self.store.providers.list(user_id))})

    def names(self, user_id: int | None = None) -> list[str]:
        """What can be suggested: declared models, and those in the catalogue whose provider is known."""
        declared = (model.slug for model in self.store.models.list(user_id))
        known = (
            f"{provider}/{name}"
            for provider in self.provider_slugs(user_id)
            for name in self.catalog.names(provider)
        )
        return list(dict.fromkeys([*declared, *known]))
