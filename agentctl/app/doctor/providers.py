"""Whether the providers that agents use have their keys and answer."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

from agentctl.app.doctor.subject import Subject
from agentctl.domain.finding import Finding
from agentctl.domain.model import Provider
from agentctl.errors import AgentctlError
from agentctl.net.address import hide_secrets
from agentctl.net.client import HttpClient
from agentctl.providers import BUILT_IN, EMBEDDED_MODEL
from agentctl.providers.keys import describe_key
from agentctl.providers.origins import complete

SECONDS = 5.0


def check_models(subject: Subject) -> Iterator[Finding]:
    """Whether anybody knows the models that agents would ask."""
    for reference in used_models(subject) if has_database(subject) else ():
        try:
            subject.resolver.find(reference, user_id=subject.user.id)
        except AgentctlError as error:
            repair = error.hint or "See agentctl models list."
            yield Finding(f"model {reference}", "problem", error.message, repair)


def check_keys(subject: Subject) -> Iterator[Finding]:
    """Whether each key is there; its content is not looked at, and no command is run."""
    for provider in used_providers(subject):
        state = describe_key(provider, subject.adapters.runtime)
        name = f"key of {provider.slug}"
        if state.source is None:
            yield Finding(name, "ok", "needs none")
        elif state.present is None:
            yield Finding(name, "note", f"comes from {state.source}, which was not run")
        elif state.present:
            yield Finding(name, "ok", f"in {state.source}")
        else:
            yield Finding(name, "problem", f"missing: {state.source}", state.repair)


def check_reachable(subject: Subject) -> Iterator[Finding]:
    """Whether anybody answers at each base_url; no key is sent."""
    providers = used_providers(subject)
    if not providers:
        yield Finding("providers", "ok", "no agent uses one over the network")
        return
    yield from asyncio.run(_reach_all(providers))


def used_providers(subject: Subject) -> list[Provider]:
    """The providers over HTTP that enabled agents would ask, and those that somebody declared."""
    found: dict[str, Provider] = {}
    if has_database(subject):
        found = {provider.slug: provider for provider in subject.store.providers.list(subject.user.id)}
    for reference in used_models(subject):
        provider = _find_provider(subject, reference)
        if provider:
            found[provider.slug] = provider
    places = (complete(provider) for _, provider in sorted(found.items()))
    return [provider for provider in places if provider.base_url]


def used_models(subject: Subject) -> list[str]:
    """The models that enabled agents would ask, fallbacks and title models included."""
    references: dict[str, None] = {}
    agents = subject.store.agents.list() if has_database(subject) else []
    if not agents:
        # The packaged agents name no model.
        return [subject.config.model or EMBEDDED_MODEL]
    for agent in agents:
        if not agent.enabled:
            continue
        sources = subject.resolver.sources(agent, subject.user)
        chosen = next(source for source in sources if source.references)
        references |= dict.fromkeys((*chosen.references, *filter(None, (agent.title_model,))))
    return list(references)


def has_database(subject: Subject) -> bool:
    """Whether there is a database already; looking at it would make one."""
    return os.path.exists(subject.config.db)


def _find_provider(subject: Subject, reference: str) -> Provider | None:
    if not has_database(subject):
        return BUILT_IN.get(reference.partition("/")[0])
    try:
        return subject.resolver.find(reference, user_id=subject.user.id).provider
    except AgentctlError:
        return None


async def _reach_all(providers: list[Provider]) -> list[Finding]:
    return list(await asyncio.gather(*(_reach(provider) for provider in providers)))


async def _reach(provider: Provider) -> Finding:
    url = provider.base_url or ""
    client = HttpClient(url, connect_timeout=SECONDS, idle_timeout=SECONDS)
    try:
        # Any answer will do: without a key a refusal is what a healthy provider gives.
        await client.touch(url)
    except AgentctlError as error:
        repair = error.hint or f"Check the network and the base_url of provider {provider.slug}."
        return Finding(f"provider {provider.slug}", "problem", error.message, repair)
    finally:
        await client.close()
    return Finding(f"provider {provider.slug}", "ok", f"{hide_secrets(url)} answers")
