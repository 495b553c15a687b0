"""The whole configuration of a database as YAML that can be applied again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentctl.formats.dump import dump
from agentctl.store import Store
from agentctl.sync.plain import Thing, plain
from agentctl.sync.state import State, read_state


def export(store: Store) -> str:
    """One document with everything; defaults are left out, and so are comments, which nobody stores."""
    state = read_state(store)
    return dump({"version": 1, **_agents_part(state), **_tools_part(state)})


def export_files(store: Store) -> dict[str, str]:
    """The same as `agents.yaml` (with providers and models) and `tools.yaml`: name -> text."""
    state = read_state(store)
    return {
        "agents.yaml": dump({"version": 1, **_agents_part(state)}),
        "tools.yaml": dump({"version": 1, **_tools_part(state)}),
    }


def _agents_part(state: State) -> dict[str, Any]:
    parts = {
        "default_model": state.default_model,
        "documents": dict(state.documents),
        "notify": list(state.notify),
        "providers": _plain_list(state.providers.values()),
        "models": _plain_list(state.models.values()),
        "agents": _plain_list(state.agents.values()),
    }
    return {key: value for key, value in parts.items() if value}


def _tools_part(state: State) -> dict[str, Any]:
    tools = _plain_list(state.tools.values())
    return {"tools": tools} if tools else {}


def _plain_list(things: Iterable[Thing]) -> list[dict[str, Any]]:
    return [plain(thing) for thing in things]
