"""Finds the element that holds the text of a page, without what stands around it on every page."""

from __future__ import annotations

import re

from agentctl.tools.fetch.tree import HEADINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentctl.tools.fetch.tree import Node, Tree

# Never text of the page.
_NEVER = frozenset((
    "applet", "audio", "base", "button", "canvas", "col", "colgroup", "datalist", "dialog", "embed",
    "frame", "frameset", "iframe", "input", "link", "map", "meta", "noembed", "noframes", "noscript",
    "object", "option", "param", "progress", "script", "select", "source", "style", "svg", "template",
    "textarea", "track", "video",
))  # fmt: skip
# Not what the page is about, unless the better part of its text stands there.
_AROUND = frozenset(("aside", "footer", "form", "menu", "nav", "search"))
_AROUND_ROLES = frozenset((
    "alertdialog", "banner", "complementary", "contentinfo", "dialog", "form", "menu", "menubar",
    "navigation", "search", "toolbar",
))  # fmt: skip
_AROUND_WORDS = re.compile(
    r"(?:^|[\s_-])(?:ads?|adverts?|advertis\w+|breadcrumbs?|consent|cookies?|footer|gdpr|masthead|menu|modal|nav"
    r"|navbar|navigation|newsletter|pagination|popup|promo|share|sharing|sidebar|signup|skip|social|sponsor\w*"
    r"|subscribe)(?:$|[\s_-])",
    re.IGNORECASE,
)
_NAMED = frozenset(("aside", "div", "header", "ol", "p", "section", "span", "table", "ul"))
_CONTENT_WORDS = re.compile(
    r"(?:^|\s)(?:article-?body|article-content|body-?content|content|entry-content|main|main-?content"
    r"|markdown-body|mw-parser-output|post-body|post-content)(?:$|\s)",
    re.IGNORECASE,
)
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# To be read as a whole, or not at all.
_WHOLE = frozenset(("blockquote", "dl", "menu", "ol", "table", "ul"))
# How much of the text something must hold to be taken for all of it.
_MOST = 0.7
_HALF = 0.5
_SOME = 0.1


def find_main(tree: Tree) -> Node:
    """The element to read; what is in it but not to be read is marked as `dropped`."""
    total = _measure(tree)
    for node in tree.nodes:
        if not node.dropped and node is not tree.root and _is_around(node, total):
            node.dropped = True
    total = _measure(tree)
    return _find_declared(tree, total) or _descend(tree.root)


def _measure(tree: Tree) -> int:
    """Fill in the sizes of all nodes, children before parents, dropped ones left out; gives the whole."""
    for node in tree.nodes:
        node.dropped = node.dropped or node.name in _NEVER
        node.size, node.links = node.own, 0
    for node in reversed(tree.nodes):
        above = node.parent
        if above is None or node.dropped:
            continue
        above.size += node.size
        above.links += node.size if node.name == "a" else node.links
        above.has_title = above.has_title or node.has_title or node.name in ("h1", "h2")
    return tree.root.size


def _is_around(node: Node, total: int) -> bool:
    attrs = node.attrs
    if "hidden" in attrs and attrs["hidden"].lower() != "until-found":
        return node.size < total * _HALF
    if attrs.get("aria-hidden", "").lower() == "true" or _HIDDEN_STYLE.search(attrs.get("style", "")[:500]):
        return node.size < total * _HALF
    if node.size >= total * _HALF:
        return False
    if node.name in _AROUND:
        return not (node.parent is not None and node.parent.name in ("blockquote", "figure"))
    if node.name == "header":
        return not node.has_title
    if attrs.get("role", "").lower() in _AROUND_ROLES:
        return True
    words = f"{attrs.get('class', '')[:300]} {attrs.get('id', '')[:100]}"
    return node.name in _NAMED and bool(_AROUND_WORDS.search(words)) and not node.has_title


def _find_declared(tree: Tree, total: int) -> Node | None:
    """The element that the page itself says is the one."""
    found: dict[str, Node] = {}
    articles = 0
    for node in tree.nodes:
        if node.dropped:
            continue
        articles += node.name == "article"
        kind = _kind(node)
        if kind and (kind not in found or node.size > found[kind].size):
            found[kind] = node
    if (best := found.get("main")) and best.size >= total * _SOME:
        return best
    if (best := found.get("article")) and best.size >= total * (_SOME if articles == 1 else _HALF):
        return best
    best = found.get("content")
    return best if best and best.size >= total * _HALF else None


def _kind(node: Node) -> str | None:
    if node.name == "main" or node.attrs.get("role") == "main":
        return "main"
    if node.name == "article" or node.attrs.get("itemprop") == "articleBody":
        return "article"
    names = (node.attrs.get("id", "")[:100], node.attrs.get("class", "")[:300])
    return "content" if any(_CONTENT_WORDS.search(name) for name in names) else None


def _descend(node: Node) -> Node:
    """As far down as one child holds most of the text."""
    while True:
        inner = [child for child in node.children if not isinstance(child, str) and not child.dropped]
        best = max(inner, key=lambda child: child.size, default=None)
        if best is None or best.size < node.size * _MOST or not best.has_block or best.name in _WHOLE:
            return node
        if any(child.name in HEADINGS for child in inner):
            return node
        node = best
