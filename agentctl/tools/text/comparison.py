"""Compares two lists of lines in bounded time, and writes the differences in the unified format."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Where texts differ in more lines than this, what lies between their common start and end is replaced whole.
MOST_EDITS = 1_000


class Change:
    """Lines `old` to `old_end` of one text became `new` to `new_end` of the other, counted from 0."""

    __slots__ = ("new", "new_end", "old", "old_end")

    def __init__(self, old: int, old_end: int, new: int, new_end: int) -> None:
        self.old, self.old_end = old, old_end
        self.new, self.new_end = new, new_end


def compare(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """The fewest changes that make one of the other; in time O(n + MOST_EDITS²), whatever the texts are."""
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    before, after = old[start : len(old) - end], new[start : len(new) - end]
    if not before and not after:
        return []
    steps = _trace(before, after)
    if steps is None:
        return [Change(start, start + len(before), start, start + len(after))]
    return _join(_walk(steps, len(before), len(after)), start)


def unified(old: Sequence[str], new: Sequence[str], changes: Sequence[Change], context: int) -> Iterator[str]:
    """The lines of a unified diff without file names; none where there are no changes."""
    for hunk in _group(changes, context):
        first, last = hunk[0], hunk[-1]
        lead = min(first.old, context)
        tail = min(len(old) - last.old_end, context)
        yield (
            f"@@ -{_range(first.old - lead, last.old_end + tail)} "
            f"+{_range(first.new - lead, last.new_end + tail)} @@"
        )
        at = first.old - lead
        for change in hunk:
            yield from (f" {line}" for line in old[at : change.old])
            yield from (f"-{line}" for line in old[change.old : change.old_end])
            yield from (f"+{line}" for line in new[change.new : change.new_end])
            at = change.old_end
        yield from (f" {line}" for line in old[at : at + tail])


def _trace(old: Sequence[str], new: Sequence[str]) -> list[list[int]] | None:
    """How far each diagonal gets with 0, 1, 2 ... edits (Myers 1986); None beyond MOST_EDITS.

    Of `d` edits, the diagonals -d, -d+2 ... d are kept, in this order.
    """
    width, height = len(old), len(new)
    steps: list[list[int]] = []
    for edits in range(min(MOST_EDITS, width + height) + 1):
        reached: list[int] = []
        for diagonal in range(-edits, edits + 1, 2):
            x = _enter(steps, edits, diagonal) if edits else 0
            y = x - diagonal
            while x < width and y < height and old[x] == new[y]:
                x += 1
                y += 1
            reached.append(x)
            if x >= width and y >= height:
                return [*steps, reached]
        steps.append(reached)
    return None


def _enter(steps: list[list[int]], edits: int, diagonal: int) -> int:
    """Where a path of so many edits enters a diagonal: from the one beside it that got further."""
    before = steps[edits - 1]
    place = (diagonal + edits) // 2  # of the diagonal itself; its neighbours have place - 1 and place
    if place == 0 or (place < edits and before[place - 1] < before[place]):
        return before[place]
    return before[place - 1] + 1


def _walk(steps: list[list[int]], x: int, y: int) -> Iterator[tuple[int, int, int, int]]:
    """The single edits, from the last to the first, as (old, old_end, new, new_end)."""
    for edits in range(len(steps) - 1, 0, -1):
        diagonal = x - y
        entered = _enter(steps, edits, diagonal)
        place = (diagonal + edits) // 2
        inserted = place == 0 or (place < edits and steps[edits - 1][place - 1] < steps[edits - 1][place])
        x, y = entered, entered - diagonal
        if inserted:
            y -= 1
            yield x, x, y, y + 1
        else:
            x -= 1
            yield x, x + 1, y, y


def _join(edits: Iterator[tuple[int, int, int, int]], offset: int) -> list[Change]:
    """Edits that touch become one change; from first to last, `offset` lines further down."""
    changes: list[Change] = []
    for old, old_end, new, new_end in edits:
        if changes and (changes[-1].old, changes[-1].new) == (old_end + offset, new_end + offset):
            changes[-1].old, changes[-1].new = old + offset, new + offset
        else:
            changes.append(Change(old + offset, old_end + offset, new + offset, new_end + offset))
    return changes[::-1]


def _group(changes: Sequence[Change], context: int) -> list[list[Change]]:
    """Changes whose context would touch stand in one hunk."""
    hunks: list[list[Change]] = []
    for change in changes:
        if hunks and change.old - hunks[-1][-1].old_end <= 2 * context:
            hunks[-1].append(change)
        else:
            hunks.append([change])
    return hunks


def _range(start: int, end: int) -> str:
    """As `diff -u` counts: from 1, the length left out where it is 1, and the line before where it is 0."""
    if end - start == 1:
        return str(start + 1)
    return f"{start + 1 if end > start else start},{end - start}"
