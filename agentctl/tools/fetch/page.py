"""Turns the text of a page into what was asked for; runs in a guarded child where the page is not small."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from agentctl.tools.fetch.markdown import Writer
from agentctl.tools.fetch.readable import find_main
from agentctl.tools.fetch.tokens import END, OTHER, RAW, START, tokenize
from agentctl.tools.fetch.tree import Tree
from agentctl.tools.json_formatter.formatting import perform as perform_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MOST_TEXT = 1_000_000
_LONGEST_TITLE = 300
_SPACE = re.compile(r"\s+")
# Nothing that anybody reads of the source of a page.
_UNREAD = ("script", "style")


def perform(request: Mapping[str, Any]) -> dict[str, Any]:
    """`title` and `text` of a page: the keys are `form` (html, markdown, text or json), `source` and `url`.

    Raises ToolError for JSON that is none.
    """
    if request["form"] == "json":
        return {"title": None, **_pretty(request["source"])}
    if request["form"] == "html":
        return _strip(request["source"])
    tree = Tree(request["source"])
    base = _join(request["url"], tree.base)
    text = Writer(base, plain=request["form"] == "text").write(find_main(tree))
    title = _clean(tree.title or tree.social_title) or _first_heading(text)
    return {"title": title, "text": text[:MOST_TEXT], "truncated": len(text) > MOST_TEXT}


def _pretty(source: str) -> dict[str, Any]:
    return perform_json({"text": source, "action": "format", "indent": 2, "sort_keys": False})


def _clean(title: str) -> str | None:
    return _SPACE.sub(" ", title[: 10 * _LONGEST_TITLE]).strip()[:_LONGEST_TITLE] or None


def _first_heading(text: str) -> str | None:
    line = text.partition("\n")[0]
    return line.lstrip("# ")[:_LONGEST_TITLE] or None if line.startswith("#") else None


def _join(url: str, base: str | None) -> str:
    try:
        return urljoin(url, base or "")
    except ValueError:
        return url


def _strip(source: str) -> dict[str, Any]:
    """The source without scripts, styles and comments."""
    kept = []
    title = ""
    for token in tokenize(source):
        if token.kind == RAW and token.name == "title":
            title = title or token.text
        if token.kind in (START, END, RAW) and token.name in _UNREAD:
            continue
        if token.kind == OTHER and source[token.begin : token.begin + 9].lower() != "<!doctype":
            continue
        kept.append(source[token.begin : token.end])
    lines = (line.rstrip() for line in "".join(kept).split("\n") if line.strip())
    return {"title": _clean(title), "text": "\n".join(lines)}
