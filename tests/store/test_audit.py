"""The audit: it only grows, and what was done to it by hand shows."""

from __future__ import annotations

import sqlite3

import pytest

from agentctl.domain.audit import NOTHING
from agentctl.store import Store


@pytest.fixture
def written(store: Store) -> Store:
    """An audit of five entries, one of another user."""
    for number in range(5):
        user = "other" if number == 3 else "tester"
        store.audit.add("answer", user, "root", {"decision": "allow", "number": number, "why": "日本 🙂"})
    return store


def tamper(store: Store, statement: str) -> None:
    """What somebody does who can write the file."""
    store.database.execute("DROP TRIGGER approval_audit_no_delete")
    store.database.execute("DROP TRIGGER approval_audit_no_update")
    store.database.execute(statement)


def test_entries_are_chained_and_hold(written: Store) -> None:
    entries = list(written.audit.entries("tester"))
    assert [entry.seq for entry in entries] == [1, 2, 3, 5]
    assert entries[0].previous == NOTHING
    assert entries[1].previous == entries[0].hash
    assert entries[0].data == {"decision": "allow", "number": 0, "why": "日本 🙂"}
    assert written.audit.verify() == ([], 5, entries[-1].hash)
    assert [entry.seq for entry in written.audit.entries("other")] == [4]


def test_entries_from_a_time_on(written: Store) -> None:
    last = list(written.audit.entries("tester"))[-1]
    assert list(written.audit.entries("tester", since=last.ts + 1)) == []
    assert len(list(written.audit.entries("tester", since=last.ts - 60_000, limit=2))) == 2


def test_no_statement_of_ours_changes_or_deletes_an_entry(written: Store) -> None:
    for statement in ("DELETE FROM approval_audit", "UPDATE approval_audit SET user = 'x'"):
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            written.database.execute(statement)
    assert written.audit.verify()[:2] == ([], 5)


@pytest.mark.parametrize(
    "change",
    ["user = 'x'", "os_user = 'x'", "event = 'x'", "ts = ts + 1", "data = '{}'", "hash = '0'"],
)
def test_a_changed_entry_is_found(written: Store, change: str) -> None:
    tamper(written, f"UPDATE approval_audit SET {change} WHERE seq = 2")
    assert "entry 2 was changed" in written.audit.verify()[0]


def test_missing_entries_are_found(written: Store) -> None:
    tamper(written, "DELETE FROM approval_audit WHERE seq IN (1, 3, 4)")
    faults, count, _ = written.audit.verify()
    assert faults == ["entry 1 is missing", "the entries 3 to 4 are missing"]
    assert count == 5


def test_entries_that_changed_places_are_found(written: Store) -> None:
    tamper(written, "UPDATE approval_audit SET seq = -seq WHERE seq IN (2, 3)")
    written.database.execute("UPDATE approval_audit SET seq = 5 + seq WHERE seq < 0")
    assert written.audit.verify()[0]


def test_a_cut_off_end_is_found_with_the_hash_of_the_last_entry(written: Store) -> None:
    head = written.audit.verify()[2]
    written.audit.add("answer", "tester", "root", {})
    assert written.audit.verify(head)[0] == []
    tamper(written, "DELETE FROM approval_audit WHERE seq >= 5")
    assert written.audit.verify()[0] == []
    assert "cut off" in written.audit.verify(head)[0][0]


def test_the_hash_of_an_empty_audit_is_known(store: Store) -> None:
    head = store.audit.verify()[2]
    store.audit.add("answer", "tester", "root", {})
    assert store.audit.verify(head)[0] == []
