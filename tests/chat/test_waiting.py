"""What a paused run says of itself: each question with the command that answers it."""

from __future__ import annotations

from agentctl.chat.waiting import paused
from agentctl.store import Store
from tests.waiting import ask, begin_run


def test_a_lost_call_and_one_that_waits_are_told_apart(store: Store) -> None:
    place = begin_run(store)
    asked, lost = ask(store, place, tool="mail"), ask(store, place, tool="deploy", kind="unknown")
    error = paused([asked, lost])
    assert f"a call of deploy ran, because its process died: {lost.id}" in error.message
    assert f"a call of mail waits for approval: {asked.id}" in error.message
    assert f"resolve {lost.id} " in (error.hint or "")
    assert f"approve {asked.id}" in (error.hint or "")
