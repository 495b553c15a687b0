"""Tells the agent from the prompt among the words of `chat`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agentctl.domain.agent import SLUG
from agentctl.errors import NotFound, did_you_mean


def split_words(
    words: Sequence[str], slugs: Callable[[], Sequence[str]], *, in_session: bool
) -> tuple[str | None, str]:
    """Agent (None = the default or the session's) and prompt (may be empty).

    In a session every word is prompt. Else a first word that is a slug of an agent is the agent; a first
    word that only looks like one raises NotFound, so that a typing mistake is never sent to a model.
    """
    if not words or in_session or words[0] == "-":
        return None, " ".join(words)
    first = words[0]
    known = slugs()
    if first in known:
        return first, " ".join(words[1:])
    if SLUG.match(first):
        raise NotFound(
            f'no agent "{first}"{did_you_mean(first, known)}',
            hint=f"Agents: {', '.join(known)}. A prompt of one word goes behind the agent: "
            f"agentctl chat {known[0] if known else 'AGENT'} {first}",
        )
    return None, " ".join(words)
