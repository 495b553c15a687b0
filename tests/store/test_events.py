"""Events as a watcher reads them: deltas that became a message come as one, and again where they are cut."""

from __future__ import annotations

from typing import Any

import pytest

from agentctl.domain.agent import Agent
from agentctl.domain.event import Event, Span
from agentctl.domain.message import Message, Reasoning, Text
from agentctl.store import Store
from agentctl.store.runs import NewRun


class Told:
    """A run, and what happened in it so far."""

    def __init__(self, store: Store) -> None:
        self.store = store
        store.agents.put(Agent("coder", "Coder"))
        user = store.users.ensure("tester").id
        agent = store.agents.require("coder")
        self.session = store.sessions.create(user, agent.id, "coder", None, 0)
        self.run = store.runs.start(NewRun(self.session, user, "coder", "p/m", "/", 0, {}))

    def add(self, seq: int, kind: str, **data: Any) -> None:
        self.store.events.add(self.run, [Event(kind, data, seq, 1000)])

    def say(self, seq: int, text: str, reasoning: str, *spans: Span) -> None:
        """The deltas become a message."""
        parts = (Reasoning(reasoning), Text(text)) if reasoning else (Text(text),)
        message = self.store.messages.add(
            Message("assistant", parts, session_id=self.session, run_id=self.run)
        )
        self.store.events.fold(self.run, spans)
        self.add(seq, "message", message_id=message, text=text, finish="stop")

    def read(self, after: int = 0, *, drafts: bool = True) -> list[tuple[int, str, Any]]:
        events = self.store.events.list(self.run, after=after, drafts=drafts)
        return [(event.seq, event.type, event.data.get("text")) for event in events]


@pytest.fixture
def told(store: Store) -> Told:
    """A run that thought and spoke: deltas of one kind stand in one row with the last number."""
    told = Told(store)
    told.add(1, "init")
    told.add(3, "reasoning.delta", text="let me ")
    told.add(6, "message.delta", text="你好, ")
    told.add(7, "reasoning.delta", text="see")
    told.add(9, "message.delta", text="world 🌍")
    return told


def fold(told: Told) -> None:
    told.say(10, "你好, world 🌍!", "let me see", Span("reasoning.delta", 2, 7), Span("message.delta", 4, 9))


def test_deltas_come_one_by_one_while_a_message_is_being_said(told: Told) -> None:
    assert told.read(after=6) == [(7, "reasoning.delta", "see"), (9, "message.delta", "world 🌍")]


def test_deltas_of_a_message_come_as_one_with_the_last_number(told: Told) -> None:
    fold(told)
    assert told.read() == [
        (1, "init", None),
        (7, "reasoning.delta", "let me see"),
        (9, "message.delta", "你好, world 🌍!"),
        (10, "message", "你好, world 🌍!"),
    ]


def test_the_words_of_a_message_are_kept_once(told: Told) -> None:
    fold(told)
    rows = told.store.database.execute("SELECT data FROM agent_run_events WHERE type = 'folded'")
    assert all("world" not in row["data"] for row in rows)


@pytest.mark.parametrize(("after", "replaced"), [(3, [2, None]), (4, [2, 4]), (8, [4]), (9, [])])
def test_where_a_number_lies_among_the_deltas_all_of_them_come_again(
    told: Told, after: int, replaced: list[int | None]
) -> None:
    fold(told)
    deltas = [
        event for event in told.store.events.list(told.run, after=after) if event.type.endswith(".delta")
    ]
    assert [event.data.get("replaces") for event in deltas] == replaced
    assert all(event.data["text"] in ("let me see", "你好, world 🌍!") for event in deltas)


def test_without_drafts_words_come_when_the_message_is_whole(told: Told) -> None:
    assert [seq for seq, *_ in told.read(drafts=False)] == [1, 3, 7]
    fold(told)
    assert (9, "message.delta", "你好, world 🌍!") in told.read(drafts=False)


def test_two_messages_are_told_apart(told: Told) -> None:
    fold(told)
    told.add(12, "message.delta", text="more")
    told.say(13, "more", "", Span("message.delta", 11, 12))
    assert told.read(after=10) == [(12, "message.delta", "more"), (13, "message", "more")]


def test_deltas_that_are_no_message_yet_know_the_first_number_they_were_joined_of(told: Told) -> None:
    assert [(first, event.seq) for first, event in told.store.events.deltas(told.run)] == [
        (2, 3),
        (4, 6),
        (7, 7),
        (8, 9),
    ]
    fold(told)
    assert list(told.store.events.deltas(told.run)) == []


def test_the_newest_event_of_a_type_is_found(told: Told) -> None:
    assert told.store.events.newest(told.run, "result") is None
    told.add(10, "result", exit_code=4)
    told.add(11, "init")
    told.add(12, "result", exit_code=0)
    newest = told.store.events.newest(told.run, "result")
    assert newest is not None
    assert newest.data == {"exit_code": 0}
