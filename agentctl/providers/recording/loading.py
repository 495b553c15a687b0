"""Adapters whose requests are recorded, and adapters that are answered from a recording."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from agentctl.domain.blanks import Blanks
from agentctl.domain.model import Provider
from agentctl.net.client import HttpClient
from agentctl.net.recording import Exchange, RecordingClient, ReplayingClient
from agentctl.providers import load_adapter
from agentctl.providers.base import Adapter, Runtime
from agentctl.providers.keys import KEY_HEADERS
from agentctl.providers.recording.adapters import (
    CheckRecorder,
    CheckReplayer,
    RecordingAdapter,
    ReplayingAdapter,
)
from agentctl.providers.recording.exchanges import exchange_as_line, mask_error
from agentctl.providers.recording.file import Line
from agentctl.providers.recording.models import PLACEHOLDER, without_secrets
from agentctl.providers.recording.player import Player


def load_recorded(
    provider: Provider,
    runtime: Runtime,
    keep: Callable[[Line], None],
    clock: Callable[[], int],
    blanks: Blanks,
) -> Adapter:
    """The adapter of `provider`; `keep` gets a line for each of its answers, `clock` says when it came."""
    cls = load_adapter(provider.kind)
    if not _speaks_http(cls, provider):
        return CheckRecorder(RecordingAdapter(cls(provider, runtime), keep, clock), keep)

    def take(exchange: Exchange, headers: Mapping[str, str]) -> None:
        secrets = _find_secrets(provider, headers)
        blanks.learn(secrets)
        keep(exchange_as_line(mask_error(exchange, secrets), blanks))

    def make_client(url: str, **limits: Any) -> HttpClient:
        return RecordingClient(url, keep=take, clock=clock, **limits)

    return CheckRecorder(cls(provider, replace(runtime, make_client=make_client)), keep)


def load_replayed(
    provider: Provider, runtime: Runtime, player: Player, move: Callable[[int], None]
) -> Adapter:
    """The adapter of `provider`, answered by `player`; it needs no key, no program and no network."""
    cls = load_adapter(provider.kind)
    if not _speaks_http(cls, provider):
        return CheckReplayer(ReplayingAdapter(player, move), player)

    def make_client(url: str, **limits: Any) -> HttpClient:
        return ReplayingClient(url, find=player.find_exchange, move=move, **limits)

    offline = replace(
        runtime,
        find_env=lambda _: PLACEHOLDER,
        keys_file=runtime.run_dir / "no-keys",
        make_client=make_client,
    )
    return CheckReplayer(cls(without_secrets(provider), offline), player)


def _speaks_http(cls: type[Adapter], provider: Provider) -> bool:
    """Whether the adapter asks an address; others (a script, the embedded model) are no server of anybody."""
    return bool(provider.base_url or cls.default_base_url)


def _find_secrets(provider: Provider, headers: Mapping[str, str]) -> list[str]:
    """The keys among the headers of a request, without the word that says what kind of key it is."""
    looked_up = {name.lower() for name, given in provider.headers.items() if not isinstance(given, str)}
    return [headers[name].rpartition(" ")[2] for name in KEY_HEADERS | looked_up if name in headers]
