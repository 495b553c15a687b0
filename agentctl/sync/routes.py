"""Where keys would be sent: pairs of a secret's name and the origin that requests with it go to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agentctl.domain.model import Provider
from agentctl.domain.plan import KeyRoute
from agentctl.providers import BUILT_IN
from agentctl.providers.origins import complete, provider_origin


def key_routes(after: Iterable[Provider], before: Iterable[Provider]) -> tuple[KeyRoute, ...]:
    """The pairs of the providers in `after`; new is what neither `before` nor a built-in provider has.

    A key that is kept under a provider's own slug makes no pair: it is bound to the place it was set for.
    """
    old = {pair for provider in (*BUILT_IN.values(), *before) for pair in _pairs(provider)}
    routes = (
        KeyRoute(provider.slug, *pair, is_new=pair not in old)
        for provider in after
        for pair in dict.fromkeys(_pairs(provider))
    )
    return tuple(sorted(routes, key=lambda route: (not route.is_new, route.provider, route.variable)))


def _pairs(provider: Provider) -> Iterator[tuple[str, str]]:
    completed = complete(provider)
    secrets = list(_secrets(completed))
    origin = provider_origin(completed) if secrets else None
    if origin:
        for secret in secrets:
            yield secret, origin


def _secrets(provider: Provider) -> Iterator[str]:
    if provider.api_key_env:
        yield provider.api_key_env
    if provider.api_key_cmd:
        yield "command " + " ".join(provider.api_key_cmd)
    for value in provider.headers.values():
        if isinstance(value, Mapping):
            yield value["env"] if "env" in value else f"key {value.get('key')}"
