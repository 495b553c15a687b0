"""Front matter: what stands before the text of a Markdown file."""

from __future__ import annotations

import pytest

from agentctl.errors import UsageError
from agentctl.formats.front_matter import join, split

ODD = (
    "plain\n",
    "no newline at the end",
    "\n\nbegins with empty lines\n",
    "---\nbegins with dashes\n---\n",
    "\r\nends lines\r\nlike this\r\n",
    "\ufeff\u2028 \x85 \x1b[31m \x00 \t\n",
    "做饭 🍚\n...\n",
    "",
)


@pytest.mark.parametrize("content", ODD)
@pytest.mark.parametrize("text", ["做饭: 'a' # b", "---", " two\n---\nlines \n", "yes", "\x1b\x85\u2028"])
def test_what_is_written_is_read_again_exactly(content: str, text: str) -> None:
    fields = {"title": text, "tags": [text, "b"]}
    assert split(join(fields, content), "x.md") == (fields, content)


def test_text_without_a_head_is_left_as_it_is() -> None:
    for text in ("# Title\n", "--- \nnever closed\n", "\n---\na: 1\n---\n", "----\na: 1\n----\n", ""):
        assert split(text, "x.md") == ({}, text)


def test_the_empty_line_behind_a_head_may_be_missing() -> None:
    assert split("---\na: 1\n---\ntext\n", "x.md") == ({"a": 1}, "text\n")
    assert split("---\r\na: 1\r\n---\r\n\r\ntext\r\n", "x.md") == ({"a": 1}, "text\r\n")
    assert split("---\n---\ntext", "x.md") == ({}, "text")
    assert split("---\na: 1\n---", "x.md") == ({"a": 1}, "")


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("- a\n- b", "x.md: the front matter is no mapping"),
        ("just words", "x.md: the front matter is no mapping"),
        ("a: 1\nb: [", "x.md:4:1: "),
        ("a: 1\na: 2", "x.md:3:1: "),
        ("a: !!python/object:os.system x", "x.md:2:4: "),
    ],
)
def test_a_head_that_is_none_is_refused_with_its_place(head: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        split(f"---\n{head}\n---\ntext", "x.md")
    assert raised.value.message.startswith(message)
