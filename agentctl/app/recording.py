"""Opens the tape that a turn is recorded on or replayed from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from agentctl.chat.opening import Recall
from agentctl.chat.replay import Replay
from agentctl.chat.taping import Taping
from agentctl.chat.toolbox import Toolbox
from agentctl.domain.agent import Agent
from agentctl.domain.chat import ChatRequest
from agentctl.domain.question import Ask
from agentctl.models.resolver import Resolver
from agentctl.providers.base import Runtime


def open_tape(
    request: ChatRequest,
    resolver: Resolver,
    runtime: Runtime,
    make_toolbox: Callable[[Agent], Toolbox],
    recall: Recall,
    ask: Ask | None,
    secrets: Iterable[str],
) -> Taping | Replay:
    """The tape that `request` names; `secrets` never stand on it.

    Raises NotFound and ConfigError for a replay that cannot be read.
    """
    if request.replay is not None:
        path = Path(request.cwd, request.replay)
        return Replay(path, resolver, runtime, make_toolbox, ask, live_tools=request.live_tools)
    path = Path(request.cwd, request.record or "")
    return Taping(path, resolver, runtime, make_toolbox, recall, ask, secrets=secrets)
