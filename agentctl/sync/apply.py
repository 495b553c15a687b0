"""Carries out a plan in one transaction, or not at all."""

from __future__ import annotations

from typing import Any

from agentctl.domain.plan import Change, Plan
from agentctl.errors import Busy
from agentctl.store import Store
from agentctl.sync.declared import Declared
from agentctl.sync.plan import compare
from agentctl.sync.state import read_state


def make_plan(store: Store, declared: Declared, *, prune: bool = False) -> Plan:
    """What an apply would do now; writes nothing. Raises ConfigError as `compare` does."""
    return compare(declared, read_state(store), prune=prune)


def apply_plan(
    store: Store, declared: Declared, *, prune: bool = False, confirmed: Plan | None = None
) -> Plan:
    """Plan and write inside of one write transaction; gives the plan that was carried out.

    `confirmed` is the plan a person said yes to: Busy is raised when the database is not what it was then.
    A revision is recorded when there were changes. On any error nothing is changed.
    """
    with store.transaction():
        state = read_state(store)
        plan = compare(declared, state, prune=prune)
        if confirmed is not None and (state != confirmed.basis or plan != confirmed):
            raise Busy(
                "the database changed since this plan was made; nothing was applied",
                hint="run `agentctl apply` again and look at the new plan",
            )
        for change in plan.changes:
            carry_out(store, change)
        if plan.changes:
            store.revisions.add(plan.source, summarize(plan))
    return plan


def summarize(plan: Plan) -> dict[str, object]:
    """What is kept of an apply: the counts, and the names that changed."""
    changed = [f"{change.kind} {change.noun} {change.slug}" for change in plan.changes]
    return {**plan.counts, "changes": changed}


def carry_out(store: Store, change: Change) -> None:
    """Write one change; the caller holds the transaction."""
    if change.noun == "setting":
        store.settings.set(change.slug, change.value)
        return
    repositories: dict[str, Any] = {
        "agent": store.agents,
        "model": store.models,
        "provider": store.providers,
        "tool": store.tools,
    }
    repository = repositories[change.noun]
    if change.kind == "delete":
        repository.delete(change.slug)
    else:
        repository.put(change.value)
