"""Puts blocks of text below each other, behind the marks of the lists and quotations that they stand in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentctl.tools.fetch.tree import Node

# Deeper ones are not indented further: a page of nested lists would else grow with the square of its depth.
_DEEPEST = 10


class _Container:
    """A list item or quotation: what its first line begins with, and what the other ones do."""

    def __init__(self, first: str, rest: str, *, tight: bool) -> None:
        self.first = first
        self.rest = rest
        self.tight = tight  # no empty line before it
        self.used = False


class _List:
    def __init__(self, ordered: bool, start: int) -> None:
        self.ordered = ordered
        self.number = start
        self.count = 0


class Layout:
    """The lines so far, and where the next block goes."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._containers: list[_Container] = []
        self._lists: list[_List] = []
        self._hidden = 0  # containers beyond the deepest

    def enter(self, node: Node) -> None:
        """A block that may be a list, an item or a quotation starts."""
        name = node.name
        if name in ("ul", "ol", "menu", "dir"):
            start = node.attrs.get("start", "")
            number = int(start) if start.isascii() and start.isdecimal() and len(start) < 8 else 1
            self._lists.append(_List(name == "ol", number))
        elif name in ("li", "dd", "blockquote"):
            if len(self._containers) >= _DEEPEST:
                self._hidden += 1
            else:
                self._containers.append(self._make(name))

    def leave(self, node: Node) -> None:
        """The end of what `enter` was told of."""
        if node.name in ("ul", "ol", "menu", "dir"):
            self._lists.pop()
        elif node.name in ("li", "dd", "blockquote"):
            if self._hidden:
                self._hidden -= 1
            else:
                self._containers.pop()

    def add(self, lines: Sequence[str]) -> None:
        """A block of its own."""
        fresh = [container for container in self._containers if not container.used]
        if self._lines and not (fresh and fresh[0].tight):
            self._lines.append("".join(one.rest for one in self._containers if one.used).rstrip())
        first = "".join(one.rest if one.used else one.first for one in self._containers)
        rest = "".join(one.rest for one in self._containers)
        self._lines.append((first + lines[0]).rstrip())
        self._lines += [(rest + line).rstrip() for line in lines[1:]]
        for container in fresh:
            container.used = True

    def text(self) -> str:
        """Everything."""
        return "\n".join(self._lines)

    def _make(self, name: str) -> _Container:
        if name == "blockquote":
            return _Container("> ", "> ", tight=False)
        if name == "dd":
            return _Container(": ", "  ", tight=True)
        around = self._lists[-1] if self._lists else _List(ordered=False, start=1)
        mark = f"{around.number}. " if around.ordered else "- "
        tight = around.count > 0 or len(self._lists) > 1
        around.number += 1
        around.count += 1
        return _Container(mark, " " * len(mark), tight=tight)
