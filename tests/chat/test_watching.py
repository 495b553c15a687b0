"""What a watcher gets of a run: every word once, in any order of watching and writing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from agentctl.chat.holder import current_holder
from agentctl.chat.takeover import free_session
from agentctl.chat.watching import follow, watch
from agentctl.domain.agent import Agent
from agentctl.domain.event import Event, Span
from agentctl.domain.message import Message, Text
from agentctl.domain.outcome import RunResult
from agentctl.domain.states import RunStatus
from agentctl.errors import NotFound, TemporaryFailure
from agentctl.store import Store
from agentctl.store.runs import NewRun

# Nothing here takes long; what hangs is to fail.
HANGS = 20


class Speaker:
    """A run of this process, that says what a test has it say; `read` is what has come to a watcher."""

    def __init__(self, store: Store, *, schema: Any = None, alive: bool = True) -> None:
        self.store = store
        store.agents.put(Agent("coder", "Coder"))
        user = store.users.ensure("tester").id
        agent = store.agents.require("coder")
        self.session = store.sessions.create(user, agent.id, "coder", None, 0)
        self.run = store.runs.start(NewRun(self.session, user, "coder", "p/m", "/", 0, {"schema": schema}))
        holder = current_holder()
        store.runs.take(self.run, holder if alive else replace(holder, boot_id="another boot"))
        self.add(1, "init")

    def add(self, seq: int, kind: str, **data: Any) -> None:
        self.store.events.add(self.run, [Event(kind, data, seq, 1000)])

    def speak(self, seq: int, text: str) -> None:
        self.add(seq, "message.delta", text=text)

    def end_message(self, seq: int, text: str, *spans: Span, status: str = "complete") -> None:
        with self.store.transaction():
            message = self.store.messages.add(
                Message("assistant", (Text(text),), session_id=self.session, run_id=self.run, status=status)
            )
            self.store.events.fold(self.run, spans)
            self.add(seq, "message", message_id=message, text=text, finish="stop")

    def end(self, seq: int, status: RunStatus = "done", code: int = 0) -> None:
        with self.store.transaction():
            self.add(seq, "result", **RunResult("done", code).as_dict())
            self.store.runs.finish(self.run, status, outcome="done", exit_code=code)


class Watcher:
    """Reads a run over a connection of its own; the test decides when."""

    def __init__(self, speaker: Speaker, after: int) -> None:
        self._store = Store(speaker.store.path)
        self._loop = asyncio.Runner()
        self._events = follow(self._store, speaker.run, after)

    def read(self, count: int) -> list[tuple[int, str, Any]]:
        """Number, type and text of the next events."""
        return [_brief(self._loop.run(self._next())) for _ in range(count)]

    def rest(self) -> list[Event]:
        """All that comes until the end."""
        return self._loop.run(self._rest())

    def meanwhile(self, action: Callable[..., None], *arguments: Any) -> None:
        """Do something while it waits."""
        self._loop.get_loop().call_later(0.2, action, *arguments)

    def close(self) -> None:
        """Leave."""
        self._loop.run(self._events.aclose())
        self._loop.close()
        self._store.close()

    async def _next(self) -> Event:
        return await asyncio.wait_for(anext(self._events), HANGS)

    async def _rest(self) -> list[Event]:
        async with asyncio.timeout(HANGS):
            return [event async for event in self._events]


def _brief(event: Event) -> tuple[int, str, Any]:
    return event.seq, event.type, event.data.get("text")


class Shown:
    """An audience that remembers."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def show(self, event: Event) -> None:
        """Take one event."""
        self.events.append(event)

    async def drain(self) -> None:
        """Nothing waits."""

    @property
    def types(self) -> list[str]:
        return [event.type for event in self.events]


def words(events: list[Event]) -> list[str]:
    return [event.data["text"] for event in events if event.type == "message.delta"]


Follows = Callable[..., Watcher]


@pytest.fixture
def speaker(store: Store) -> Speaker:
    return Speaker(store)


@pytest.fixture
def follows() -> Iterator[Callable[..., Watcher]]:
    """Starts to watch a speaker."""
    watchers: list[Watcher] = []

    def start(speaker: Speaker, after: int = 0) -> Watcher:
        watchers.append(Watcher(speaker, after))
        return watchers[-1]

    yield start
    for watcher in watchers:
        watcher.close()


def test_what_is_said_comes_as_it_is_said(speaker: Speaker, follows: Follows) -> None:
    watcher = follows(speaker)
    assert watcher.read(1) == [(1, "init", None)]
    speaker.speak(2, "one ")
    assert watcher.read(1) == [(2, "message.delta", "one ")]
    speaker.speak(3, "two")
    speaker.end_message(4, "one two", Span("message.delta", 2, 3))
    assert watcher.read(2) == [(3, "message.delta", "two"), (4, "message", "one two")]
    speaker.end(5)
    assert [event.type for event in watcher.rest()] == ["result"]


def test_of_a_message_that_ends_unseen_only_the_rest_comes(speaker: Speaker, follows: Follows) -> None:
    watcher = follows(speaker)
    speaker.speak(2, "一二")
    watcher.read(2)
    speaker.end_message(9, "一二三四🌍", Span("message.delta", 2, 8))
    assert watcher.read(2) == [(8, "message.delta", "三四🌍"), (9, "message", "一二三四🌍")]


def test_two_watchers_get_the_same(speaker: Speaker, follows: Follows) -> None:
    first, second = follows(speaker), follows(speaker)
    first.read(1)
    speaker.speak(2, "one ")
    first.read(1)
    speaker.end_message(4, "one two", Span("message.delta", 2, 3))
    speaker.end(5)
    assert "".join(words([*first.rest()])) == "two"
    assert "".join(words(second.rest())) == "one two"


