"""Where keys would be sent: pairs of a secret's name and the origin that requests with it go to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agentctl.domain.agent import Agent
from agentctl.domain.model import Provider
from agentctl.domain.plan import KeyRoute
from agentctl.domain.tool import Tool
from agentctl.errors import ConfigError
from agentctl.providers import BUILT_IN
from agentctl.providers.origins import complete, provider_origin
from agentctl.tools import load_type
from agentctl.tools.config import read_config

# By owner, what it sends where.
Pairs = Mapping[str, Iterable[tuple[str, str]]]
NONE: Pairs = {}


def key_routes(
    after: Iterable[Provider], before: Iterable[Provider], tools: Pairs = NONE, old_tools: Pairs = NONE
) -> tuple[KeyRoute, ...]:
    """The pairs of the providers in `after` and of `tools`.

    New is what neither `before` nor `old_tools` nor a built-in provider has. A key that is kept under a
    provider's own slug makes no pair: it is bound to the place it was set for.
    """
    old = {pair for provider in (*BUILT_IN.values(), *before) for pair in _pairs(provider)}
    old = old.union(*old_tools.values())
    owners = {**{provider.slug: tuple(dict.fromkeys(_pairs(provider))) for provider in after}, **tools}
    routes = (
        KeyRoute(owner, *pair, is_new=pair not in old) for owner, pairs in owners.items() for pair in pairs
    )
    return tuple(sorted(routes, key=lambda route: (not route.is_new, route.provider, route.variable)))


def tool_pairs(tools: Mapping[str, Tool], agents: Iterable[Agent]) -> Pairs:
    """What each tool sends where, as declared and as agents change its config, by `tool SLUG`."""
    found = {f"tool {slug}": set(_tool_pairs(tool, {})) for slug, tool in tools.items()}
    for agent in agents:
        for given in agent.tools:
            if given.config and given.slug in tools:
                found[f"tool {given.slug}"] |= set(_tool_pairs(tools[given.slug], given.config))
    return {owner: pairs for owner, pairs in found.items() if pairs}


def _tool_pairs(tool: Tool, over: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if not tool.config and not over:  # nothing says where anything would be sent
        return
    try:
        tool_class = load_type(tool.type)
    except ConfigError:
        return
    config = read_config(tool_class, {**tool.config, **over})[0]
    for reference, origin in tool_class.find_routes(config) if config else ():
        yield reference.get("env") or f"key {reference['key']}", origin


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
