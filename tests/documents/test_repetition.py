"""Agents do not remember one thing twice: equal memories are one, near ones know of each other."""

from __future__ import annotations

import pytest

from agentctl.documents.likeness import ALIKE, bands, likeness, runs
from agentctl.domain.document import DocumentChange, NewDocument

NEAR = [
    ("The user prefers green tea in the morning.", "the user prefers green tea in the morning"),
    ("The user prefers green tea in the morning.", "The user prefers green tea in the mornings!"),
    ("Deploys go out on Tuesday at 10:00 from main.", "Deploys go out on Tuesday at 11:00 from main."),
    ("用户喜欢早上喝绿茶，不加糖。", "用户喜欢早上喝绿茶，不加糖！"),
    ("毎週火曜日の十時に本番環境へ反映する。", "毎週火曜日の十時に本番環境へ反映する"),
]
FAR = [
    ("The user prefers green tea in the morning.", "The user's sister lives in Oslo with two cats."),
    ("Deploys go out on Tuesday.", "The user prefers tea."),
    ("用户喜欢早上喝绿茶。", "明天下午三点在会议室开会。"),
    ("a", "b"),
]


@pytest.mark.parametrize(("first", "second"), NEAR)
def test_a_near_repetition_is_stored_and_names_what_it_is_like(make, first: str, second: str) -> None:
    before = make(first, type="memory")
    after = make(second, type="memory")
    assert after.id != before.id
    assert after.similar_to == before.id


@pytest.mark.parametrize(("first", "second"), FAR)
def test_another_thing_is_like_nothing(make, first: str, second: str) -> None:
    make(first, type="memory")
    assert make(second, type="memory").similar_to is None


def test_an_equal_memory_is_the_one_that_is_there(service, ann, index) -> None:
    first = service.create(ann, NewDocument("One", "The same.", type="memory"))
    second = service.create(ann, NewDocument("Two", "The same.", type="memory", tags="x"))
    assert not first.existing
    assert second.existing
    assert second.document == first.document
    assert len(index.contents) == 1


def test_deliverables_are_never_refused(make) -> None:
    documents = [make("The same.") for _ in range(3)]
    assert len({document.id for document in documents}) == 3
    assert {document.similar_to for document in documents} == {None}
    assert make("The same.", type="memory").similar_to is None


def test_of_many_the_most_alike_is_named(make) -> None:
    words = "The user keeps the keys of the office in the {} drawer of the {} desk."
    for place in range(30):
        make(words.format(place, place * 7), type="memory")
    best = make(words.format("upper left", "old oak"), type="memory")
    assert make(words.format("upper left", "old oak") + " Still.", type="memory").similar_to == best.id


def test_a_deleted_or_archived_memory_does_not_stand_in(service, ann, make) -> None:
    first = make("The same.", type="memory")
    service.trash.delete(ann, [first.id])
    second = make("The same.", type="memory")
    assert second.id != first.id
    service.tiers.archive(ann, second.id)
    third = make("The same.", type="memory")
    assert third.id not in (first.id, second.id)


def test_a_memory_of_one_session_does_not_stand_in_for_what_shall_last(service, ann, make, session) -> None:
    passing = make("The same.", type="memory", tier="session", session_id=session)
    lasting = service.create(ann, NewDocument("t", "The same.", type="memory"))
    assert lasting.existing
    assert lasting.document.id == passing.id
    assert service.read(ann, passing.id).tier == "long_term"


def test_a_memory_of_another_session_does_not_stand_in(service, store, ann, make, session) -> None:
    agent = store.agents.get("default")
    other = store.sessions.create(ann, agent.id, "default", None, 0)
    first = make("The same.", type="memory", tier="session", session_id=session)
    again = make("The same.", type="memory", tier="session", session_id=session)
    second = make("The same.", type="memory", tier="session", session_id=other)
    assert again.id == first.id
    assert second.id != first.id


def test_what_was_just_recalled_is_not_stored_anew(service, ann, make) -> None:
    told = make("# Notes\n\nThe user prefers *green tea*.\nDeploys go out on Tuesday.", type="memory")

    def repeat(content: str, *recalled: str) -> bool:
        return service.create(ann, NewDocument("t", content, type="memory", recalled=recalled)).existing

    assert repeat("the user prefers green tea", told.id)
    assert repeat("Deploys go out on Tuesday.", "ad_missing", told.id)
    assert not repeat("green te", told.id)
    assert not repeat("Deploys go out on Friday.", told.id)
    assert not repeat("Deploys go out")


def test_a_changed_memory_is_compared_by_what_it_says_now(service, ann, make) -> None:
    memory = make("The user prefers green tea in the morning.", type="memory")
    service.update(ann, memory.id, DocumentChange(content="Deploys go out on Tuesday at ten o'clock."))
    assert make("The user prefers green tea in the mornings.", type="memory").similar_to is None
    assert make("Deploys go out on Tuesdays at ten o'clock.", type="memory").similar_to == memory.id


def test_bands_meet_where_texts_are_alike() -> None:
    words = [f"word{number}" for number in range(60)]
    met = alike = 0
    for place in range(0, 60, 2):
        text, other = " ".join(words), " ".join([*words[:place], "else", *words[place + 3 :]])
        first, second = runs(text), runs(other)
        if likeness(first, second) >= ALIKE:
            alike += 1
            met += bool(set(bands(first)) & set(bands(second)))
    assert alike >= 20
    assert met >= 0.9 * alike
