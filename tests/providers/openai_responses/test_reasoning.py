from __future__ import annotations

from typing import Any

import pytest

from agentctl.providers.base import Delta
from tests.providers.openai_responses.streams import (
    added,
    call,
    completed,
    done,
    event,
    message,
    play,
    read,
    reasoning,
    said,
)


def thought(name: str, text: Any, **keys: Any) -> str:
    return event(f"{name}.delta", delta=text, **{"item_id": "rs_1", "output_index": 0, **keys})


@pytest.mark.parametrize(
    "name",
    ["reasoning_summary_text", "reasoning_text", "reasoning_summary", "reasoning", "reasoning_content"],
)
def test_thoughts_are_shown_as_they_come(name: str) -> None:
    for hm, maybe in (("Hm. ", "Maybe."), ({"text": "Hm. "}, {"text": "Maybe."})):
        items = read(
            added(reasoning()),
            thought(name, hm),
            thought(name, maybe),
            said("4", output_index=1),
            completed(),
        )
        assert items[:-1] == [Delta("reasoning", "Hm. "), Delta("reasoning", "Maybe."), Delta("text", "4")]


def test_a_summary_that_is_sent_whole_is_shown_once() -> None:
    whole = reasoning("Hm.")
    part = {"type": "summary_text", "text": "Hm."}
    keys = {"item_id": "rs_1", "output_index": 0, "summary_index": 0}
    ends = [
        event("reasoning_summary_text.done", text="Hm.", **keys),
        event("reasoning_summary_part.done", part=part, **keys),
        done(whole),
        completed(whole, message("4")),
    ]
    delta = thought("reasoning_summary_text", "Hm.", summary_index=0)
    assert play(added(whole), delta, *ends).reasoning == "Hm."
    assert play(*ends).reasoning == "Hm."
    for end in ends:
        assert play(delta, end, completed()).reasoning == "Hm."
        assert play(end, completed(whole)).reasoning == "Hm."
    for start in ("added", "in_progress"):
        assert play(
            event(f"reasoning_summary_part.{start}", part={**part, "text": ""}, **keys), completed()
        ) == (play(completed()))


def test_thoughts_in_the_parts_of_a_reasoning_item_are_no_answer() -> None:
    whole = reasoning(content=[{"type": "reasoning_text", "text": "Hm."}])
    odd = reasoning(content=[{"type": "output_text", "text": "Hm."}])
    for item in (whole, odd):
        for chunks in ((), (added(item), done(item)), (thought("reasoning_text", "Hm."), done(item))):
            reply = play(*chunks, completed(item, message("4")))
            assert (reply.reasoning, reply.text) == ("Hm.", "4")
    keys = {"item_id": "rs_1", "output_index": 0, "content_index": 0}
    part = event("content_part.done", part={"type": "output_text", "text": "Hm."}, **keys)
    reply = play(added(odd), thought("reasoning_text", "Hm."), part, completed())
    assert (reply.reasoning, reply.text) == ("Hm.", "")


def test_parts_and_items_of_reasoning_are_set_apart() -> None:
    parts = [thought("reasoning_summary_text", text, summary_index=i) for i, text in enumerate("ab")]
    other = thought("reasoning_summary_text", "c", item_id="rs_2", output_index=1)
    whole = reasoning("a", "b"), reasoning("c", item_id="rs_2")
    assert play(*parts, other, completed(*whole)).reasoning == "a\n\nb\n\nc"
    assert play(completed(*whole)).reasoning == "a\n\nb\n\nc"


def test_reasoning_ids_that_change_with_every_delta_make_no_paragraphs() -> None:
    deltas = [thought("reasoning_text", text, item_id=f"r{text}") for text in "abc"]
    assert play(*deltas, completed(reasoning(item_id="other"))).reasoning == "abc"
    nowhere = [thought("reasoning_text", text, item_id=f"r{text}", output_index=None) for text in "abc"]
    assert play(*nowhere, completed()).reasoning == "abc"


SEALED = reasoning("Hm.", encrypted_content="ENC==", status="completed")


def test_sealed_reasoning_is_kept_raw() -> None:
    for chunks in ((), (added(SEALED), done(SEALED)), (done(SEALED), done(SEALED))):
        for end in (completed(SEALED, message("4")), completed(SEALED, call())):
            assert play(*chunks, end).replay == {"reasoning_items": [SEALED]}
    assert play(done(SEALED), completed(message("4"))).replay == {"reasoning_items": [SEALED]}


def test_only_what_came_with_the_end_of_an_item_is_its_seal() -> None:
    early = event("output_item.added", output_index=0, item={**SEALED, "encrypted_content": "EARLY"})
    assert play(early, done(SEALED), completed()).replay == {"reasoning_items": [SEALED]}
    assert play(early, completed()).replay == {}


@pytest.mark.parametrize(
    "item", [reasoning("Hm."), reasoning(encrypted_content=None), reasoning(encrypted_content="")]
)
def test_reasoning_without_a_seal_is_shown_and_not_kept(item: dict[str, Any]) -> None:
    assert play(done(item), completed(item, message("4"))).replay == {}


def test_the_order_is_kept_where_it_is_not_the_usual_one() -> None:
    second = reasoning(item_id="rs_2", encrypted_content="E2")
    output = SEALED, message("One. "), second, call(), message("Two", item_id="msg_2")
    replay = play(completed(*output)).replay
    assert replay == {
        "reasoning_items": [SEALED, second],
        "layout": [
            {"type": "reasoning"},
            {"type": "message", "length": 5},
            {"type": "reasoning"},
            {"type": "function_call"},
            {"type": "message", "length": 3},
        ],
    }
    assert play(completed(message("a"), call(), message("b", item_id="msg_2"))).replay == {}


def test_phases_are_kept() -> None:
    replay = play(completed(message("Let me see.", phase="commentary"), call())).replay
    assert replay == {
        "layout": [{"type": "message", "length": 11, "phase": "commentary"}, {"type": "function_call"}]
    }
