"""Grants: made by a person ahead of time, listed and taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from agentctl.app.tool_views import find_association
from agentctl.chat.holder import os_user
from agentctl.chat.toolbox import AgentsTool, equip
from agentctl.domain.grant import Grant
from agentctl.domain.ids import clock_ms, new_id, rfc3339
from agentctl.domain.rule import TARGET
from agentctl.domain.user import User
from agentctl.errors import UsageError
from agentctl.store import Store
from agentctl.tools.base import Services


class Grants:
    """Those of one user. `find_services` gives what tools are made with."""

    def __init__(self, store: Store, user: User, find_services: Callable[[], Services]) -> None:
        self._store = store
        self._user = user
        self._find_services = find_services

    def add(
        self,
        agent: str,
        target: str,
        where: Mapping[str, str],
        *,
        uses: int | None,
        seconds: float | None,
        reason: str | None,
    ) -> tuple[dict[str, Any], str | None]:
        """Allow calls of `target` (TOOL or TOOL:ACTION) by an agent; the grant as a row, and a warning.

        Raises NotFound for an agent that is not there or has no such tool, UsageError for conditions that no
        call can meet, and ConfigError where the tool is not ready.
        """
        found = TARGET.match(target)
        if found is None:
            raise UsageError(f'"{target}" is neither TOOL nor TOOL:ACTION')
        services = self._find_services()
        tool = equip(
            self._store.tools.require(found["tool"]),
            find_association(self._store, found["tool"], agent),
            services,
        )
        _check(tool, found["action"], where)
        if services.find_blanks().holds([dict(where), reason]):
            raise UsageError("a grant is stored, and this one holds a key", hint="Leave the key out of it.")
        now = clock_ms()
        grant = Grant(
            id=new_id("ag"),
            user_id=self._user.id,
            agent=agent,
            tool=found["tool"],
            action=found["action"],
            conditions=dict(where),
            uses_left=uses,
            reason=reason,
            created_at=now,
            expires_at=None if seconds is None else now + round(seconds * 1000),
        )
        with self._store.transaction(durable=True):
            self._store.grants.add(grant)
            self._note("grant", grant)
        return grant_row(grant), _warn(tool, grant)

    def rows(self, *, everything: bool, limit: int, offset: int) -> Iterator[dict[str, Any]]:
        """One page, newest first; with `everything` also those that allow nothing any more."""
        found = self._store.grants.search(self._user.id, everything=everything, limit=limit, offset=offset)
        return map(grant_row, found)

    def revoke(self, given: Sequence[str]) -> None:
        """Take all of these back, or none; one that is revoked stays so. Raises NotFound, UsageError."""
        with self._store.transaction(durable=True):
            for grant in [self._store.grants.find(self._user.id, each) for each in given]:
                if grant.revoked_at is None:
                    self._store.grants.revoke(grant.id)
                    self._note("revoke", grant)

    def _note(self, event: str, grant: Grant) -> None:
        row = grant_row(grant)
        data = {"by": "person", "grant": row.pop("id"), **row}
        self._store.audit.add(event, self._user.name, os_user(), data)


def grant_row(grant: Grant) -> dict[str, Any]:
    """A grant as it is shown."""
    return {
        "id": grant.id,
        "agent": grant.agent,
        "tool": grant.tool,
        "action": grant.action,
        "where": dict(grant.conditions),
        "uses_left": grant.uses_left,
        "reason": grant.reason,
        "created_at": rfc3339(grant.created_at),
        "expires_at": None if grant.expires_at is None else rfc3339(grant.expires_at),
        "revoked_at": None if grant.revoked_at is None else rfc3339(grant.revoked_at),
    }


def _check(tool: AgentsTool, action: str | None, where: Mapping[str, str]) -> None:
    from agentctl.tools.conditions import check_condition
    from agentctl.tools.rules import find_dead_parts

    slug = tool.ready.slug
    faults = [
        fault for _, fault in find_dead_parts(action, where, tool.ready.instance, tool.ready.parameters)
    ]
    for path, pattern in where.items():
        fault = check_condition(pattern, allows=True)
        if fault:
            faults.append(f"{path}: {fault}")
    if faults:
        raise UsageError(f"grant for {slug}: {'; '.join(faults)}", hint=f"See agentctl tools show {slug}.")


def _warn(tool: AgentsTool, grant: Grant) -> str | None:
    if grant.action is None and tool.must_ask(None):
        return (
            f"approval_required_actions of {grant.tool} go on asking: only a grant that names the action "
            f"({grant.tool}:ACTION) allows one of them"
        )
    return None
