"""Builds a tree from tokens, with the end tags that people leave out, at one price for any depth."""

from __future__ import annotations

from agentctl.tools.fetch.tokens import END, RAW, START, TEXT, tokenize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentctl.tools.fetch.tokens import Token

MOST_NODES = 100_000

BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "caption", "center", "dd", "details", "dialog", "dir",
    "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
    "h5", "h6", "header", "hgroup", "hr", "li", "main", "menu", "nav", "ol", "p", "pre", "search",
    "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
))  # fmt: skip
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_VOID = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
))  # fmt: skip
_LISTS = {"ul": ("li",), "ol": ("li",), "menu": ("li",), "dir": ("li",), "dl": ("dt", "dd")}
_ITEMS = {"li": ("li",), "dt": ("dt", "dd"), "dd": ("dt", "dd")}
_SECTIONS = ("tbody", "tfoot", "thead")
_TABLE_PARTS = frozenset(("caption", "table", "td", "th", "tr", *_SECTIONS))
_CELLS = frozenset(("caption", "td", "th"))
# What makes of a table a layout, whose cells are read one after the other.
_NOT_IN_CELLS = HEADINGS | {"blockquote", "hr", "pre", "table"}
# These are there in every document, whether it says so or not.
_IMPLIED = frozenset(("body", "head", "html"))

_NOTHING: dict[str, list[int]] = {}


class Node:
    """An element. `has_block` says that a block stands somewhere in it; sizes are filled in by `readable`."""

    __slots__ = (
        "attrs", "children", "columns", "dropped", "has_block", "has_title", "links", "name", "own", "parent",
        "saved", "size",
    )  # fmt: skip

    def __init__(self, name: str, attrs: dict[str, str], parent: Node | None) -> None:
        self.name = name
        self.attrs = attrs
        self.parent = parent
        self.children: list[Node | str] = []
        self.has_block = False
        self.has_title = False
        self.dropped = False
        self.own = 0  # characters of text directly in it
        self.size = 0  # and in all of it
        self.links = 0  # and in its links
        self.columns = 0  # of a row; of a table those of its widest row, -1 for a layout
        self.saved = _NOTHING  # of a list, where items of the one around it are open


class Tree:
    """A document: `root`, all `nodes` in order (parents before children), `title` and `base` as they say."""

    def __init__(self, source: str) -> None:
        self.root = Node("", {}, None)
        self.nodes = [self.root]
        self.title = ""
        self.social_title = ""
        self.base: str | None = None
        self._stack = [self.root]
        # Where on the stack the elements of a name are open: in the document, then in each table and each
        # cell of one (the owners) around what is being read.
        self._scopes: list[dict[str, list[int]]] = [{}]
        self._owners = [self.root]
        self._tables: list[Node] = []
        self._blocks = [0]
        for token in tokenize(source):
            self._take(token)

    def _take(self, token: Token) -> None:
        if token.kind == TEXT:
            self._add_text(token.text)
        elif token.kind == START:
            self._start(token.name, token.attrs)
        elif token.kind == END:
            self._close(token.name)
        elif token.kind == RAW and token.name == "title":
            self.title = self.title or token.text.strip()
        elif token.kind == RAW and token.name == "xmp":
            self._add_text(token.text)

    def _add_text(self, text: str) -> None:
        node = self._stack[-1]
        node.children.append(text)
        node.own += len(text.strip())

    def _start(self, name: str, attrs: dict[str, str]) -> None:
        if name in _IMPLIED or len(self.nodes) >= MOST_NODES:
            return
        if name == "base":
            self.base = self.base or attrs.get("href")
        elif name == "meta" and attrs.get("property", attrs.get("name")) in ("og:title", "twitter:title"):
            self.social_title = self.social_title or attrs.get("content", "").strip()
        self._close_implied(name)
        node = Node(name, attrs, self._stack[-1])
        node.parent.children.append(node)  # type: ignore[union-attr]
        self.nodes.append(node)
        self._mark(node)
        if name not in _VOID:
            self._open(node)

    def _close_implied(self, name: str) -> None:
        if name in BLOCKS:
            self._close("p")
        for sibling in _ITEMS.get(name, ()):
            self._close(sibling)
        if name == "a":
            self._close("a")
        if name in HEADINGS and self._stack[-1].name in HEADINGS:
            self._pop_to(len(self._stack) - 1)
        if name in _TABLE_PARTS and name != "table" and self._tables:
            self._close_parts(name)

    def _close_parts(self, name: str) -> None:
        """End what cannot hold the part of a table that starts: a cell, for a row also the row before."""
        for cell in _CELLS:
            self._close(cell)
        if name not in _CELLS:
            self._close("tr")
        if name in _SECTIONS:
            for section in _SECTIONS:
                self._close(section)

    def _open(self, node: Node) -> None:
        places = self._scopes[-1]
        places.setdefault(node.name, []).append(len(self._stack))
        if node.name in _LISTS:
            node.saved = {item: places.pop(item, []) for item in _LISTS[node.name]}
        if node.name in BLOCKS:
            self._blocks.append(len(self._stack))
        self._stack.append(node)
        if node.name == "table" or (node.name in _CELLS and self._tables):
            self._owners.append(node)
            self._scopes.append({})
        if node.name == "table":
            self._tables.append(node)

    def _close(self, name: str) -> None:
        """End the innermost open element of that name, and what is open in it; nothing where there is none.

        What is no block ends no block, and nothing ends the cell that it stands in but a part of the table.
        """
        places = self._find_scope(name).get(name)
        if places and (name in BLOCKS or places[-1] > self._blocks[-1]):
            self._pop_to(places[-1])
        elif name == "br":
            self._start("br", {})

    def _find_scope(self, name: str) -> dict[str, list[int]]:
        """Where an element of that name would be open: for parts of a table, outside of the cell."""
        if name not in _TABLE_PARTS or self._scopes[-1].get(name) or not self._tables:
            return self._scopes[-1]
        out = (name == "table") + (self._owners[-1].name in _CELLS)
        return self._scopes[-1 - out]

    def _pop_to(self, place: int) -> None:
        while len(self._stack) > place:
            node = self._stack.pop()
            if self._owners[-1] is node:
                self._owners.pop()
                self._scopes.pop()
            if node.name == "table":
                self._tables.pop()
            places = self._scopes[-1]
            places[node.name].pop()
            places.update(node.saved)
            if node.name in BLOCKS:
                self._blocks.pop()

    def _mark(self, node: Node) -> None:
        name = node.name
        if name in BLOCKS:
            above = node.parent
            while above is not None and not above.has_block:
                above.has_block = True
                above = above.parent
        if not self._tables:
            return
        table = self._tables[-1]
        if name in _NOT_IN_CELLS:
            table.columns = -1
        elif name in ("td", "th") and node.parent is not None and node.parent.name == "tr":
            node.parent.columns += 1
            if table.columns >= 0:
                table.columns = max(table.columns, node.parent.columns)
