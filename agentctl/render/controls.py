"""Takes control sequences out of text from models, tools and files before a terminal sees it."""

from __future__ import annotations

import re

# CSI, OSC/DCS/APC/PM/SOS strings, two-byte escapes, then whatever control or bidirectional character is left.
SEQUENCES = (
    r"(?s)\x1b\[[0-?]*[ -/]*[@-~]"
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\Z)"
    r"|\x9b[0-?]*[ -/]*[@-~]"
    r"|[\x90\x98\x9d\x9e\x9f].*?(?:\x07|\x9c|\x1b\\|\Z)"
    r"|\x1b[ -/]*[0-~]?"
    r"|[\x00-\x08\x0b-\x0d\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]"
)
LONGEST_SEQUENCE = 4096


def strip_controls(text: str) -> str:
    """`text` as it may be shown on a terminal; newlines and tabs stay."""
    return re.sub(SEQUENCES, "", text.replace("\r\n", "\n"))


def show_controls(text: str) -> str:
    """`text` with every control, bidirectional and zero-width character spelt out, so that none can hide."""
    return "".join(
        character if character.isprintable() and character not in ZERO_WIDTH else _spelt(character)
        for character in text
    )


# Those too that a font draws as nothing: fillers and joiners, the ones that only choose between glyphs beyond
# the one of emoji.
ZERO_WIDTH = frozenset(
    "\u200b\u200c\u200d\u2060\ufeff\u180b\u180c\u180d\u180e\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
) | {chr(code) for code in (*range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0))}


def _spelt(character: str) -> str:
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


class ControlFilter:
    """Strips a stream: a sequence that is split over two pieces is held back until it is whole."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """What may be shown now."""
        text = self._held + text
        start = max(text.rfind("\x1b"), text.rfind("\x9b"), text.rfind("\x9d"), text.rfind("\x90"))
        self._held = ""
        if start >= 0 and _is_open(text[start:]):
            text, self._held = text[:start], text[start:]
        return strip_controls(text)

    def end(self) -> str:
        """What was held back, stripped."""
        held, self._held = self._held, ""
        return strip_controls(held)


def _is_open(tail: str) -> bool:
    """Whether a sequence that starts here may still go on in the next piece."""
    if len(tail) > LONGEST_SEQUENCE:
        return False
    if re.match(r"\x1b[\]PX^_]|[\x90\x9d]", tail):
        return not re.search(r"\x07|\x9c|\x1b\\", tail[1:])
    return re.fullmatch(r"\x1b(?:\[[0-?]*[ -/]*|[ -/]*)|\x9b[0-?]*[ -/]*", tail) is not None
