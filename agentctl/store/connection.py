"""Opening the SQLite file safely, and transactions that cannot be lost to another writer."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from agentctl.domain.distribution import distribution_name
from agentctl.errors import AgentctlError, Busy, ConfigError
from agentctl.store.version import SCHEMA_VERSION

BUSY_SECONDS = 20.0
# A file in WAL mode needs 32 KiB of shared memory before it can even be read.
_LEAST_SPACE = 64 * 1024
NETWORK_FILE_SYSTEMS = frozenset(
    {
        "9p",
        "afs",
        "ceph",
        "cifs",
        "fuse.sshfs",
        "glusterfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "smb3",
        "smbfs",
    }
)


class Database:
    """One connection. Statements run outside a transaction commit at once; errors are ours."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self.connection = connection
        self.path = path

    def execute(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> sqlite3.Cursor:
        """Run one statement; raises our errors with the file's name in them."""
        try:
            return self.connection.execute(sql, values)
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            raise translate(error, self.path) from error

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row."""
        try:
            self.connection.executemany(sql, rows)
        except sqlite3.IntegrityError:
            raise
        except sqlite3.DatabaseError as error:
            raise translate(error, self.path) from error

    def one(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> sqlite3.Row | None:
        """The first row, or None."""
        row: sqlite3.Row | None = self.execute(sql, values).fetchone()
        return row

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[None]:
        """All or nothing, taken with `BEGIN IMMEDIATE` so that no contended writer is turned away.

        `durable` makes the commit wait for the disk (`synchronous=FULL`), for what must never be repeated.
        """
        if self.connection.in_transaction:
            yield
            return
        if durable:
            self.execute("PRAGMA synchronous=FULL")
        try:
            self.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
        finally:
            if durable:
                self.execute("PRAGMA synchronous=NORMAL")

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def open_database(path: str) -> Database:
    """Open `path`, creating it (0600, in a 0700 folder) and bringing its schema up to date.

    Raises ConfigError for a file that is no database, cannot be written, lies on a network file system, or
    was written by a newer agentctl; Busy when another process keeps it locked.
    """
    _refuse_network(path)
    _create_file(path)
    try:
        connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_SECONDS)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys=ON")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        _refuse_foreign(connection, path)
        if version < SCHEMA_VERSION:
            _retry_locked(lambda: connection.execute("PRAGMA journal_mode=WAL"))
        connection.execute("PRAGMA synchronous=NORMAL")
    except sqlite3.DatabaseError as error:
        raise translate(error, path) from error
    database = Database(connection, path)
    if version < SCHEMA_VERSION:
        _migrate(database)
    if version > SCHEMA_VERSION:
        _refuse_newer(database)
    return database


def translate(error: sqlite3.DatabaseError, path: str) -> AgentctlError:
    """Our error for one of SQLite's, naming the file and what to do."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return Busy(f"{path} is locked by another process", hint="Try again, or see who holds it with lsof.")
    if "readonly" in text or "unable to open" in text:
        return ConfigError(
            f"cannot write the database {path}: {text}",
            hint="Choose another file with --db FILE or AGENTCTL_DB.",
        )
    # Where no memory shared with other processes fits on the disk, SQLite only says that it failed.
    if "full" in text or ("disk I/O" in text and _is_full(path)):
        return ConfigError(f"no space left to write {path}", hint="Free some space and run it again.")
    if "disk I/O" in text:
        return ConfigError(
            f"the disk refused to read or write {path}: {text}",
            hint="Check the disk and its quota, or choose another file with --db FILE or AGENTCTL_DB.",
        )
    if "not a database" in text or "malformed" in text:
        return ConfigError(
            f"{path} is not an agentctl database: {text}",
            hint="Choose another file with --db FILE or AGENTCTL_DB.",
        )
    return AgentctlError(f"database error in {path}: {text}")


def _is_full(path: str) -> bool:
    # Only a command that failed pays for this import.
    from shutil import disk_usage

    try:
        return disk_usage(os.path.dirname(path) or ".").free < _LEAST_SPACE
    except OSError:
        return False


def _create_file(path: str) -> None:
    if os.path.exists(path) and not os.path.isfile(path):
        raise ConfigError(
            f"cannot open the database {path}: it is no file", hint="Choose one with --db FILE."
        )
    if os.path.exists(path):
        # Closing a file gives up all locks that this process has on it, those of another connection too;
        # then a process that ends takes the log away from under it.
        return
    try:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
        # Created before SQLite opens it, so that no moment exists in which others may read it.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise ConfigError(
            f"cannot open the database {path}: {error.strerror or error}",
            hint="Choose another file with --db FILE or AGENTCTL_DB.",
        ) from error


def file_system_of(path: str) -> str:
    """The type of the file system that holds `path`; empty where /proc does not say."""
    try:
        with open("/proc/self/mounts", encoding="utf-8", errors="replace") as file:
            mounts = file.read()
    except OSError:
        return ""
    target = os.path.realpath(path)
    best, kind = "", ""
    for line in mounts.splitlines():
        _, point, file_system, *_ = line.split(" ")
        point = point.replace("\\040", " ")
        inside = point == "/" or target == point or target.startswith(point + "/")
        if inside and len(point) >= len(best):
            best, kind = point, file_system
    return kind


def _refuse_network(path: str) -> None:
    kind = file_system_of(path)
    if kind in NETWORK_FILE_SYSTEMS:
        raise ConfigError(
            f"{path} lies on a network file system ({kind}), where SQLite loses data",
            hint="Choose a file on a local disk with --db FILE or AGENTCTL_DB.",
        )


def _migrate(database: Database) -> None:
    # sqlite-utils takes 80 ms to import, so only a file that needs it pays for it.
    from agentctl.store.migrations import migrate

    with database.transaction():
        # Another process may have done it while this one waited for the lock.
        row = database.one("PRAGMA user_version")
        if row is not None and row[0] < SCHEMA_VERSION:
            migrate(database.connection)


def _refuse_foreign(connection: sqlite3.Connection, path: str) -> None:
    """Raise ConfigError for a database that has tables and none of ours; nothing of it was changed yet."""
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and "apply_revisions" not in tables:
        raise ConfigError(
            f"{path} is not an agentctl database: it holds other tables",
            hint="Choose another file with --db FILE or AGENTCTL_DB.",
        )


def _refuse_newer(database: Database) -> None:
    row = database.one("SELECT value FROM settings WHERE key = 'written_by'")
    wanted = row["value"] if row else "0"
    database.close()
    raise ConfigError(
        f"{database.path} was written by agentctl {wanted}, which is newer than this one",
        hint=f"Install it: pip install '{distribution_name()}>={wanted}', or use another file with --db.",
    )


def _retry_locked(action: Any) -> None:
    """Switching to WAL ignores the busy handler, so processes that start at once have to take turns here."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            action()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
