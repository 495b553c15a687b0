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
    "openai-responses": "agentctl.providers.openai_responses.adapter:OpenAIResponsesAdapter",
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
    # Thinks unless it is told not to; refuses a turn whose calls come back without their reasoning.
    "deepseek": Provider(
        slug="deepseek",
        kind="openai",
        base_url="https://api.deepseek.com/v1",
        api_key_env="DEEPSEEK_API_KEY",
        options={
            "replay_reasoning": True,
            "structured_output": "prompt",
            "thinking_on": {"thinking": {"type": "enabled"}, "reasoning_effort": "{effort}"},
            "thinking_off": {"thinking": {"type": "disabled"}},
        },
    ),
    "gemini": Provider(
        slug="gemini",
        kind="openai",
        base_url="https://generativelanguage.googleapis.com/v1beta/openai",
        api_key_env="GEMINI_API_KEY",
        options={
            "thinking_on": {
                "reasoning_effort": "{effort}",
                "extra_body": {"google": {"thinking_config": {"thinking_budget": "{budget}"}}},
            }
        },
    ),
    # Without the format, some models put their reasoning into the text.
    "groq": Provider(
        slug="groq",
        kind="openai",
        base_url="https://api.groq.com/openai/v1",
        api_key_env="GROQ_API_KEY",
        options={
            "max_tokens_field": "max_completion_tokens",
            "thinking_on": {"reasoning_format": "parsed", "reasoning_effort": "{effort}"},
        },
    ),
    "llama-server": Provider(
        slug="llama-server",
        kind="openai",
        base_url="http://127.0.0.1:8080/v1",
        options={
            "thinking_on": {
                "chat_template_kwargs": {"enable_thinking": True, "reasoning_effort": "{effort}"}
            },
            "thinking_off": {"chat_template_kwargs": {"enable_thinking": False}},
        },
    ),
    "local": Provider(slug="local", kind="local"),
    # Sends its usage unasked.
    "mistral": Provider(
        slug="mistral",
        kind="openai",
        base_url="https://api.mistral.ai/v1",
        api_key_env="MISTRAL_API_KEY",
        options={"short_call_ids": True, "stream_options": None},
    ),
    # Models that can think do so unless they are told not to.
    "ollama": Provider(
        slug="ollama",
        kind="openai",
        base_url="http://127.0.0.1:11434/v1",
        options={"thinking_off": {"reasoning_effort": "none"}},
    ),
    "openai": Provider(
        slug="openai",
        kind="openai",
        base_url="https://api.openai.com/v1",
        api_key_env="OPENAI_API_KEY",
        # Newer models do not think unless they are told how much.
        options={"max_tokens_field": "max_completion_tokens", "thinking_effort": "medium"},
    ),
    "openai-responses": Provider(
        slug="openai-responses",
        kind="openai-responses",
        base_url="https://api.openai.com/v1",
        api_key_env="OPENAI_API_KEY",
        options={"min_output_tokens": 16},
    ),
    "openrouter": Provider(
        slug="openrouter",
        kind="openai",
        base_url="https://openrouter.ai/api/v1",
        api_key_env="OPENROUTER_API_KEY",
        options={
            "thinking_on": {"reasoning": {"enabled": True, "effort": "{effort}", "max_tokens": "{budget}"}}
        },
    ),
    "script": Provider(slug="script", kind="script"),
    "together": Provider(
        slug="together",
        kind="openai",
        base_url="https://api.together.ai/v1",
        api_key_env="TOGETHER_API_KEY",
    ),
    # Templates call the switch by either name.
    "vllm": Provider(
        slug="vllm",
        kind="openai",
        base_url="http://127.0.0.1:8000/v1",
        options={
            "thinking_on": {
                "chat_template_kwargs": {"enable_thinking": True, "thinking": True},
                "reasoning_effort": "{effort}",
            }
        },
    ),
    "xai": Provider(
        slug="xai",
        kind="openai",
        base_url="https://api.x.ai/v1",
        api_key_env="XAI_API_KEY",
        options={"max_tokens_field": "max_completion_tokens"},
    ),
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
