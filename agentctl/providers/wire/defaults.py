"""Fills in what a provider without a base_url leaves out: it is the one that its protocol comes from."""

from __future__ import annotations

from dataclasses import replace

from agentctl.domain.model import Provider
from agentctl.providers.keys import KEY_HEADERS


def with_defaults(provider: Provider, built_in: Provider) -> Provider:
    """`provider` with the address, key and options of `built_in`; as it is where it has an address.

    A provider that brings a key of its own, under whatever header, never sends another one.
    """
    if provider.base_url:
        return provider
    own_header = any(name.lower() in KEY_HEADERS for name in provider.headers)
    own_key = provider.api_key_env or provider.api_key_cmd or own_header
    return replace(
        provider,
        base_url=built_in.base_url,
        api_key_env=provider.api_key_env if own_key else built_in.api_key_env,
        options={**built_in.options, **provider.options},
    )
