"""Suggests the model that somebody may have meant."""

from __future__ import annotations

from collections.abc import Iterable

from agentctl.errors import find_closest


def suggest(word: str, known: Iterable[str]) -> str:
    """` (did you mean "x"?)` for the model nearest to `word`, else an empty string.

    A word without a provider is compared with the names behind the providers too, and what is suggested is
    whole: `gpt-4.1-mini` gives `openai/gpt-4.1-mini`.
    """
    whole = {name: name for name in known}
    if "/" not in word:
        for name in list(whole):
            whole.setdefault(name.rpartition("/")[2], name)
    close = word if word in whole else find_closest(word, whole)
    return f' (did you mean "{whole[close]}"?)' if close else ""
