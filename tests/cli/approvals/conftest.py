"""A run that waits: a real `chat` without a terminal, whose calls need approval."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agentctl.store import Store
from tests.conftest import Outcome
from tests.waiting import declare

Run = Callable[..., Outcome]


@pytest.fixture
def asking(store: Store) -> Store:
    """A database whose default agent has a calculator that needs approval."""
    declare(store)
    store.revisions.add("test", {})
    return store


@pytest.fixture
def pause(asking: Store, run: Run, script: Callable[..., str]) -> Callable[..., list[str]]:
    """Start a run that pauses at calls of these expressions, and later answers; returns the approvals."""

    def call(*expressions: str, then: dict[str, Any] | None = None, flags: str = "") -> list[str]:
        calls = [{"name": "calculator", "arguments": {"expression": each}} for each in expressions]
        model = script({"tool_calls": calls}, then or {"text": "All done."})
        result = run(f"chat 'a b' -m {model} -o json {flags}", code=4).json()
        return [each["approval_id"] for each in result["pending_approvals"]]

    return call
