"""Where keys would be sent: pairs of a secret's name and the origin that requests with it go to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from agentctl.domain.model import Provider
from agentctl.domain.plan import KeyRoute
from agentctl.errors import ConfigError
from agentctl.providers import BUILT_IN, load_adapter


def key_routes(after: Iterable[Provider], before: Iterable[Provider]) -> tuple[KeyRoute, ...]:
    """The pairs of the providers in `after`; new is what neither `before` nor a built-in provider has."""
    old = {pair for provider in (*BUILT_IN.values(), *before) for pair in _pairs(provider)}
    routes = (
        KeyRoute(provider.slug, *pair, is_new=pair not in old)
        for provider in after
        for pair in dict.fromkeys(_pairs(provider))
    )
    return tuple(sorted(routes, key=lambda route: (not route.is_new, route.provider, route.variable)))


def _pairs(provider: Provider) -> Iterator[tuple[str, str]]:
    secrets = list(_secrets(provider))
    origin = _origin(provider) if secrets else None
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


def _origin(provider: Provider) -> str | None:
    """Scheme, host and port; None where the kind sends nothing anywhere."""
    url = provider.base_url or _default_url(provider.kind)
    if not url:
        return None
    parts = urlsplit(url)
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}"


def _default_url(kind: str) -> str | None:
    """From the built-in provider of that name where there is one: loading an adapter is slow."""
    if kind in BUILT_IN:
        return BUILT_IN[kind].base_url
    try:
        return load_adapter(kind).default_base_url
    except ConfigError:
        return None
