"""The agents and tools that travel with the package, for a database without agents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from agentctl.formats.yaml import parse
from agentctl.store import Store
from agentctl.sync.apply import carry_out, summarize
from agentctl.sync.declared import Declared, Origin
from agentctl.sync.files import SourceFile
from agentctl.sync.plan import compare
from agentctl.sync.schema import declare
from agentctl.sync.state import State, read_state
from agentctl.sync.templates import FOLDER, NAMES

BUILT_IN = "built in"


def declare_packaged() -> Declared:
    """What the packaged files declare; the source of it all is `built in`."""
    files = [
        SourceFile(Path(BUILT_IN), parse((FOLDER / name).read_bytes(), f"{BUILT_IN} {name}"))
        for name in NAMES
    ]
    return declare(files, Origin(frozenset({BUILT_IN})))


def apply_packaged(store: Store) -> bool:
    """Create what the packaged files declare where there are no agents; says whether it did.

    What was made by hand before is left as it is. Safe when several processes do it at once.
    """
    if not lacks_agents(store):
        return False
    declared = declare_packaged()
    with store.transaction():
        if not lacks_agents(store):
            return False
        state = read_state(store)
        plan = compare(_missing(declared, state), state)
        for change in plan.changes:
            carry_out(store, change)
        store.revisions.add(BUILT_IN, summarize(plan))
    return True


def lacks_agents(store: Store) -> bool:
    """Whether nothing was ever applied, or only what no one can talk to (a provider, a model).

    Who had agents or tools of their own gets no others.
    """
    if not store.revisions.current():
        return True
    return not store.agents.exist() and not store.revisions.ever_created("agent", "tool")


def _missing(declared: Declared, state: State) -> Declared:
    """What is not there yet; a default agent only where there is none."""
    taken = any(agent.is_default for agent in state.agents.values())
    agents = (agent for agent in declared.agents if agent.slug not in state.agents)
    return replace(
        declared,
        tools=tuple(tool for tool in declared.tools if tool.slug not in state.tools),
        agents=tuple(replace(agent, is_default=agent.is_default and not taken) for agent in agents),
    )
