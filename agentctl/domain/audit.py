"""One entry of the audit: what was decided, by whom and how, chained to the entry before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentctl.domain.value import value

# What the first entry is chained to.
NOTHING = "0" * 64


@value
class AuditEntry:
    """`ts` in milliseconds UTC; `user` is who the caller said to be, `os_user` who the system says."""

    seq: int
    ts: int
    user: str
    os_user: str
    event: str
    data: Mapping[str, Any]
    previous: str
    hash: str


def chain(previous: str, seq: int, ts: int, user: str, os_user: str, event: str, data: str) -> str:
    """The SHA-256 of an entry (`data` as stored JSON text) and of all that came before it."""
    import hashlib
    import json

    exact = json.dumps([previous, seq, ts, user, os_user, event, data], ensure_ascii=False)
    return hashlib.sha256(exact.encode("utf-8", "surrogatepass")).hexdigest()
