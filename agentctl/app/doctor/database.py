"""Whether the database is there, sound, safe from others and on a disk that can hold it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

from agentctl.domain.finding import Finding
from agentctl.store import Store
from agentctl.store.connection import file_system_of
from agentctl.store.health import find_damage, journal_mode

LEAST_FREE = 100 * 1024 * 1024


def check_database(path: str) -> Iterator[Finding]:
    """Content, permissions, file system and space. A database that does not exist yet is not made."""
    folder = os.path.dirname(path) or "."
    if not os.path.exists(path):
        yield Finding("database", "ok", f"{path} is made by the first command that needs it")
    else:
        yield from _check_file(path)
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder) or "/"
    yield Finding("file system", "ok", f"{file_system_of(folder) or 'local'} at {folder}")
    if not os.access(folder, os.W_OK):
        yield Finding(
            "folder", "problem", f"{folder} cannot be written", "Choose another file with --db FILE."
        )
    free = shutil.disk_usage(folder).free
    if free < LEAST_FREE:
        yield Finding("space", "problem", f"{free >> 20} MB are free at {folder}", "Free some space.")


def _check_file(path: str) -> Iterator[Finding]:
    store = Store(path)
    try:
        faults = find_damage(store.database)
        mode = journal_mode(store.database)
    finally:
        store.close()
    if faults:
        detail = f"{path} is damaged: {faults[0]}"
        yield Finding("database", "problem", detail, "Restore a copy, or start anew with --db FILE.")
    else:
        yield Finding("database", "ok", f"{path}, {os.stat(path).st_size / 1e6:.1f} MB, sound")
    if mode != "wal":
        repair = f"sqlite3 {path} 'PRAGMA journal_mode=WAL'"
        yield Finding("journal", "problem", f"mode {mode}: readers and writers wait for each other", repair)
    else:
        yield Finding("journal", "ok", "write-ahead log")
    yield _check_permissions(path)


def _check_permissions(path: str) -> Finding:
    if os.name != "posix" or not os.stat(path).st_mode & 0o077:
        return Finding("permissions", "ok", "only you can read the database")
    return Finding("permissions", "problem", f"others can read {path}", f"chmod 600 {path}")
