"""A run whose process is gone: what it had used and reserved is settled by whoever goes on."""

from __future__ import annotations

from dataclasses import replace

from agentctl.chat.holder import current_holder
from agentctl.chat.spending import Spending
from agentctl.chat.takeover import free_session
from agentctl.domain.agent import Agent
from agentctl.domain.limits import Limits
from agentctl.domain.message import Usage
from agentctl.domain.model import Model, Provider, ResolvedModel
from agentctl.domain.usage import Payer
from agentctl.store import Store
from agentctl.store.runs import NewRun

MODEL = ResolvedModel(
    "p/m",
    Provider("p", "openai"),
    Model("m", "p", "m", max_output_tokens=1000, input_price=1.0, output_price=10.0),
    "named",
)


def test_a_dead_run_keeps_what_it_used_and_its_reservation_becomes_an_unknown_cost(store: Store) -> None:
    store.agents.put(Agent("coder", "Coder"))
    agent, user = store.agents.require("coder"), store.users.ensure("tester")
    session = store.sessions.create(user.id, agent.id, "coder", None, 0)
    gone = replace(current_holder(), boot_id="another boot")
    run = store.runs.start(NewRun(session, user.id, "coder", "p/m", "/", 0, {}))
    store.runs.take(run, gone)
    payer = Payer(user.id, "coder", session, run)
    spending = Spending(store, payer, Limits(max_cost_usd_per_day=1.0), {})
    spending.settle(spending.reserve(MODEL, 1000), Usage(1000, 100), "am_1")
    spending.reserve(MODEL, 1000)

    free_session(store, session)

    (ended,) = store.runs.list(session)
    assert (ended.status, ended.usage, ended.cost_usd) == ("interrupted", Usage(1000, 100), 0.002)
    assert store.usage.of_run(run).unpriced == 1
    assert store.usage.spent_today("coder") == 0.0135
