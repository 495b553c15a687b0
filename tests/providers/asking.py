from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentctl.domain.message import Message, Text
from agentctl.domain.model import Model, Provider
from agentctl.providers.base import Adapter, ModelRequest, Reply, Runtime, StreamItem
from agentctl.providers.openai_chat.adapter import OpenAIChatAdapter


def make_runtime(folder: Path, env: Mapping[str, str] | None = None, **values: Any) -> Runtime:
    defaults = Runtime(
        find_env=(env or {}).get,
        keys_file=folder / "keys.json",
        cache_dir=folder / "cache",
        run_dir=folder / "run",
        connect_timeout=5.0,
        stream_timeout=5.0,
    )
    return replace(defaults, **values)


def make_request(text: str = "Hello?", **values: Any) -> ModelRequest:
    model = values.pop("model", Model("m", "mine", "m"))
    messages = values.pop("messages", (Message("user", (Text(text),)),))
    return ModelRequest(model=model, messages=messages, **values)


def collect(adapter: Adapter, request: ModelRequest) -> list[StreamItem]:
    """Everything the adapter yields for one request; the adapter is closed."""

    async def run() -> list[StreamItem]:
        try:
            return [item async for item in adapter.stream(request)]
        finally:
            await adapter.close()

    return asyncio.run(run())


def ask(url: str, runtime: Runtime, request: ModelRequest | None = None, **provider: Any) -> Reply:
    """The reply of a Chat Completions server at `url`."""
    declared = Provider("mine", "openai", base_url=url, **provider)
    reply = collect(OpenAIChatAdapter(declared, runtime), request or make_request())[-1]
    assert isinstance(reply, Reply)
    return reply
