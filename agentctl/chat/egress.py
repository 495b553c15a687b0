"""Which requests ask first: to hosts that nobody named, once strangers' words and private things met."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from agentctl.domain.message import Message
from agentctl.domain.tool import ToolResult

# Where data begins that a person sent along: piped in, or the text of an attached file.
_DATA = re.compile(r'<stdin>\n|<file name="')


class Egress:
    """What may leave one session. `find_holdings` says what its results hold so far."""

    def __init__(self, find_holdings: Callable[[], Iterable[str]], history: Sequence[Message]) -> None:
        self._find_holdings = find_holdings
        self._held: set[str] | None = None
        self._words = [own_words(text) for text in _prompts(history)]
        self._allowed: set[str] = set()

    @property
    def is_guarded(self) -> bool:
        """Whether words of strangers and things of the user met in this session."""
        if self._held is None:
            self._held = set(self._find_holdings())
        return {"untrusted", "private"} <= self._held

    def learn(self, result: ToolResult) -> None:
        """The session holds what this result holds."""
        if self._held is not None:
            self._held |= set(result.metadata.get("holds", ()))

    def is_named(self, host: str) -> bool:
        """Whether the user named it, in words or with a yes."""
        return host in self._allowed or any(names_host(words, host) for words in self._words)

    def allow(self, host: str) -> None:
        """A person said yes to it."""
        self._allowed.add(host)


def own_words(prompt: str) -> str:
    """What of a prompt a person wrote, without the data that was sent along."""
    return _DATA.split(prompt, maxsplit=1)[0]


def names_host(words: str, host: str) -> bool:
    """Whether somebody wrote this very host (with `www.` or without), by itself or in a URL."""
    return any(
        _begins(words[: found.start()]) and _ends(words[found.end() :])
        for form in _forms(host)
        for found in re.finditer(re.escape(form), words, re.IGNORECASE)
    )


def is_named_in(conditions: Any, host: str) -> bool:
    """Whether a pattern among the conditions of a rule names `host`: in full, or its domain after a star."""
    if isinstance(conditions, Mapping):
        return any(is_named_in(each, host) for key, each in conditions.items() if key != "re")
    if isinstance(conditions, list | tuple):
        return any(is_named_in(each, host) for each in conditions)
    if not isinstance(conditions, str):
        return False
    if names_host(conditions, host):
        return True
    from agentctl.tools.plain_forms import find_host

    star, _, domain = (find_host(conditions) or "").lower().partition("*.")
    # "*.com" names nobody.
    return star == "" and "." in domain and "*" not in domain and host.endswith(f".{domain}")


def _begins(before: str) -> bool:
    return not before or not (before[-1] in ".-_@" or _is_letter(before[-1]))


def _ends(after: str) -> bool:
    """At a full stop too, where nothing of a name follows it."""
    rest = after.removeprefix(".")
    return not rest or not (rest[0] in "-_@" or _is_letter(rest[0]))


def _is_letter(character: str) -> bool:
    """Of a script that sets words apart: others stand next to a name without being a part of it."""
    return character.isdigit() or character.upper() != character.lower()


def _forms(host: str) -> set[str]:
    bare = host.lower().rstrip(".").removeprefix("www.")
    forms = {bare, f"www.{bare}"}
    try:
        unicode = bare.encode("ascii").decode("idna")
    except UnicodeError:
        return forms
    return {*forms, unicode, f"www.{unicode}"}


def _prompts(history: Sequence[Message]) -> list[str]:
    """What a person asked: the first message of each run; later ones are about schemas, and ours."""
    prompts: dict[str, str] = {}
    for message in history:
        if message.role == "user":
            prompts.setdefault(message.run_id or message.id, message.text)
    return list(prompts.values())
