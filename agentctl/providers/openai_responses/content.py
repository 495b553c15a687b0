"""What an output item says: its words and thoughts, whatever the parts are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple


class Part(NamedTuple):
    """A part of an item: `words`, `summary` or `thought`, its place among those, and its text."""

    kind: str
    place: int
    text: str
    refusal: bool = False


def read_part(part: Any, index: int, owner: str) -> Part | None:
    """A part of an item of type `owner`; None where it says nothing that is shown."""
    if isinstance(part, str):
        part = {"type": "text", "text": part}
    if not isinstance(part, Mapping):
        return None
    refusal = part.get("type") == "refusal"
    text = part.get("refusal" if refusal else "text")
    if not isinstance(text, str) or not text:
        return None
    if part.get("type") == "summary_text":
        return Part("summary", index, text)
    # Some servers call the parts of a reasoning item `output_text`.
    return Part("thought" if owner == "reasoning" else "words", index, text, refusal)


def read_parts(entry: Mapping[str, Any]) -> Iterator[Part]:
    """The parts of a message or of reasoning, in order."""
    if entry.get("type") not in ("message", "reasoning"):
        return
    for field in ("summary", "content"):
        parts = entry.get(field)
        for index, each in enumerate(parts if isinstance(parts, list) else [parts]):
            part = read_part(each, index, str(entry["type"]))
            if part:
                yield part


def read_event(event: Mapping[str, Any], field: str) -> Part | None:
    """The part that an event speaks of; `field` holds its text: `delta` or that of the whole part."""
    name = str(event.get("type"))
    text = event.get(field)
    if isinstance(text, Mapping):
        text = text.get("text")
    if not isinstance(text, str) or not text:
        return None
    kind = "words"
    if name.startswith("response.reasoning"):
        kind = "summary" if "summary" in name else "thought"
    return Part(kind, find_index(event), text, name.startswith("response.refusal"))


def find_index(event: Mapping[str, Any]) -> int:
    """The place of a part among those of its item; 0 where nobody says."""
    for key in ("content_index", "summary_index"):
        index = event.get(key)
        if isinstance(index, int):
            return index
    return 0
