"""What a text calls itself."""

from __future__ import annotations

import pytest

from agentctl.documents.heading import find_heading


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# Rice\nWash it.", "Rice"),
        ("Foreword\n\n### 做饭 ###\n", "做饭"),
        ("```\n# in code\n```\n# Behind it", "Behind it"),
        ("#no heading\nMore", "#no heading"),
        ("# \n##  \nwords", "#"),
        ("  \n\n  First words.\nSecond.", "First words."),
        ("    # indented code\nwords", "# indented code"),
        ("# C# #", "C#"),
    ],
)
def test_the_first_heading_else_the_first_line(text: str, heading: str) -> None:
    assert find_heading(text) == heading


def test_a_long_heading_is_cut_and_a_huge_text_costs_nothing() -> None:
    assert len(find_heading("# " + "word " * 100_000)) <= 50
    assert find_heading("x\n" * 1_000_000 + "# Late") == "x"
