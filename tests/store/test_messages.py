"""Histories: one query, every call answered, whatever happened to it."""

from __future__ import annotations

import pytest

from agentctl.domain.agent import Agent
from agentctl.domain.message import File, Message, Reasoning, Text, ToolCall, ToolOutput, Usage
from agentctl.domain.tool import ToolResult
from agentctl.store import Store
from agentctl.store.runs import NewRun


@pytest.fixture
def session(store: Store) -> str:
    user = store.users.ensure("tester")
    store.agents.put(Agent("default", "Default"))
    agent = store.agents.get("default")
    assert agent is not None
    return store.sessions.create(user.id, agent.id, agent.slug, None, 1)


@pytest.fixture
def run_id(store: Store, session: str) -> str:
    return store.runs.start(NewRun(session, 1, "default", "script/x", "/", 1, {}))


def test_a_message_comes_back_as_it_was_stored(store: Store, session: str, run_id: str) -> None:
    message = Message(
        role="assistant",
        parts=(Reasoning("思考"), Text("你好 🌍\x00\x1b[31m")),
        session_id=session,
        run_id=run_id,
        finish="stop",
        origin="openai/x",
        usage=Usage(3, 4, 1, 2),
        replay={"reasoning_details": [{"data": "ENC"}]},
    )
    store.messages.add(message)
    (stored,) = store.messages.history(session)
    assert stored.parts == message.parts
    assert (stored.usage, stored.replay, stored.origin) == (message.usage, message.replay, message.origin)


def test_lone_surrogates_are_replaced_and_never_stop_a_write(store: Store, session: str) -> None:
    store.messages.add(Message("user", (Text("a\ud83d b \ud83d\ude00"),), session_id=session))
    assert store.messages.history(session)[0].text == "a\ufffd b 😀"


def test_every_call_is_answered_also_one_without_a_result(store: Store, session: str, run_id: str) -> None:
    calls = (ToolCall("ac_1", "calc", {"x": 1}), ToolCall("ac_2", "calc", None, raw="{bad"))
    message_id = store.messages.add(Message("assistant", calls, session_id=session, run_id=run_id))
    store.calls.propose(run_id, message_id, calls)
    store.calls.decide("ac_1", "approved", {}, {"x": 1})
    store.calls.start("ac_1")
    store.calls.finish("ac_1", ToolResult(True, data=2), "2", status="done")
    answered = store.messages.history(session)[1]
    assert answered.role == "tool"
    assert answered.parts[0] == ToolOutput("ac_1", "calc", "2", success=True)
    second = answered.parts[1]
    assert isinstance(second, ToolOutput)
    assert second.call_id == "ac_2"
    assert "was not run" in second.text


def test_a_history_of_five_hundred_turns_is_one_query(store: Store, session: str, run_id: str) -> None:
    for number in range(500):
        store.messages.add(Message("user", (Text(str(number)),), session_id=session))
        call = ToolCall(f"ac_{number}", "calc", {})
        message_id = store.messages.add(Message("assistant", (call,), session_id=session, run_id=run_id))
        store.calls.propose(run_id, message_id, [call])
    statements: list[str] = []
    store.database.connection.set_trace_callback(statements.append)
    history = store.messages.history(session)
    assert len(history) == 1500
    assert len(statements) == 1


def test_messages_keep_their_order_and_know_their_parent(store: Store, session: str) -> None:
    ids = [store.messages.add(Message("user", (Text(str(n)),), session_id=session)) for n in range(3)]
    rows = store.database.execute("SELECT id, seq, parent_id FROM agent_messages ORDER BY seq").fetchall()
    assert [tuple(row) for row in rows] == [(ids[0], 1, None), (ids[1], 2, ids[0]), (ids[2], 3, ids[1])]


def test_the_bytes_of_a_file_come_back_only_where_they_are_asked_for(store: Store, session: str) -> None:
    picture = File("a.png", "image/png", size=3, sha256="00", data=b"\x89PN")
    page = File("b.png", "image/png", url="https://example.com/b.png")
    store.messages.add(Message("user", (Text("look"), picture, page), session_id=session))
    listed = store.messages.history(session)[0]
    assert [file.data for file in listed.files] == [None, None]
    assert listed.files[0].sha256 == "00"
    loaded = store.messages.history(session, with_files=True)[0]
    assert [file.data for file in loaded.files] == [b"\x89PN", None]
    assert loaded.files[1].url == "https://example.com/b.png"
