from __future__ import annotations

import pytest

from agentctl.providers.base import Runtime
from agentctl.providers.openai_responses.adapter import OpenAIResponsesAdapter
from tests.providers.wire_cases import Case, check, play, read_cases

CASES = read_cases("wire_responses.jsonl")


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_stream_of_a_real_server_is_read_as_it_was_meant(case: Case, runtime: Runtime) -> None:
    check(case, play(case, OpenAIResponsesAdapter, runtime))
