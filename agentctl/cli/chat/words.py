"""Tells the agent from the prompt among the words of `chat`."""

from __future__ import annotations

from collections.abc import Sequence

from agentctl.domain.agent import SLUG


def split_words(words: Sequence[str], *, in_session: bool) -> tuple[str | None, str]:
    """Agent (None = the default or the session's) and prompt (may be empty).

    In a session every word is prompt. Else a first word that looks like a slug is the agent, whether there
    is one or not, so that a typing mistake is never sent to a model; anything else starts the prompt.
    """
    if words and not in_session and SLUG.match(words[0]) and words[0] != "-":
        return words[0], " ".join(words[1:])
    return None, " ".join(words)
