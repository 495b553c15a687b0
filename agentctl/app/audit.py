"""The audit as it is read and checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentctl.domain.ids import rfc3339
from agentctl.errors import ConfigError
from agentctl.store import Store

# What of an entry's data stands in columns of its own, where people look for it.
LIFTED = ("decision", "by", "rule", "agent", "tool", "action", "run_id")


def audit_rows(store: Store, user: str, *, since: int, limit: int, offset: int) -> Iterator[dict[str, Any]]:
    """One page of the entries of a user from a time (ms) on, oldest first."""
    for entry in store.audit.entries(user, since=since, limit=limit, offset=offset):
        yield {
            "seq": entry.seq,
            "created_at": rfc3339(entry.ts),
            "user": entry.user,
            "os_user": entry.os_user,
            "event": entry.event,
            **{key: entry.data.get(key) for key in LIFTED},
            "data": entry.data,
            "previous": entry.previous,
            "hash": entry.hash,
        }


def verify_audit(store: Store, head: str | None) -> dict[str, Any]:
    """How many entries the whole audit has, and the hash of the last one.

    Raises ConfigError with every fault, one a line.
    """
    faults, count, last = store.audit.verify(head)
    if faults:
        raise ConfigError(
            f"the audit does not hold: {len(faults)} fault{'s' if len(faults) > 1 else ''}", problems=faults
        )
    return {"entries": count, "head": last}
