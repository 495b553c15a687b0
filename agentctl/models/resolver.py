"""Finds the model that answers: the first source that names one wins, and it says which."""

from __future__ import annotations

from collections.abc import Mapping

from agentctl.domain.agent import Agent
from agentctl.domain.model import Model, Provider, ResolvedModel
from agentctl.domain.session import Session
from agentctl.domain.user import User
from agentctl.errors import NotFound, did_you_mean
from agentctl.store import Store


class Resolver:
    """Resolves references against declared models, declared providers and built-in ones.

    `embedded` is the reference that is left when nothing else names a model.
    """

    def __init__(self, store: Store, built_in: Mapping[str, Provider], embedded: str) -> None:
        self.store = store
        self.built_in = built_in
        self.embedded = embedded

    def choose(
        self, agent: Agent, user: User, session: Session | None = None, flag: str | None = None
    ) -> ResolvedModel:
        """The model for a conversation, by the order of the contract.

        Flag, session, the user's preference, the agent's default, the global default, the embedded model.
        """
        sources = (
            (flag, "given with -m or AGENTCTL_MODEL"),
            (session.model if session else None, "the session's model"),
            (user.preferred_model, "the user's preferred model"),
            (agent.default_model[0] if agent.default_model else None, f"the default of agent {agent.slug}"),
            (self.store.settings.get("default_model"), "the global default"),
        )
        for reference, reason in sources:
            if reference:
                return self.find(reference, reason)
        return self.find(self.embedded, "the embedded model, because nothing else names one")

    def find(self, reference: str, reason: str = "named") -> ResolvedModel:
        """The model that `reference` (a declared slug or `provider/model`) means.

        Raises NotFound with a suggestion.
        """
        declared = self.store.models.get(reference)
        if declared:
            return ResolvedModel(reference, self.provider(declared.provider), declared, reason)
        slug, slash, name = reference.partition("/")
        if not slash or not name:
            raise NotFound(
                f'unknown model "{reference}"{did_you_mean(reference, self._slugs())}',
                hint="Write provider/model (e.g. openai/gpt-4.1-mini), or see agentctl models list.",
            )
        return ResolvedModel(reference, self.provider(slug), Model(reference, slug, name), reason)

    def provider(self, slug: str) -> Provider:
        """The declared provider of this name, else the built-in one; raises NotFound."""
        provider = self.store.providers.get(slug) or self.built_in.get(slug)
        if provider:
            return provider
        known = sorted({*self.built_in, *(provider.slug for provider in self.store.providers.list())})
        raise NotFound(
            f'unknown provider "{slug}"{did_you_mean(slug, known)}',
            hint=f"Known providers: {', '.join(known)}.",
        )

    def _slugs(self) -> list[str]:
        return [model.slug for model in self.store.models.list()]
