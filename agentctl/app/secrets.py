"""The keys that must not stand in a recording or a log."""

from __future__ import annotations

from collections.abc import Iterator

from agentctl.app.tool_secrets import find_key_variables
from agentctl.models.resolver import Resolver
from agentctl.providers.base import Runtime
from agentctl.providers.key_file import KeyFile


def known_secrets(resolver: Resolver, runtime: Runtime, user_id: int) -> Iterator[str]:
    """Every key that is at hand without running anything."""
    for stored in KeyFile(runtime.keys_file).read().values():
        yield stored.key
    providers = (*resolver.built_in.values(), *resolver.store.providers.list(user_id))
    of_tools = find_key_variables(resolver.store)
    for name in of_tools.union(*(provider.key_variables for provider in providers)):
        yield (runtime.find_env(name) or "").strip()
