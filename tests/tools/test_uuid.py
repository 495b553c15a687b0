"""UUIDs have the fields that RFC 9562 gives them."""

from __future__ import annotations

import time
import uuid
from typing import Any

import pytest


def test_the_default_is_one_random_uuid(call: Any) -> None:
    (text,) = call("uuid").data["uuids"]
    parsed = uuid.UUID(text)
    assert (parsed.version, parsed.variant) == (4, uuid.RFC_4122)
    assert str(parsed) == text


def test_a_hundred_are_all_different(call: Any) -> None:
    assert len(set(call("uuid", count=100).data["uuids"])) == 100


def test_version_7_holds_the_time_and_sorts(call: Any) -> None:
    before = time.time_ns() // 1_000_000
    texts = call("uuid", version=7, count=100).data["uuids"]
    after = time.time_ns() // 1_000_000
    assert texts == sorted(texts)
    assert len(set(texts)) == 100
    for text in texts:
        parsed = uuid.UUID(text)
        assert (parsed.int >> 76 & 0xF, parsed.variant) == (7, uuid.RFC_4122)
        assert before <= parsed.int >> 80 <= after


def test_version_7_of_later_calls_sorts_later(call: Any) -> None:
    first = call("uuid", version=7).data["uuids"][0]
    time.sleep(0.002)
    assert first < call("uuid", version="7").data["uuids"][0]


@pytest.mark.parametrize("arguments", [{"count": 0}, {"count": 101}, {"version": 1}, {"count": "many"}])
def test_other_versions_and_counts_are_refused(call: Any, arguments: dict[str, Any]) -> None:
    assert call("uuid", **arguments).error.startswith("wrong arguments: ")
