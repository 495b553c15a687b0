"""A diff says how one text becomes the other, and no pair of texts makes it hang."""

from __future__ import annotations

import difflib
import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agentctl.tools.text.comparison import MOST_EDITS, compare, unified


def apply(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """`old` with the changes made."""
    made, at = [], 0
    for change in compare(old, new):
        made += [*old[at : change.old], *new[change.new : change.new_end]]
        at = change.old_end
    return [*made, *old[at:]]


def test_a_diff_is_in_the_unified_format(call: Any) -> None:
    result = call("text", action="diff", text="a\nb\nc\nd\ne\nf\n", other="a\nb\nX\nd\ne\nf\ng\n", context=1)
    assert result.data == {
        "text": "@@ -2,3 +2,3 @@\n b\n-c\n+X\n d\n@@ -6 +6,2 @@\n f\n+g",
        "added": 2,
        "removed": 1,
    }


def test_equal_texts_have_no_differences(call: Any) -> None:
    assert call("text", action="diff", text="a\n", other="a").data == {"text": "", "added": 0, "removed": 0}


def test_a_diff_needs_two_texts(call: Any) -> None:
    assert call("text", action="diff", text="a").error == 'the action "diff" needs "other"'


def test_changes_make_one_text_of_the_other_and_are_the_fewest() -> None:
    chance = random.Random(7)
    for _ in range(2_000):
        old = [chance.choice("abc") for _ in range(chance.randrange(9))]
        new = [chance.choice("abc") for _ in range(chance.randrange(9))]
        assert apply(old, new) == new
        changes = compare(old, new)
        edits = sum(one.old_end - one.old + one.new_end - one.new for one in changes)
        assert edits == len(old) + len(new) - 2 * common(old, new)


def common(old: Sequence[str], new: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(new) + 1)
    for line in old:
        diagonal = 0
        for place, other in enumerate(new, 1):
            diagonal, row[place] = (
                row[place],
                diagonal + 1 if line == other else max(row[place], row[place - 1]),
            )
    return row[-1]


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")
@pytest.mark.parametrize("context", [0, 1, 3])
def test_patch_understands_the_diff(tmp_path: Path, context: int) -> None:
    chance = random.Random(context)
    for _ in range(30):
        old = [chance.choice("abcdef") for _ in range(30)]
        new = [line for line in old if chance.random() > 0.2]
        new.insert(chance.randrange(len(new) + 1), "new 行")
        (tmp_path / "x").write_text("".join(f"{line}\n" for line in old))
        diff = "\n".join(["--- x", "+++ x", *unified(old, new, compare(old, new), context), ""])
        command = ["patch", "-s", "--unified", "x"]
        subprocess.run(command, cwd=tmp_path, input=diff.encode(), check=True, capture_output=True)
        assert (tmp_path / "x").read_text() == "".join(f"{line}\n" for line in new)


def test_hunks_are_those_of_the_standard_library() -> None:
    old = [str(number) for number in range(60)]
    new = [*old[:10], "x", *old[10:30], *old[31:50], "y", "z", *old[52:]]
    ours = list(unified(old, new, compare(old, new), 3))
    assert ours == list(difflib.unified_diff(old, new, lineterm=""))[2:]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([f"a{n}" for n in range(90_000)], [f"b{n}" for n in range(90_000)]),
        (["a", "b"] * 100_000, ["b", "a", "c"] * 90_000),
        (["x"] * 250_000, ["x"] * 100 + ["y"] * 250_000),
        ([], ["x"] * 400_000),
    ],
)
def test_texts_that_differ_everywhere_end_in_time(call: Any, old: list[str], new: list[str]) -> None:
    result = call("text", action="diff", text="\n".join(old), other="\n".join(new))
    assert result.success, result.error
    assert result.data["added"] - result.data["removed"] == len(new) - len(old)


def test_beyond_the_bound_the_differing_part_is_replaced_whole() -> None:
    old = ["same", *(f"a{n}" for n in range(MOST_EDITS)), "end"]
    new = ["same", *(f"b{n}" for n in range(MOST_EDITS)), "end"]
    (change,) = compare(old, new)
    assert (change.old, change.old_end) == (1, MOST_EDITS + 1)
    assert apply(old, new) == new
