from __future__ import annotations

import asyncio
import re

from agentctl.domain.ids import chance, clock_ms, drawn_from, has_time, new_id, now_ms
from agentctl.domain.source import Source


def test_an_id_has_its_prefix_and_the_time_in_it() -> None:
    assert re.fullmatch(r"as_[0-9a-z]{8}_[0-9a-z]{8}", new_id("as"))
    assert len({new_id("as") for _ in range(1_000)}) == 1_000
    assert abs(now_ms() - clock_ms()) < 60_000
    assert has_time()


def test_the_same_source_gives_the_same_ids_times_and_chances() -> None:
    def draw(waits: bool) -> list[object]:
        source = Source("seed", 1_000, waits=waits)
        with drawn_from(source):
            drawn = [now_ms(), new_id("as"), new_id("as"), chance(), has_time()]
            source.move(2_000)
            return [*drawn, now_ms(), new_id("am")]

    first, second = draw(True), draw(False)
    assert first[:4] == second[:4]
    assert (first[4], second[4]) == (True, False)
    assert first[5:] == second[5:]
    assert first[1] != first[2]


def test_ids_of_one_kind_do_not_depend_on_those_of_another() -> None:
    with drawn_from(Source("seed", 1_000, waits=True)):
        new_id("am")
        late = new_id("as")
    with drawn_from(Source("seed", 1_000, waits=True)):
        assert new_id("as") == late


def test_a_clock_that_is_set_never_goes_back() -> None:
    source = Source("seed", 2_000, waits=True)
    source.move(1_000)
    assert source.time == 2_000


def test_a_source_holds_in_tasks_that_are_started_under_it_and_nowhere_else() -> None:
    async def main() -> tuple[int, int]:
        async def tell() -> int:
            return now_ms()

        with drawn_from(Source("seed", 7, waits=True)):
            task = asyncio.create_task(tell())
        return await task, now_ms()

    inside, outside = asyncio.run(main())
    assert inside == 7
    assert outside > 7
