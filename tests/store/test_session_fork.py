"""A fork is a session of its own: nothing of it changes or goes with the one that it was copied from."""

from __future__ import annotations

import pytest

from agentctl.chat.holder import current_holder
from agentctl.domain.agent import Agent
from agentctl.domain.message import File, Message, Text, ToolCall, ToolOutput
from agentctl.domain.states import RunStatus
from agentctl.domain.tool import ToolResult
from agentctl.errors import NotFound, UsageError
from agentctl.store import Store
from agentctl.store.runs import NewRun


class Talk:
    """A session of one user, in which runs say things."""

    def __init__(self, store: Store) -> None:
        self.store = store
        store.agents.put(Agent("coder", "Coder"))
        self.user = store.users.ensure("tester").id
        agent = store.agents.require("coder")
        self.session = store.sessions.create(self.user, agent.id, "coder", None, 0)

    def begin(self, question: Message) -> str:
        run = self.store.runs.start(NewRun(self.session, self.user, "coder", "p/m", "/", 0, {}))
        self.store.runs.take(run, current_holder())
        self.say(run, question)
        return run

    def say(self, run: str, message: Message) -> str:
        said = Message(
            message.role,
            message.parts,
            session_id=self.session,
            run_id=run,
            status=message.status,
            origin="p/m",
        )
        return self.store.messages.add(said)

    def end(self, run: str, status: RunStatus = "done") -> None:
        self.store.runs.finish(run, status, outcome="done", exit_code=0)

    def exchange(self, question: str, answer: str) -> str:
        run = self.begin(Message("user", (Text(question),)))
        message = self.say(run, Message("assistant", (Text(answer),)))
        self.end(run)
        return message

    def call(self, run: str, name: str) -> ToolCall:
        call = ToolCall(f"ac_{name}_1234", name, {"x": 1})
        message = self.say(run, Message("assistant", (Text("calling"), call)))
        self.store.calls.propose(run, message, [call])
        return call

    def fork(self, up_to: str | None = None) -> str:
        with self.store.transaction():
            return self.store.forks.fork(self.user, self.session, up_to)

    def said(self, session: str) -> list[tuple[str, str]]:
        history = self.store.messages.history(session)
        return [(message.role, message.text) for message in history if message.role != "tool"]


@pytest.fixture
def talk(store: Store) -> Talk:
    return Talk(store)


def test_a_fork_says_the_same_under_ids_of_its_own(talk: Talk) -> None:
    talk.exchange("你好", "hi")
    talk.exchange("more?", "more")
    copy = talk.fork()
    assert talk.said(copy) == talk.said(talk.session)
    old, new = talk.store.messages.history(talk.session), talk.store.messages.history(copy)
    assert not {message.id for message in old} & {message.id for message in new}
    assert not {message.run_id for message in old} & {message.run_id for message in new}
    rows = talk.store.database.execute(
        "SELECT id, parent_id FROM agent_messages WHERE session_id = ? ORDER BY seq", (copy,)
    ).fetchall()
    assert [row["parent_id"] for row in rows] == [None, *(row["id"] for row in rows[:-1])]


def test_a_fork_knows_where_it_comes_from_and_is_the_newest_session(talk: Talk) -> None:
    talk.exchange("a", "b")
    copy = talk.fork()
    row = talk.store.database.one("SELECT forked_from FROM agent_sessions WHERE id = ?", (copy,))
    assert row is not None
    assert row["forked_from"] == talk.session
    assert talk.store.sessions.find(talk.user, "@last").id == copy


def test_calls_keep_their_results(talk: Talk) -> None:
    run = talk.begin(Message("user", (Text("add"),)))
    call = talk.call(run, "calculator")
    talk.store.calls.decide(call.id, "approved", {"decision": "allow", "scope": "tool"}, {"x": 1})
    talk.store.calls.start(call.id)
    result = ToolResult(True, "2", None, {"holds": ["untrusted"]})
    talk.store.calls.finish(call.id, result, "two", status="done")
    talk.say(run, Message("assistant", (Text("2"),)))
    talk.end(run)
    copy = talk.fork()
    talk.store.database.execute("DELETE FROM agent_sessions WHERE id = ?", (talk.session,))
    answer, output = talk.store.messages.history(copy)[1:3]
    assert output.parts == (ToolOutput(answer.calls[0].id, "calculator", "two", success=True),)
    assert answer.calls[0].id != call.id
    # What strangers said is as dangerous here, and what a person allowed was allowed elsewhere.
    assert talk.store.calls.holdings(copy) == {"untrusted"}
    assert talk.store.calls.granted(copy) == []


