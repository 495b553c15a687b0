"""Providers as commands see them: everybody's, one's own, and the built-in ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentctl.domain.model import Provider
from agentctl.models.resolver import Resolver
from agentctl.providers import BUILT_IN
from agentctl.providers.base import Runtime
from agentctl.providers.keys import describe_key
from agentctl.providers.origins import complete


class Providers:
    """The providers that one user can ask."""

    def __init__(self, resolver: Resolver, user_id: int, runtime: Runtime) -> None:
        self._resolver = resolver
        self._user_id = user_id
        self._runtime = runtime

    def list(self) -> Sequence[dict[str, Any]]:
        """Every provider that this user can ask, by slug, as rows; a hidden namesake is left out."""
        slugs = self._resolver.provider_slugs(self._user_id)
        return [self._row(self._resolver.provider(slug, self._user_id)) for slug in slugs]

    def show(self, slug: str) -> dict[str, Any]:
        """All there is to know about one provider. Raises NotFound."""
        provider = self._resolver.provider(slug, self._user_id)
        row = self._row(provider)
        details = {
            "api_key_env": provider.api_key_env,
            "api_key_cmd": list(provider.api_key_cmd),
            "headers": dict(provider.headers),
            "options": dict(provider.options),
        }
        return {**row, **details}

    def _row(self, provider: Provider) -> dict[str, Any]:
        completed = complete(provider)
        key = describe_key(completed, self._runtime)
        return {
            "slug": provider.slug,
            "kind": provider.kind,
            "base_url": completed.base_url,
            "key": key.source,
            "key_present": key.present,
            "source": name_source(provider),
        }


def name_source(provider: Provider) -> str:
    """The file that declares it, or: built in, by hand, private."""
    if provider.private:
        return "private"
    if provider.source:
        return provider.source
    return "built in" if BUILT_IN.get(provider.slug) is provider else "by hand"
