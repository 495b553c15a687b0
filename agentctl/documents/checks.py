"""What title, content, summary and tags of a document may be, and the form they are stored in."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from agentctl.documents.faults import ContentTooLong, InvalidDocument
from agentctl.domain.document_limits import LONGEST_SUMMARY, TAGS_LENGTH, TITLE_LENGTH


def check_title(title: str) -> str:
    """The title on one line; raises InvalidDocument for an empty, overlong or unstorable one."""
    if len(title) > 8 * TITLE_LENGTH:
        raise _overlong("title", len(title), TITLE_LENGTH)
    title = " ".join(_storable("title", title).split())
    if not title:
        raise InvalidDocument("the title is empty", hint="Give one with --title.")
    if len(title) > TITLE_LENGTH:
        raise _overlong("title", len(title), TITLE_LENGTH)
    return title


def check_content(content: str, most: int) -> str:
    """The content as it is; raises ContentTooLong, or InvalidDocument for an empty or unstorable one."""
    if len(content) > most:
        raise ContentTooLong(len(content), most)
    if not content.strip():
        raise InvalidDocument("the content is empty", hint="A document needs at least one word.")
    return _storable("content", content)


def check_summary(summary: str | None, content: str, length: int) -> str:
    """The summary, or the first `length` characters of the content where none was given.

    Raises InvalidDocument for an overlong or unstorable one.
    """
    if summary is None or not summary.strip():
        return content[:length]
    if len(summary) > LONGEST_SUMMARY:
        raise _overlong("summary", len(summary), LONGEST_SUMMARY)
    return _storable("summary", summary)


def check_tags(tags: Iterable[str] | str) -> tuple[str, ...]:
    """Tags from a list, or from text with commas: each once, without spaces around it, in their order.

    Raises InvalidDocument where they are longer than 500 characters together, commas included.
    """
    kept: dict[str, None] = {}
    length = 0
    for tag in _split([tags] if isinstance(tags, str) else tags):
        if tag in kept:
            continue
        kept[tag] = None
        length += len(tag) + (len(kept) > 1)
        if length > TAGS_LENGTH:
            raise InvalidDocument(
                f"the tags are longer than {TAGS_LENGTH} characters together",
                hint="Use fewer or shorter ones.",
            )
    return tuple(_storable("tag", tag) for tag in kept)


def hash_content(content: str) -> str:
    """The SHA-256 of the content as UTF-8, in hexadecimal."""
    return hashlib.sha256(content.encode()).hexdigest()


def _split(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        # Not split as a whole: text of any length may come in, and the limit ends the loop early.
        start = 0
        while start <= len(text):
            end = text.find(",", start)
            end = len(text) if end < 0 else end
            tag = " ".join(text[start:end].split())
            if tag:
                yield tag
            start = end + 1


def _storable(field: str, text: str) -> str:
    place = text.find("\x00")
    if place >= 0:
        raise InvalidDocument(f"the {field} holds a NUL character at position {place}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidDocument(
            f"the {field} holds half of a surrogate pair at position {error.start}, which is no character"
        ) from None
    return text


def _overlong(field: str, length: int, most: int) -> InvalidDocument:
    return InvalidDocument(
        f"the {field} has {length:,} characters, at most {most}", hint=f"Shorten the {field}."
    )
