"""What a text calls itself: its first heading, else its first line."""

from __future__ import annotations

import re

from agentctl.documents.titles import first_line

# A heading stands near the top.
_LOOKED_AT = 20_000
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(?P<words>.*\w.*?)(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")


def find_heading(text: str) -> str:
    """The first Markdown heading (none that stands in code), else the first line; at most 50 characters."""
    in_code = False
    for line in text[:_LOOKED_AT].splitlines():
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code and (found := _HEADING.fullmatch(line)):
            return first_line(found["words"])
    return first_line(text)
