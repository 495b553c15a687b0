"""Writes the tree of a page as Markdown, without recursion, for pages nest deeper than Python does."""

from __future__ import annotations

import re

from agentctl.tools.fetch.layout import Layout
from agentctl.tools.fetch.links import Links
from agentctl.tools.fetch.table import Table
from agentctl.tools.fetch.tree import BLOCKS, HEADINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentctl.tools.fetch.tree import Node

_MARKS = {"b": "**", "strong": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "strike": "~~"}
_CODE = frozenset(("code", "kbd", "samp", "tt"))
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:lang-|language-|highlight-source-|highlight-|brush:\s?)([A-Za-z0-9+#_.-]{1,20})(?:$|[\s;])"
)
_SPACE = re.compile(r"[ \t\n\r\f\v\xa0]+")
_TICKS = re.compile(r"`+")
# Links that only mark a place, as the ones behind headings.
_ANCHORS = frozenset(("", "#", "¶", "§", "🔗", "\u200b"))


class Writer:
    """Turns an element and all in it into text; `plain` leaves the marks of Markdown away."""

    def __init__(self, base: str, *, plain: bool = False) -> None:
        self._layout = Layout()
        self._links = Links(base)
        self._plain = plain
        # The text of the block that is being read, and of the inline elements and cells open in it.
        self._buffers: list[list[str]] = [[]]
        self._table: Table | None = None
        self._pre: Node | None = None
        self._heading = ""
        self._code = 0
        self._block_link: str | None = None  # of a link around whole blocks, for the first of them

    def write(self, root: Node) -> str:
        """The text of `root`."""
        open_nodes: list[tuple[Node, Iterator[Node | str]]] = []
        self._enter(root)
        open_nodes.append((root, iter(root.children)))
        while open_nodes:
            node, children = open_nodes[-1]
            child = next(children, None)
            if child is None:
                self._leave(node)
                open_nodes.pop()
            elif isinstance(child, str):
                self._add(child if self._pre else _SPACE.sub(" ", child))
            elif not child.dropped:
                self._enter(child)
                open_nodes.append((child, iter(child.children)))
        self._flush()
        return self._layout.text()

    def _add(self, text: str) -> None:
        self._buffers[-1].append(text)

    def _enter(self, node: Node) -> None:
        name = node.name
        if self._pre:
            if name == "br":
                self._add("\n")
        elif name == "br":
            self._add(" " if self._table or self._heading else "\n")
        elif name == "img":
            self._add_image(node)
        elif name in BLOCKS:
            self._enter_block(node)
        elif name == "math" and node.attrs.get("alttext"):
            self._add(f" ${node.attrs['alttext']}$ ")
            node.children.clear()
        elif self._is_inline(node):
            self._buffers.append([])
            self._code += name in _CODE
        elif name == "a":
            self._block_link = self._links.find(node.attrs.get("href"))

    def _leave(self, node: Node) -> None:
        name = node.name
        if self._pre:
            if node is self._pre:
                self._leave_pre(node)
        elif name in BLOCKS:
            self._leave_block(node)
        elif self._is_inline(node):
            self._code -= name in _CODE
            inner = "".join(self._buffers.pop())
            self._add(self._mark(node, inner))
        elif name == "a":
            self._flush()
            self._block_link = None

    def _is_inline(self, node: Node) -> bool:
        """Whether marks can stand around it: nothing in it begins a line of its own."""
        return (node.name == "a" or node.name in _MARKS or node.name in _CODE) and (
            not node.has_block or self._table is not None
        )

    def _mark(self, node: Node, inner: str) -> str:
        text = inner.strip()
        if node.name == "a" and text in _ANCHORS:
            return ""
        if self._plain or not text or (self._code and node.name not in _CODE):
            return inner
        if node.name in _CODE:
            marked = inner if self._code else _fence(text)
        elif node.name == "a":
            marked = self._mark_link(node, text)
        elif self._heading and _MARKS[node.name] == "**":
            marked = text
        else:
            marked = f"{_MARKS[node.name]}{text}{_MARKS[node.name]}"
        before = " " if inner[0].isspace() else ""
        return before + marked + (" " if inner[-1].isspace() else "")

    def _mark_link(self, node: Node, text: str) -> str:
        text = _SPACE.sub(" ", text)
        target = self._links.find(node.attrs.get("href"))
        return f"[{text}]({target})" if target else text

    def _add_image(self, node: Node) -> None:
        alt = _SPACE.sub(" ", node.attrs.get("alt", "")).strip()
        if not alt or self._code:
            return
        if self._plain:
            self._add(f" {alt} ")
            return
        source = self._links.find(node.attrs.get("src"))
        self._add(f"![{alt}]({source})" if source else f"![{alt}]")

    def _enter_block(self, node: Node) -> None:
        name = node.name
        if self._table:
            self._enter_part(node)
            return
        self._flush()
        if name in HEADINGS:
            self._heading = "" if self._plain else "#" * int(name[1]) + " "
        elif name == "hr":
            self._layout.add(["---"])
        elif name == "pre":
            self._pre = node
        elif name == "table" and node.columns > 1:
            self._table = Table()
        else:
            self._layout.enter(node)

    def _leave_block(self, node: Node) -> None:
        name = node.name
        if self._table:
            self._leave_part(node)
            return
        if name in ("dt", "summary") and not self._plain:
            text = "".join(self._buffers[0]).strip()
            self._buffers = [[f"**{text}**"]] if text and "**" not in text else [[text]]
        self._flush()
        self._heading = ""
        if name not in HEADINGS and name not in ("hr", "pre"):
            self._layout.leave(node)

    def _enter_part(self, node: Node) -> None:
        if node.name == "tr" and self._table:
            self._table.start_row()
        elif node.name in ("td", "th", "caption"):
            self._buffers.append([])
        else:
            self._add(" ")

    def _leave_part(self, node: Node) -> None:
        if self._table is None:
            return
        if node.name in ("td", "th"):
            text = _SPACE.sub(" ", "".join(self._buffers.pop())).strip()
            self._table.add_cell(text, node.attrs)
        elif node.name == "caption":
            self._table.caption = _SPACE.sub(" ", "".join(self._buffers.pop())).strip()
        elif node.name == "table":
            table, self._table = self._table, None
            for lines in table.blocks(plain=self._plain):
                self._layout.add(lines)
            self._flush()
        else:
            self._add("; " if node.name == "li" else " ")

    def _leave_pre(self, node: Node) -> None:
        self._pre = None
        text = "".join(self._buffers[0]).expandtabs(4).strip("\n").rstrip()
        self._buffers = [[]]
        if not text.strip():
            return
        lines = [line.rstrip() for line in text.split("\n")]
        if self._plain:
            self._layout.add(lines)
            return
        longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
        fence = "`" * max(3, longest + 1)
        self._layout.add([fence + _find_language(node), *lines, fence])

    def _flush(self) -> None:
        """End the block that is being read."""
        text = "".join("".join(buffer) for buffer in self._buffers)
        self._buffers = [[]]
        lines = [_SPACE.sub(" ", line).strip() for line in text.split("\n")]
        lines = [line for line in lines if line]
        if not lines:
            return
        heading, self._heading = self._heading, ""
        if heading:
            lines = [" ".join(lines)]
        if self._block_link and not self._plain:
            lines = [f"[{' '.join(lines)}]({self._block_link})"] if "](" not in "".join(lines) else lines
            self._block_link = None
        self._layout.add([heading + lines[0], *lines[1:]])


def _fence(text: str) -> str:
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    if not longest:
        return f"`{text}`"
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}"


def _find_language(node: Node) -> str:
    """The language that a class of the block, or of what directly surrounds or fills it, names."""
    inner = [child for child in node.children[:3] if not isinstance(child, str)]
    for one in (node, *inner, node.parent, node.parent and node.parent.parent):
        found = _LANGUAGE.search(one.attrs.get("class", "")[:300]) if one else None
        if found:
            return found[1].lower()
    return ""
