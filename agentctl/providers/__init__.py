"""Providers: the kinds of adapters by name, and the providers that need no declaration."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from agentctl.domain.model import Provider
from agentctl.errors import ConfigError, did_you_mean

if TYPE_CHECKING:
    from agentctl.providers.base import Adapter

KINDS: Mapping[str, str] = {
    "anthropic": "agentctl.providers.anthropic.adapter:AnthropicAdapter",
    "local": "agentctl.providers.local.adapter:LocalAdapter",
    "openai": "agentctl.providers.openai_chat.adapter:OpenAIChatAdapter",
    "script": "agentctl.providers.script.adapter:ScriptAdapter",
}

ENTRY_POINTS = "agentctl.providers"

# What answers where nothing else names a model.
EMBEDDED_MODEL = "local/qwen2.5-coder-0.5b"

BUILT_IN: Mapping[str, Provider] = {
    "anthropic": Provider(
        slug="anthropic",
        kind="anthropic",
        base_url="https://api.anthropic.com/v1",
        api_key_env="ANTHROPIC_API_KEY",
    ),
    "gemini": Provider(
        slug="gemini",
        kind="openai",
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        api_key_env="GEMINI_API_KEY",
    ),
    "local": Provider(slug="local", kind="local"),
    "ollama": Provider(slug="ollama", kind="openai", base_url="http://127.0.0.1:11434/v1"),
    "openai": Provider(
        slug="openai",
        kind="openai",
        base_url="https://api.openai.com/v1",
        api_key_env="OPENAI_API_KEY",
        options={"max_tokens_field": "max_completion_tokens"},
    ),
    "openrouter": Provider(
        slug="openrouter",
        kind="openai",
        base_url="https://openrouter.ai/api/v1",
        api_key_env="OPENROUTER_API_KEY",
        options={"thinking_on": {"reasoning": {"enabled": True}}},
    ),
    "script": Provider(slug="script", kind="script"),
}


def load_adapter(kind: str) -> type[Adapter]:
    """The adapter class of a provider kind, ours or one that an installed package registers.

    Raises ConfigError for a kind that nobody provides.
    """
    target = KINDS.get(kind)
    if target is None:
        return _load_foreign(kind)
    module, _, name = target.partition(":")
    adapter: type[Adapter] = getattr(import_module(module), name)
    return adapter


def _load_foreign(kind: str) -> type[Adapter]:
    """Entry points are looked up last: reading the metadata of every installed package is slow."""
    from importlib.metadata import entry_points

    found = list(entry_points(group=ENTRY_POINTS, name=kind))
    if not found:
        raise ConfigError(
            f'unknown provider kind "{kind}"{did_you_mean(kind, KINDS)}', hint=f"Kinds: {', '.join(KINDS)}."
        )
    adapter: type[Adapter] = found[0].load()
    return adapter