def test_a_number_before_a_message_leaves_nothing_out(speaker: Speaker, follows: Follows) -> None:
    speaker.end_message(4, "one two", Span("message.delta", 2, 3))
    speaker.end(5)
    (delta, *_) = follows(speaker, 1).rest()
    assert dict(delta.data) == {"text": "one two"}


@pytest.mark.parametrize("after", [2, 3])
def test_a_number_inside_a_message_brings_all_of_it_again_and_says_so(
    speaker: Speaker, follows: Follows, after: int
) -> None:
    speaker.end_message(5, "one two", Span("message.delta", 2, 4))
    speaker.end(6)
    (delta, *rest) = follows(speaker, after).rest()
    assert dict(delta.data) == {"text": "one two", "replaces": True}
    assert [event.type for event in rest] == ["message", "result"]


def test_a_number_that_cuts_what_is_being_said_brings_all_so_far_again(
    speaker: Speaker, follows: Follows
) -> None:
    speaker.speak(3, "one ")
    speaker.speak(6, "two ")
    watcher = follows(speaker, 5)
    (delta,) = watcher.read(1)
    assert delta == (6, "message.delta", "one two ")
    speaker.end_message(8, "one two three", Span("message.delta", 2, 7))
    assert watcher.read(2) == [(7, "message.delta", "three"), (8, "message", "one two three")]


def test_a_number_between_two_pieces_of_what_is_being_said_goes_on_there(
    speaker: Speaker, follows: Follows
) -> None:
    speaker.speak(3, "one ")
    speaker.speak(6, "two ")
    watcher = follows(speaker, 3)
    assert watcher.read(1) == [(6, "message.delta", "two ")]
    speaker.end_message(8, "one two three", Span("message.delta", 2, 7))
    assert watcher.read(2) == [(7, "message.delta", "three"), (8, "message", "one two three")]


def test_a_number_that_there_is_not_yet_waits_for_what_comes(speaker: Speaker, follows: Follows) -> None:
    speaker.speak(2, "lost")
    watcher = follows(speaker, 1000)
    watcher.meanwhile(speaker.end, 3)
    assert [(event.seq, event.type) for event in watcher.rest()] == [(3, "result")]


@pytest.mark.parametrize("after", [3, 4, 5, 1000])
def test_the_result_of_a_run_that_is_over_is_always_shown(speaker: Speaker, after: int) -> None:
    speaker.end_message(3, "one", Span("message.delta", 2, 2))
    speaker.end(4, code=8)
    shown = Shown()
    assert watch(speaker.store, speaker.store.runs.get(speaker.run), shown, after=after)["exit_code"] == 8
    assert shown.types == ["result"]


def test_a_watcher_goes_on_past_the_result_of_a_pause(speaker: Speaker) -> None:
    speaker.end(2, "awaiting_approval", 4)
    run = speaker.store.runs.get(speaker.run)
    paused = Shown()
    assert watch(speaker.store, run, paused)["exit_code"] == 4
    speaker.store.runs.take(speaker.run, current_holder())
    speaker.add(3, "init")
    speaker.end(4)
    shown = Shown()
    assert watch(speaker.store, run, shown)["exit_code"] == 0
    # One result, whatever happened on the way to it: -o json prints one object.
    assert shown.types == ["init", "init", "result"]


def test_a_run_whose_process_is_gone_is_shown_and_said_to_be_gone(store: Store) -> None:
    speaker = Speaker(store, alive=False)
    speaker.speak(2, "half a")
    shown = Shown()
    run = store.runs.get(speaker.run)
    with pytest.raises(TemporaryFailure, match="is gone") as raised:
        watch(store, run, shown)
    assert raised.value.hint == f"Go on with it: agentctl resume {speaker.run}."
    assert words(shown.events) == ["half a"]
    free_session(store, speaker.session)
    shown = Shown()
    with pytest.raises(TemporaryFailure, match="is gone"):
        watch(store, run, shown)
    assert shown.types == ["init", "message.delta", "message"]


def test_half_a_message_of_a_dead_process_says_where_it_began(store: Store, follows: Follows) -> None:
    speaker = Speaker(store, alive=False)
    speaker.speak(5, "half a")
    free_session(store, speaker.session)
    # 2 to 5 are one row; a watcher of the process itself may have seen a part of it.
    (delta, _) = follows(speaker, 3).rest()
    assert dict(delta.data) == {"text": "half a", "replaces": True}


def test_an_answer_that_broke_its_schema_is_shown_to_no_watcher(store: Store, follows: Follows) -> None:
    speaker = Speaker(store, schema={"type": "object"})
    watcher = follows(speaker)
    speaker.speak(2, "no ")
    speaker.end_message(4, "no json", Span("message.delta", 2, 3), status="rejected")
    speaker.speak(5, "{}")
    assert watcher.read(1) == [(1, "init", None)]
    speaker.end_message(6, "{}", Span("message.delta", 5, 5))
    speaker.end(7)
    assert [(event.seq, event.type) for event in watcher.rest()] == [
        (5, "message.delta"),
        (6, "message"),
        (7, "result"),
    ]


def test_a_run_that_came_with_a_copied_session_has_nothing_to_watch(speaker: Speaker) -> None:
    speaker.end_message(3, "one", Span("message.delta", 2, 2))
    speaker.end(4)
    user = speaker.store.users.ensure("tester").id
    with speaker.store.transaction():
        copy = speaker.store.forks.fork(user, speaker.session)
    run = speaker.store.runs.last(copy)
    assert run is not None
    with pytest.raises(NotFound, match="no end that could be shown"):
        watch(speaker.store, run, Shown())
