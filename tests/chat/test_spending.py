"""Limits on tokens, calls and money, for one run and for many processes at once."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentctl.chat.budget import check_prices, output_bound
from agentctl.chat.spending import Spending
from agentctl.domain.limits import Limits
from agentctl.domain.message import Usage
from agentctl.domain.model import Model, Provider, ResolvedModel
from agentctl.domain.usage import Payer, Spent
from agentctl.errors import ConfigError, LimitReached
from agentctl.store import Store

PRICED = Model("m", "p", "m", max_output_tokens=1000, input_price=1.0, output_price=10.0)


def resolved(model: Model = PRICED, **changes: Any) -> ResolvedModel:
    return ResolvedModel(f"p/{model.name}", Provider("p", "openai"), replace(model, **changes), "named")


def spending(
    store: Store, run: str = "ar_1", options: dict[str, Any] | None = None, **limits: Any
) -> Spending:
    return Spending(store, Payer(1, "coder", "as_1", run), Limits(**limits), options or {})


def statements(store: Store, action: Any) -> list[str]:
    seen: list[str] = []
    store.database.connection.set_trace_callback(seen.append)
    action()
    store.database.connection.set_trace_callback(None)
    # What a trigger does is traced as the statement that set it off, once more.
    return list(dict.fromkeys(seen))


def test_without_limits_nothing_is_read_and_one_row_written(store: Store) -> None:
    run = spending(store, max_tool_calls=3, timeout=5.0)
    held: list[Any] = []
    assert statements(store, lambda: held.append(run.reserve(resolved(), 10))) == []
    (written,) = statements(store, lambda: run.settle(held[0], Usage(1000, 100), "am_1"))
    assert written.startswith("INSERT INTO usage")
    assert run.spent == Spent(1, Usage(1000, 100), 0.002, 0)


def test_a_request_that_fits_may_use_all_that_the_model_gives(store: Store) -> None:
    run = spending(store, max_cost_usd=1.0)
    reservation = run.reserve(resolved(), 1000)
    assert (reservation.max_output, reservation.limit) == (1000, None)
    assert store.usage.counted_for_run("ar_1") == (0.0115, 1000)
    assert run.settle(reservation, Usage(900, 10), "am_1") == 0.001
    assert store.usage.counted_for_run("ar_1") == (0.001, 10)
    assert run.cut(reservation) is None


def test_an_answer_is_made_shorter_where_only_a_part_of_it_can_be_paid(store: Store) -> None:
    run = spending(store, max_cost_usd=0.0035)
    reservation = run.reserve(resolved(), 1000)
    assert (reservation.max_output, reservation.limit) == (200, "max_cost_usd")
    error = run.cut(reservation)
    assert error is not None
    assert "200 tokens" in error.message
    assert "--max-cost" in str(error.hint)


def test_an_answer_of_a_few_tokens_is_not_asked_for(store: Store) -> None:
    run = spending(store, max_cost_usd=0.003)
    run.settle(run.reserve(resolved(), 100), Usage(100, 140), "am_1")
    with pytest.raises(
        LimitReached, match=r"the run reached its limit of 0\.003 USD: 0\.0015 USD is"
    ) as caught:
        run.reserve(resolved(), 1000)
    assert "can cost 0.00166 USD" in caught.value.message
    assert "max_cost_usd" in str(caught.value.hint)
    assert store.usage.counted_for_run("ar_1") == (0.0015, 140)


def test_a_day_counts_every_run_of_the_agent_whoever_asked_and_only_today(store: Store) -> None:
    yesterday, other = spending(store, "ar_0"), Spending(store, Payer(2, "coder"), Limits(), {})
    yesterday.settle(yesterday.reserve(resolved(), 1), Usage(0, 1000))
    store.database.execute("UPDATE usage_days SET day = day - 1")
    other.settle(other.reserve(resolved(), 1), Usage(0, 900))
    run = spending(store, max_cost_usd_per_day=0.01)
    assert run.reserve(resolved(), 0).max_output == 100
    with pytest.raises(
        LimitReached, match=r"agent coder .* 0\.01 USD a day \(UTC\).* 0\.009 USD is spent, 0\.001"
    ):
        spending(store, "ar_2", max_cost_usd_per_day=0.01).reserve(resolved(), 0)


def test_the_nearer_of_two_limits_holds(store: Store) -> None:
    run = spending(store, max_cost_usd=0.005, max_cost_usd_per_day=0.002, max_output_tokens=900)
    reservation = run.reserve(resolved(), 0)
    assert (reservation.max_output, reservation.limit) == (200, "max_cost_usd_per_day")


def test_output_tokens_are_counted_over_the_whole_run(store: Store) -> None:
    run = spending(store, max_output_tokens=150)
    model = resolved(input_price=None, output_price=None)
    assert run.reserve(model, 10).max_output == 150
    run.release(run.reserve(model, 10))
    run.settle(run.reserve(model, 10), Usage(10, 100), "am_1")
    last = run.reserve(model, 10)
    assert (last.max_output, last.limit) == (50, "max_output_tokens")
    run.settle(last, Usage(10, 50), "am_2")
    with pytest.raises(LimitReached, match="150 output tokens"):
        run.reserve(model, 10)


def test_an_answer_of_unknown_size_is_counted_as_it_was_received_else_as_it_was_reserved(
    store: Store,
) -> None:
    run = spending(store, max_output_tokens=150)
    assert run.settle(run.reserve(resolved(), 10), None, "am_1", received=30) is None
    assert run.reserve(resolved(), 10).max_output == 120
    run.finish()
    with pytest.raises(LimitReached):
        run.reserve(resolved(), 10)
    assert run.spent.unpriced == 2


def test_a_request_that_came_to_nothing_leaves_nothing(store: Store) -> None:
    run = spending(store, max_cost_usd=0.02)
    for _ in range(5):
        run.reserve(resolved(), 1000)
    run.release(run.reserve(resolved(), 1000))
    assert store.usage.counted_for_run("ar_1") == (0.0, 0)
    assert run.spent == Spent()


def test_a_title_counts_for_the_day_and_not_for_the_run(store: Store) -> None:
    run = spending(store, max_cost_usd=0.001, max_cost_usd_per_day=1.0, max_output_tokens=10)
    title = run.reserve(resolved(max_output_tokens=None), 100, purpose="title")
    assert title.max_output == 2000
    assert run.settle(title, Usage(100, 10)) == 0.0002
    assert store.usage.spent_today("coder") == 0.0002
    assert store.usage.counted_for_run("ar_1") == (0.0, 0)
    assert run.spent == Spent()


def test_a_title_beside_an_answer_does_not_end_it(store: Store) -> None:
    run = spending(store, max_cost_usd_per_day=1.0)
    answer = run.reserve(resolved(), 1000)
    run.release(run.reserve(resolved(), 1, purpose="title"))
    run.finish()
    assert store.usage.of_run("ar_1").unpriced == 1
    assert store.usage.counted_for_run("ar_1") == (0.0115, answer.max_output)


def test_tool_calls_are_allowed_until_they_are_used_up(store: Store) -> None:
    run = spending(store, max_tool_calls=3)
    assert [run.allow_calls(2), run.allow_calls(2), run.allow_calls(1)] == [2, 1, 0]
    assert "3 tool calls" in run.calls_used_up().message
    assert spending(store).allow_calls(99) == 99
    assert spending(store, max_tool_calls=0).allow_calls(1) == 0


@pytest.mark.parametrize("limits", [Limits(max_cost_usd=1.0), Limits(max_cost_usd_per_day=1.0)])
def test_a_limited_cost_needs_a_price_and_a_bound(limits: Limits) -> None:
    with pytest.raises(ConfigError, match="the price of p/m is unknown") as caught:
        check_prices(limits, [resolved(), resolved(output_price=None)], {})
    assert "models:" in str(caught.value.hint)
    with pytest.raises(ConfigError, match="nothing bounds an answer of p/m") as caught:
        check_prices(limits, [resolved(max_output_tokens=None)], {"max_tokens": None})
    assert "max_output_tokens" in str(caught.value.hint)


def test_what_bounds_an_answer_is_enough_and_so_is_an_answer_that_costs_nothing() -> None:
    limits, unbounded = Limits(max_cost_usd=1.0), resolved(max_output_tokens=None)
    check_prices(limits, [unbounded], {"max_tokens": 5})
    check_prices(replace(limits, max_output_tokens=5), [unbounded], {})
    check_prices(limits, [resolved(max_output_tokens=None, output_price=0.0)], {})
    check_prices(Limits(max_output_tokens=5), [resolved(input_price=None)], {})


def test_the_agents_own_option_is_stronger_and_the_model_still_bounds_it() -> None:
    model = resolved(options={"max_tokens": 300})
    assert output_bound(model, {}) == 300
    assert output_bound(model, {"max_tokens": 400}) == 400
    assert output_bound(model, {"max_tokens": 4000}) == 1000
    assert output_bound(model, {"max_tokens": None}) == 1000


def test_a_free_model_is_never_stopped_by_money(store: Store) -> None:
    free = resolved(input_price=0.0, output_price=0.0, max_output_tokens=None)
    run = spending(store, max_cost_usd=1e-9)
    reservation = run.reserve(free, 10**9)
    assert reservation.max_output is None
    assert run.settle(reservation, None, "am_1") == 0.0


WORKER = """
import sys, time
from pathlib import Path
from agentctl.chat.spending import Spending
from agentctl.domain.limits import Limits
from agentctl.domain.message import Usage
from agentctl.domain.model import Model, Provider, ResolvedModel
from agentctl.domain.usage import Payer
from agentctl.errors import LimitReached
from agentctl.store import Store

