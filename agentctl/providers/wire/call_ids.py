"""Tool call ids on the wire: unique in a request, and in the form a server accepts."""

from __future__ import annotations

import re

_PLAIN = r"[A-Za-z0-9_-]{1,64}"


class CallIds:
    """Gives each call of one request its id; the same history always gets the same ids.

    `short` makes ids of nine letters and digits, the only ones that Mistral accepts; `plain` those of at most
    64 letters, digits, `_` and `-`, as OpenAI's Responses and Anthropic want them.
    """

    def __init__(self, *, short: bool = False, plain: bool = False) -> None:
        self._short = short
        self._plain = plain
        self._used: set[str] = set()

    def assign(self, call_id: str) -> str:
        """The id for the next call that is known as `call_id`; one that was used before gets a number."""
        number = 1
        candidate = self._form(call_id)
        while candidate in self._used:
            number += 1
            candidate = self._form(f"{call_id}_{number}")
        self._used.add(candidate)
        return candidate

    def _form(self, call_id: str) -> str:
        if self._short:
            return _digest(call_id)[:9]
        if self._plain and not re.fullmatch(_PLAIN, call_id):
            return f"call_{_digest(call_id)[:24]}"
        return call_id


def _digest(call_id: str) -> str:
    # Only odd ids pay for this import.
    import hashlib

    return hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()
