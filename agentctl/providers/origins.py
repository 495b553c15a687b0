"""Where requests of a provider go, and with which key, once its kind has filled in what it leaves out."""

from __future__ import annotations

from agentctl.domain.model import Provider
from agentctl.errors import ConfigError
from agentctl.net.address import find_origin
from agentctl.providers import BUILT_IN, load_adapter
from agentctl.providers.wire.defaults import with_defaults


def complete(provider: Provider) -> Provider:
    """`provider` as its adapter takes it: without an address it has that of its kind, and the key for it."""
    url = None if provider.base_url else _default_url(provider.kind)
    if not url:
        return provider
    own = (built_in for built_in in BUILT_IN.values() if built_in.base_url == url)
    return with_defaults(provider, next(own, Provider(provider.kind, provider.kind, url)))


def provider_origin(provider: Provider) -> str | None:
    """Scheme, host and port that requests go to; None where the kind sends nothing anywhere."""
    return find_origin(complete(provider).base_url or "")


def _default_url(kind: str) -> str | None:
    """From the built-in provider of that name where there is one: loading an adapter is slow."""
    if kind in BUILT_IN:
        return BUILT_IN[kind].base_url
    try:
        return load_adapter(kind).default_base_url
    except ConfigError:
        return None
