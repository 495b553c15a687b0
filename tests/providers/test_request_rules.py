from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent


@pytest.mark.parametrize("number", range(1, 25))
def test_every_rule_of_requests_has_a_test_of_its_name(number: int) -> None:
    texts = (path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    assert any(re.search(rf"^def test_q{number:02}_", text, re.MULTILINE) for text in texts)