def test_files_are_copied(talk: Talk) -> None:
    talk.end(talk.begin(Message("user", (Text("look"), File("a.png", "image/png", data=b"\x89PNG")))))
    copy = talk.fork()
    talk.store.database.execute("DELETE FROM agent_sessions WHERE id = ?", (talk.session,))
    (question,) = talk.store.messages.history(copy, with_files=True)
    assert question.files[0].data == b"\x89PNG"


@pytest.mark.parametrize("status", ["running", "awaiting_approval"])
def test_what_a_run_is_still_working_on_is_left_out(talk: Talk, status: RunStatus) -> None:
    talk.exchange("a", "b")
    run = talk.begin(Message("user", (Text("go on"),)))
    talk.call(run, "note")
    if status != "running":
        talk.end(run, status)
    copy = talk.fork()
    assert talk.said(copy) == [("user", "a"), ("assistant", "b")]
    assert talk.store.runs.live(copy) == []


@pytest.mark.parametrize(
    ("started", "now", "words"), [(False, "denied", "not run"), (True, "unknown", "may or may not have run")]
)
def test_calls_of_a_run_that_was_cut_short_never_run_in_the_copy(
    talk: Talk, started: bool, now: str, words: str
) -> None:
    run = talk.begin(Message("user", (Text("go on"),)))
    call = talk.call(run, "note")
    talk.store.calls.decide(call.id, "approved", {"decision": "allow"}, {"x": 1})
    if started:
        talk.store.calls.start(call.id)
    talk.end(run, "aborted")
    copy = talk.fork()
    ended = talk.store.runs.last(copy)
    assert ended is not None
    assert ended.status == "done"
    assert [each.status for each in talk.store.calls.of_run(ended.id)] == [now]
    (output,) = talk.store.messages.history(copy)[-1].parts
    assert isinstance(output, ToolOutput)
    assert words in output.text


def test_a_fork_can_end_at_a_message(talk: Talk) -> None:
    first = talk.exchange("a", "b")
    talk.exchange("c", "d")
    assert talk.said(talk.fork(first)) == [("user", "a"), ("assistant", "b")]


def test_only_ones_own_sessions_and_their_messages_can_be_forked(talk: Talk) -> None:
    message = talk.exchange("a", "b")
    stranger = talk.store.users.ensure("stranger").id
    with pytest.raises(NotFound, match="no session"), talk.store.transaction():
        talk.store.forks.fork(stranger, talk.session)
    other = Talk(talk.store)
    with pytest.raises(NotFound, match="no message"):
        other.fork(message)


def test_an_empty_session_can_be_forked(talk: Talk) -> None:
    assert talk.said(talk.fork()) == []


def test_a_fork_of_a_fork_is_one(talk: Talk, store: Store) -> None:
    talk.exchange("a", "b")
    talk.session = talk.fork()
    assert talk.said(talk.fork()) == [("user", "a"), ("assistant", "b")]


def test_copied_runs_are_listed_nowhere(talk: Talk) -> None:
    talk.exchange("a", "b")
    original = talk.store.runs.find(talk.user, "@last")
    copy = talk.fork()
    assert [run.id for run, _ in talk.store.run_lists.search(talk.user, gone=())] == [original.id]
    assert talk.store.run_lists.newest(copy) is None
    assert talk.store.runs.find(talk.user, "@last").id == original.id


def test_a_message_can_be_named_by_a_part_of_its_id(talk: Talk) -> None:
    first = talk.exchange("a", "b")
    talk.exchange("c", "d")
    assert talk.said(talk.fork(first[-8:])) == [("user", "a"), ("assistant", "b")]
    with pytest.raises(UsageError, match="several"):
        talk.fork(first[:5])
