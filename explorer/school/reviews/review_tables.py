"""The tables of a review's file, and the changes that bring a file of an earlier version up to date."""

from __future__ import annotations

import sqlite3

TABLES = """
CREATE TABLE review (about TEXT NOT NULL);
CREATE TABLE films (film INTEGER PRIMARY KEY, "case" TEXT NOT NULL UNIQUE, root TEXT, file TEXT, suggested TEXT);
CREATE TABLE readers (reader INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE);
CREATE TABLE readings (
    reader INTEGER NOT NULL REFERENCES readers, place INTEGER NOT NULL, film INTEGER NOT NULL REFERENCES films,
    again INTEGER NOT NULL, PRIMARY KEY (reader, place), UNIQUE (reader, film, again)
);
CREATE TABLE votes (
    reader INTEGER NOT NULL, place INTEGER NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL, verdict TEXT NOT NULL, added TEXT NOT NULL, removed TEXT NOT NULL, certainty INTEGER,
    note TEXT NOT NULL, PRIMARY KEY (reader, place, revision), FOREIGN KEY (reader, place) REFERENCES readings
);
"""
# A file's version is how many of these were made; TABLES are version 0. Never change one that was released.
CHANGES = (
    "ALTER TABLE films ADD COLUMN uncertain TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE votes ADD COLUMN sites TEXT NOT NULL DEFAULT '{}'",
    "ALTER TABLE films ADD COLUMN doubt INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE readings ADD COLUMN opened INTEGER NOT NULL DEFAULT 0",
    "CREATE TABLE released (cohort TEXT NOT NULL, source TEXT NOT NULL, PRIMARY KEY (cohort, source))",
)
VERSION = len(CHANGES)


class LaterVersion(Exception):
    """Raised for a file that a later version made."""


def update_tables(database: sqlite3.Connection) -> None:
    """Bring a review's tables to this version: all changes or none, also if other processes do the same.

    Raises LaterVersion and sqlite3.Error.
    """
    if _version(database) == VERSION:
        return
    database.execute("BEGIN IMMEDIATE")
    try:
        if (version := _version(database)) > VERSION:
            raise LaterVersion(f"version {version}, not {VERSION}")
        for change in CHANGES[version:]:
            database.execute(change)
        database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("COMMIT")
    except BaseException:
        database.execute("ROLLBACK")
        raise


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])
