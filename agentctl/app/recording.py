"""Opens the tape that a turn is recorded on or replayed from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from agentctl.chat.replay import Replay
from agentctl.chat.taping import Taping
from agentctl.chat.toolbox import Toolbox
from agentctl.domain.agent import Agent
from agentctl.domain.approval import Ask
from agentctl.domain.chat import ChatRequest
from agentctl.models.resolver import Resolver
from agentctl.providers.base import Runtime
from agentctl.providers.key_file import KeyFile


def open_tape(
    request: ChatRequest,
    resolver: Resolver,
    runtime: Runtime,
    make_toolbox: Callable[[Agent], Toolbox],
    ask: Ask | None,
) -> Taping | Replay:
    """The tape that `request` names. Raises NotFound and ConfigError for a replay that cannot be read."""
    if request.replay is not None:
        path = Path(request.cwd, request.replay)
        return Replay(path, resolver, runtime, make_toolbox, ask, live_tools=request.live_tools)
    path = Path(request.cwd, request.record or "")
    return Taping(path, resolver, runtime, make_toolbox, ask, secrets=_find_secrets(resolver, runtime))


def _find_secrets(resolver: Resolver, runtime: Runtime) -> Iterator[str]:
    """Every key that is at hand without running anything: they must not stand in a recording."""
    for stored in KeyFile(runtime.keys_file).read().values():
        yield stored.key
    providers = (*resolver.built_in.values(), *resolver.store.providers.list())
    names = {provider.api_key_env for provider in providers if provider.api_key_env}
    for provider in providers:
        names |= {
            given["env"] for given in provider.headers.values() if isinstance(given, dict) and "env" in given
        }
    for name in names:
        yield (runtime.find_env(name) or "").strip()
