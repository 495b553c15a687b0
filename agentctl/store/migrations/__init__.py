"""The schema: migrations in order, under one immediate transaction; one that was released is never edited."""

from __future__ import annotations

from sqlite3 import Connection

from sqlite_utils import Database as UtilsDatabase
from sqlite_utils.migrations import Migrations

from agentctl import __version__
from agentctl.store.migrations.m001_spine import SPINE
from agentctl.store.migrations.m002_usage_and_files import USAGE_AND_FILES
from agentctl.store.migrations.m003_durable_runs import DURABLE_RUNS
from agentctl.store.migrations.m004_documents import DOCUMENTS
from agentctl.store.migrations.m005_document_index import DOCUMENT_INDEX
from agentctl.store.version import SCHEMA_VERSION

migrations = Migrations("agentctl")


@migrations()
def m001_spine(db: UtilsDatabase) -> None:
    """Users, providers, models, agents, tools, sessions, messages, runs, calls, documents, applies."""
    _execute(db, SPINE)


@migrations()
def m002_usage_and_files(db: UtilsDatabase) -> None:
    """What requests cost, files that messages hold, and more about models."""
    _execute(db, USAGE_AND_FILES)


@migrations()
def m003_durable_runs(db: UtilsDatabase) -> None:
    """Runs that can be stopped and resumed, approvals, grants, and what was decided by whom."""
    _execute(db, DURABLE_RUNS)


@migrations()
def m004_documents(db: UtilsDatabase) -> None:
    """Versions, tiers and readers of documents."""
    _execute(db, DOCUMENTS)


@migrations()
def m005_document_index(db: UtilsDatabase) -> None:
    """What the search for documents looks into."""
    _execute(db, DOCUMENT_INDEX)


def _execute(db: UtilsDatabase, statements: str) -> None:
    """One by one: a script would commit the transaction that it stands in."""
    for statement in statements.split(";\n"):
        if statement.strip():
            db.execute(statement)


def migrate(connection: Connection) -> None:
    """Apply what is missing; the caller holds the immediate transaction, so that only one process does it."""
    migrations.apply(UtilsDatabase(connection))
    connection.execute(
        "INSERT INTO settings (key, value) VALUES ('written_by', ?)"
        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (__version__,),
    )
    connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
