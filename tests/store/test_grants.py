"""Grants: counted down, ended by time or by hand, of one user."""

from __future__ import annotations

import pytest

from agentctl.domain.grant import Grant
from agentctl.domain.ids import clock_ms
from agentctl.errors import Busy, NotFound
from agentctl.store import Store


def grant(store: Store, number: int, **fields: object) -> Grant:
    user = store.users.ensure("tester").id
    made = Grant(f"ag_00000000_{number:08}", user, "default", "http", created_at=number, **fields)  # type: ignore[arg-type]
    store.grants.add(made)
    return made


def test_a_grant_comes_back_as_it_was_given(store: Store) -> None:
    given = grant(store, 1, action="get", conditions={"url": "https://x/*"}, uses_left=2, reason="cron")
    assert store.grants.usable(given.user_id, "default", "http") == [given]
    assert store.grants.find(given.user_id, given.id[-8:]) == given
    assert store.grants.usable(given.user_id, "coder", "http") == []
    assert store.grants.usable(given.user_id, "default", "fetch") == []


def test_a_grant_of_two_uses_is_used_twice(store: Store) -> None:
    given = grant(store, 1, uses_left=2)
    store.grants.use(given.id)
    store.grants.use(given.id)
    with pytest.raises(Busy, match="used up"):
        store.grants.use(given.id)
    assert store.grants.usable(given.user_id, "default", "http") == []


def test_a_grant_without_a_count_is_never_used_up(store: Store) -> None:
    given = grant(store, 1)
    for _ in range(3):
        store.grants.use(given.id)
    assert store.grants.usable(given.user_id, "default", "http") == [given]


def test_neither_a_revoked_nor_an_expired_grant_is_used(store: Store) -> None:
    revoked, expired, good = (
        grant(store, 1),
        grant(store, 2, expires_at=clock_ms()),
        grant(store, 3, expires_at=clock_ms() + 60_000),
    )
    store.grants.revoke(revoked.id)
    for each in (revoked, expired):
        with pytest.raises(Busy):
            store.grants.use(each.id)
    assert store.grants.usable(good.user_id, "default", "http") == [good]
    assert list(store.grants.search(good.user_id)) == [good]
    everything = store.grants.search(good.user_id, everything=True)
    assert [each.id for each in everything] == [good.id, expired.id, revoked.id]


def test_another_user_has_no_part_in_it(store: Store) -> None:
    given = grant(store, 1)
    other = store.users.ensure("other").id
    assert store.grants.usable(other, "default", "http") == []
    assert list(store.grants.search(other, everything=True)) == []
    with pytest.raises(NotFound) as caught:
        store.grants.find(other, given.id)
    assert "agentctl approvals grants" in str(caught.value.hint)
