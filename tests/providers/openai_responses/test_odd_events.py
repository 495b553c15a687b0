from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.providers.openai_responses.streams import (
    added,
    call,
    completed,
    done,
    event,
    message,
    play,
    reasoning,
    said,
)

ODD: list[Any] = [None, True, 0, -1, 1e308, "", "x", [], [None], ["x"], {}, {"type": "message"}, [[{}]]]
WHOLE = [
    added(reasoning()),
    event("reasoning_summary_text.delta", item_id="rs_1", output_index=0, summary_index=0, delta="Hm."),
    done(reasoning("Hm.", encrypted_content="E")),
    added(message(), 1),
    said("Hello", output_index=1),
    event("output_text.done", item_id="msg_1", output_index=1, content_index=0, text="Hello"),
    event(
        "content_part.done", item_id="msg_1", output_index=1, part={"type": "output_text", "text": "Hello"}
    ),
    done(message("Hello"), 1),
    added(call(), 2),
    event("function_call_arguments.delta", item_id="fc_1", output_index=2, delta="{}"),
    event("function_call_arguments.done", item_id="fc_1", output_index=2, arguments="{}"),
    done(call(), 2),
    completed(reasoning("Hm."), message("Hello"), call(), usage={"input_tokens": 1}, error=None),
]


def spoil(value: Any, chance: random.Random) -> Any:
    """`value` with one place in it replaced by something that nobody expects there."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(list(value))
        return {**value, key: spoil(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        return [*value[:at], spoil(value[at], chance), *value[at + 1 :]]
    return chance.choice(ODD)


@pytest.mark.parametrize("seed", range(20))
def test_values_that_nobody_expects_never_stop_the_reading(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        stream = list(WHOLE)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(stream))
            head, _, data = stream[at].partition("\ndata: ")
            stream[at] = f"{head}\ndata: {json.dumps(spoil(json.loads(data), chance))}\n\n"
        reply = play(*stream)
        assert reply.text.count("Hello") <= 2


def test_an_unspoilt_stream_is_read_once() -> None:
    reply = play(*WHOLE)
    assert (reply.text, reply.reasoning, len(reply.calls), reply.fault) == ("Hello", "Hm.", 1, None)


@pytest.mark.parametrize("missing", range(len(WHOLE) - 1))
def test_any_event_but_the_last_may_be_missing(missing: int) -> None:
    reply = play(*WHOLE[:missing], *WHOLE[missing + 1 :])
    whole = play(*WHOLE)
    assert (reply.text, reply.reasoning, reply.calls) == (whole.text, whole.reasoning, whole.calls)


@pytest.mark.parametrize("twice", range(len(WHOLE)))
def test_any_event_but_a_delta_may_come_twice(twice: int) -> None:
    if ".delta" not in WHOLE[twice]:
        assert play(*WHOLE[: twice + 1], *WHOLE[twice:]) == play(*WHOLE)


def test_only_the_first_and_the_last_event_are_enough() -> None:
    assert play(WHOLE[0], WHOLE[-1]).text == "Hello"
    assert play(WHOLE[-1]).reasoning == "Hm."
