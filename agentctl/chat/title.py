"""What a title looks like: the first line of a text, or a model's answer cleaned."""

from __future__ import annotations

import re

TITLE_LENGTH = 50


def first_line(text: str) -> str:
    """The first line with words in it, at most 50 characters, cut at a word where there is one."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = " ".join(line.split())
    if len(line) <= TITLE_LENGTH:
        return line
    head, _, _ = line[: TITLE_LENGTH - 1].rpartition(" ")
    return (head if len(head) > TITLE_LENGTH // 2 else line[: TITLE_LENGTH - 1]) + "…"


def is_enough(text: str) -> bool:
    """Whether what a model has said so far settles the title: a whole line, or more than fits."""
    said = text.lstrip()
    return "\n" in said or len(said) > 4 * TITLE_LENGTH


def clean_title(text: str) -> str | None:
    """A model's answer as a title, or None where it is none: quotes, labels and further lines go."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    line = re.sub(r"^(?:title|标题|タイトル)\s*[:：]\s*", "", line, flags=re.IGNORECASE)
    line = line.strip(" \t\"'“”‘’「」『』《》*#`").rstrip(".。")
    return first_line(line) if line else None
