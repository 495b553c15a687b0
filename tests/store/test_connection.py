"""The database file: who may read it, what is refused, and many processes at once."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from agentctl import __version__
from agentctl.errors import Busy, ConfigError
from agentctl.store import Store
from agentctl.store import connection as connecting
from agentctl.store.version import SCHEMA_VERSION

START = """
import sys
from pathlib import Path
from agentctl.store import Store
store = Store(Path(sys.argv[1]))
print(store.users.ensure(sys.argv[2]).id)
store.close()
"""


def start(path: Path, user: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", START, str(path), user],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_sixteen_processes_that_start_at_once_on_an_empty_file_all_succeed(tmp_path: Path) -> None:
    path = tmp_path / "new" / "agentctl.db"
    processes = [start(path, f"user-{number}") for number in range(16)]
    outputs = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0] * 16, outputs
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM users").fetchone() == (16,)
        assert connection.execute("SELECT count(*) FROM _sqlite_migrations").fetchone() == (SCHEMA_VERSION,)


def test_only_the_owner_may_read_the_file_and_its_folder(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "agentctl.db")
    store.users.ensure("me")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    for path in (tmp_path / "new").iterdir():
        assert path.stat().st_mode & 0o777 == 0o600, path


def test_the_file_is_in_wal_mode_with_foreign_keys_on(store: Store) -> None:
    assert store.database.one("PRAGMA journal_mode")[0] == "wal"
    assert store.database.one("PRAGMA foreign_keys")[0] == 1
    assert store.database.one("PRAGMA user_version")[0] == SCHEMA_VERSION


def test_a_newer_schema_is_refused_with_the_version_to_install(store: Store) -> None:
    store.database.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    store.settings.set("written_by", "9.9.0")
    with pytest.raises(ConfigError, match=r"written by agentctl 9\.9\.0") as caught:
        _ = Store(store.path).database
    assert "pip install 'agentctl-cli>=9.9.0'" in str(caught.value.hint)


def test_the_file_remembers_which_version_wrote_it(store: Store) -> None:
    assert store.settings.get("written_by") == __version__


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, not a database, and long enough to be looked at " * 20)
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="not an agentctl database"):
        _ = Store(path).database
    assert path.read_bytes() == before


def test_a_folder_in_place_of_the_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot open the database"):
        _ = Store(tmp_path).database


def test_a_network_file_system_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The file system of this machine stands in for a network one.
    monkeypatch.setattr(connecting, "NETWORK_FILE_SYSTEMS", {connecting.file_system_of(tmp_path)})
    with pytest.raises(ConfigError, match="network file system"):
        _ = Store(tmp_path / "agentctl.db").database


def test_a_locked_file_is_busy_and_not_a_crash(store: Store) -> None:
    store.users.ensure("me")
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store.database.execute("PRAGMA busy_timeout=50")
    with pytest.raises(Busy, match="locked by another process"):
        store.users.ensure("you")
    other.execute("ROLLBACK")


def test_a_failed_transaction_leaves_nothing_behind(store: Store) -> None:
    with pytest.raises(RuntimeError), store.transaction():
        store.settings.set("half", "written")
        raise RuntimeError
    assert store.settings.get("half") is None


def test_a_nested_transaction_is_part_of_the_outer_one(store: Store) -> None:
    with pytest.raises(RuntimeError), store.transaction():
        with store.transaction():
            store.settings.set("inner", "written")
        raise RuntimeError
    assert store.settings.get("inner") is None


@pytest.mark.parametrize("version", [0, 1, 9999])
def test_somebody_elses_database_is_refused_and_left_alone(tmp_path: Path, version: int) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE users (a)")
        connection.execute(f"PRAGMA user_version={version}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="not an agentctl database"):
        _ = Store(path).database
    assert path.read_bytes() == before


def test_a_device_is_no_database() -> None:
    with pytest.raises(ConfigError, match="no file"):
        _ = Store("/dev/null").database


def test_a_disk_that_takes_no_more_is_a_clear_error_and_no_crash(tmp_path: Path) -> None:
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n{START}"
    done = subprocess.run(
        [sys.executable, "-c", limited, str(tmp_path / "x.db"), "me"],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "ConfigError: " in done.stderr
    assert done.stderr.splitlines()[-1].count(str(tmp_path / "x.db")) == 1


def test_a_second_connection_of_the_process_leaves_the_locks_of_the_first_alone(tmp_path: Path) -> None:
    path = tmp_path / "agentctl.db"
    first, second = Store(path), Store(path)
    for number, store in enumerate((first, second), start=1):
        assert store.users.ensure(f"user-{number}").id == number
    # A process that believes to be the last one takes the log away when it ends.
    for number in (3, 4):
        assert start(path, f"user-{number}").wait(20) == 0
        counts = [store.database.one("SELECT count(*) FROM users") for store in (first, second)]
        assert [row[0] for row in counts if row] == [number, number]
