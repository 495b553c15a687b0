"""Cuts HTML, however broken, into tags and texts, in one pass over it.

Follows the HTML standard where that decides what is text and what is not; each search that fails ends the
document, so that no input is read twice.
"""

from __future__ import annotations

import re
from html import unescape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT, START, END, RAW, OTHER = "text", "start", "end", "raw", "other"

# Elements whose content is not markup; that of the first kind still holds entities.
_ESCAPABLE = ("textarea", "title")
_RAW = (*_ESCAPABLE, "iframe", "noembed", "noframes", "script", "style", "xmp")
# The attributes that anybody asks for; a page may have thousands of others.
_WANTED = frozenset((
    "alt", "alttext", "aria-hidden", "class", "colspan", "content", "hidden", "href", "id", "itemprop",
    "name", "property", "role", "rowspan", "src", "start", "style",
))  # fmt: skip
_MARKUP = re.compile(r"<[A-Za-z/!?]")
_TAG_NAME = re.compile(r"[A-Za-z][^\s/>]*")
_ATTRIBUTE = re.compile(r"""[\s/=]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?""")
_TAG_END = re.compile(r"[\s/=]*>")
_COMMENT_END = re.compile(r"--!?>")
_HUGE_ENTITY = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{8,});?")
_RAW_END = {name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW}


class Token:
    """What stands from `begin` to `end`: a tag with `name` and wanted `attrs`, or `text` without entities."""

    __slots__ = ("attrs", "begin", "end", "kind", "name", "text")

    def __init__(self, kind: str, begin: int, end: int, name: str = "", text: str = "") -> None:
        self.kind = kind
        self.begin = begin
        self.end = end
        self.name = name
        self.text = text
        self.attrs: dict[str, str] = {}


def tokenize(source: str) -> Iterator[Token]:
    """The tokens of `source`, in order, without gaps; what ends in the middle of a tag ends before it."""
    place, length = 0, len(source)
    while place < length:
        markup = _MARKUP.search(source, place)
        opening = markup.start() if markup else length
        if opening > place:
            yield Token(TEXT, place, opening, text=decode(source[place:opening]))
            place = opening
            continue
        token = _read_markup(source, place)
        if token is None:
            return
        yield token
        place = token.end
        if token.kind == START and token.name in _RAW:
            ending = _RAW_END[token.name].search(source, place)
            end = ending.start() if ending else length
            text = source[place:end]
            yield Token(RAW, place, end, token.name, decode(text) if token.name in _ESCAPABLE else text)
            place = end


def decode(text: str) -> str:
    """`text` with its entities turned into characters."""
    if "&" not in text:
        return text
    # No character has such a number, and Python refuses to read one of thousands of digits.
    return unescape(_HUGE_ENTITY.sub("\ufffd", text))


def _read_markup(source: str, place: int) -> Token | None:
    """What begins with the `<` at `place`; None where the document ends inside of it."""
    following = source[place + 1]
    if following == "/":
        name = _TAG_NAME.match(source, place + 2)
        end = source.find(">", place + 2)
        if end < 0:
            return None
        if name is None:
            return Token(OTHER, place, end + 1)
        return Token(END, place, end + 1, name[0].lower())
    if source.startswith("<!--", place):
        ending = _COMMENT_END.search(source, place + 2)
        return Token(OTHER, place, ending.end()) if ending else None
    if following in "!?":
        end = source.find(">", place)
        return Token(OTHER, place, end + 1) if end >= 0 else None
    return _read_start(source, place)


def _read_start(source: str, place: int) -> Token | None:
    name = _TAG_NAME.match(source, place + 1)
    if name is None:
        return None
    token = Token(START, place, place, name[0].lower())
    at = name.end()
    while (ending := _TAG_END.match(source, at)) is None:
        attribute = _ATTRIBUTE.match(source, at)
        if attribute is None:
            return None
        at = attribute.end()
        key = attribute[1].lower()
        if key in _WANTED and key not in token.attrs:
            token.attrs[key] = decode(attribute[2] or attribute[3] or attribute[4] or "")
    token.end = ending.end()
    return token