path, number = sys.argv[1], int(sys.argv[2])
store = Store(path)
store.database
Path(f"{path}.ready-{number}").touch()
while not Path(f"{path}.go").exists():
    time.sleep(0.01)
model = Model("m", "p", "m", max_output_tokens=50, input_price=1.0, output_price=10.0)
asked = ResolvedModel("p/m", Provider("p", "openai"), model, "named")
done = 0
while True:
    payer = Payer(1, "coder", "as", f"ar_{number}_{done}")
    run = Spending(store, payer, Limits(max_cost_usd_per_day=0.05), {})
    try:
        reservation = run.reserve(asked, 100)
    except LimitReached:
        break
    # Two of three use all they may, one dies with its reservation, and some cost less.
    if number % 3:
        run.settle(reservation, Usage(150, reservation.max_output if number % 2 else 5), "am")
    else:
        break
    done += 1
print(done)
"""
PROCESSES = 32
WATCH = """
CREATE TABLE highest (usd REAL);
CREATE TRIGGER watch_insert AFTER INSERT ON usage BEGIN
    INSERT INTO highest SELECT round(sum(ifnull(cost_usd, counted_usd)), 9) FROM usage;
END;
CREATE TRIGGER watch_update AFTER UPDATE ON usage BEGIN
    INSERT INTO highest SELECT round(sum(ifnull(cost_usd, counted_usd)), 9) FROM usage;
END;
"""


def test_32_processes_never_pass_a_daily_limit_together(store: Store, tmp_path: Path) -> None:
    store.database.connection.executescript(WATCH)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, store.path, str(number)], stdout=subprocess.PIPE, text=True
        )
        for number in range(PROCESSES)
    ]
    while len(list(Path(store.path).parent.glob("*.ready-*"))) < PROCESSES:
        assert all(worker.poll() is None for worker in workers)
        time.sleep(0.05)
    Path(f"{store.path}.go").touch()
    done = [int(worker.communicate(timeout=120)[0]) for worker in workers]
    highest = store.database.execute("SELECT max(usd) FROM highest").fetchone()[0]
    assert highest <= 0.05
    # It was the limit that ended them, not the lack of anything to do.
    assert highest > 0.049
    assert sum(1 for requests in done if requests) > 1
    assert store.usage.spent_today("coder") > 0.045
