"""What the database holds of the things that files declare."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentctl.domain.agent import Agent
from agentctl.domain.approval import NOTIFY_SETTING
from agentctl.domain.document_limits import DOCUMENT_SETTINGS
from agentctl.domain.model import Model, Provider
from agentctl.domain.tool import Tool

if TYPE_CHECKING:
    from agentctl.store import Store

DEFAULT_MODEL = "default_model"


@dataclass(frozen=True, slots=True)
class State:
    """All of it by slug. Two states are equal when nothing of it changed between them."""

    providers: Mapping[str, Provider] = field(default_factory=dict)
    models: Mapping[str, Model] = field(default_factory=dict)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    agents: Mapping[str, Agent] = field(default_factory=dict)
    default_model: str | None = None
    documents: Mapping[str, int] = field(default_factory=dict)
    notify: tuple[str, ...] = ()
    revision: int = 0


NOTHING = State()


def read_state(store: Store) -> State:
    """The state now; a few queries, however much there is."""
    return State(
        providers={provider.slug: provider for provider in store.providers.list()},
        models={model.slug: model for model in store.models.list()},
        tools={tool.slug: tool for tool in store.tools.list()},
        agents={agent.slug: agent for agent in store.agents.list()},
        default_model=store.settings.get(DEFAULT_MODEL),
        documents=json.loads(store.settings.get(DOCUMENT_SETTINGS) or "{}"),
        notify=tuple(json.loads(store.settings.get(NOTIFY_SETTING) or "[]")),
        revision=store.revisions.current(),
    )
