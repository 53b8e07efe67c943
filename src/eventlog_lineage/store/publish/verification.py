"""Whole and damaged versions of a store.

A version is whole if its database opens, has this program's schema version, and the Parquet files of all public tables
are there and readable. "No store" and "damaged store" are different states: a harvest makes the first and refuses the
second.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES

from .database import DATABASE_NAME, SCHEMA_VERSION, DamagedError, open_for_reading
from .versions import CURRENT, NAMES, VERSIONS, current_version, is_store, version_numbers

_MAGIC = b"PAR1"
_SMALLEST = 12
"""Bytes of a Parquet file without content: two magic numbers and the length of its footer."""


def check_schema(connection: duckdb.DuckDBPyConnection, store: Path) -> None:
    """Check that a database has the schema version of this program.

    Raises:
        StoreError: It has another one.
    """
    try:
        row = connection.execute("SELECT value FROM store_facts WHERE fact = 'schema_version'").fetchone()
    except duckdb.Error:
        row = None
    version = str(row[0]) if row else "unknown"
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"the store has tables of version {version}, this program speaks version {SCHEMA_VERSION}",
            str(store),
            "harvest the logs into a new folder, or use the program that made it",
        )


def verify(version: Path, store: Path) -> None:
    """Check that a version is whole: read its database's schema version, and the ends of its Parquet files.

    Args:
        version: The version's folder.
        store: The store's folder, for messages.

    Raises:
        DamagedError: A file is missing or unreadable.
        StoreError: The tables have another schema version, or another program has the database open for writing.
    """
    database = version / DATABASE_NAME
    if not database.is_file():
        raise DamagedError(f"{DATABASE_NAME} is missing", str(version))
    with open_for_reading(database) as connection:
        check_schema(connection, store)
    for table in PUBLIC_TABLES:
        files = sorted((version / table.name).rglob("*.parquet"))
        if not files:
            raise DamagedError(f"{table.name} has no Parquet files", str(version))
        for file in files:
            _verify_parquet(file, version)


def newest_whole(store: Path) -> int | None:
    """Return the number of the newest whole version of a store; None if there is none."""
    return next((number for number in reversed(version_numbers(store)) if is_whole(store, number)), None)


def is_whole(store: Path, number: int) -> bool:
    """Return whether a version of a store is whole."""
    try:
        verify(store / VERSIONS / str(number), store)
    except StoreError:
        return False
    return True


def version_to_continue(store: Path) -> Path | None:
    """Return the version that a harvest continues; None for a folder without a store.

    Raises:
        StoreError: The store is damaged, or the folder holds a copy of a store or something else.
    """
    current = current_version(store)
    found = is_store(store)
    if current is None and found:
        raise damaged(store, describe_link(store))
    for name in NAMES:
        path = store / name
        if not os.path.lexists(path) or (path.is_symlink() and found):
            continue
        if found:
            raise damaged(store, f"{name} is not a link to {CURRENT}/{name}")
        if (store / NAMES[-1]).is_dir():
            hint = f"to make it one, run `eventlog-lineage restore --store {shlex.quote(str(store))}`"
            raise StoreError("the folder holds a copy of a version and is not a store", str(store), hint)
        raise StoreError(f"{name} is in the way: the folder is not a store", str(store), "choose another folder")
    if current is not None:
        try:
            verify(current, store)
        except DamagedError as error:
            raise damaged(store, f"version {current.name}: {error.what}") from None
    return current


def damaged(store: Path, what: str) -> StoreError:
    """Return the error for a damaged store: what is wrong, and which version to go back to.

    Args:
        store: The store's folder.
        what: The damage, as a phrase.
    """
    number = newest_whole(store)
    if number is None:
        hint = "no version is whole; put back a copy of the folder, or harvest the logs into a new folder"
    else:
        folder = shlex.quote(str(store))
        hint = f"version {number} is whole: run `eventlog-lineage restore --store {folder}` to go back to it"
    return StoreError(f"the store is damaged: {what}", str(store), hint)


def describe_link(store: Path) -> str:
    """Return what is wrong with the link to the current version, as a phrase."""
    link = store / CURRENT
    if not os.path.lexists(link):
        return f"{CURRENT} is missing"
    if not link.is_symlink():
        return f"{CURRENT} is not a link but a copy"
    return f"{CURRENT} points to {link.readlink()}, which has no {DATABASE_NAME}"


def _verify_parquet(file: Path, version: Path) -> None:
    name = str(file.relative_to(version))
    try:
        with file.open("rb") as parquet:
            start = parquet.read(len(_MAGIC))
            size = parquet.seek(0, os.SEEK_END)
            parquet.seek(max(0, size - 8))
            end = parquet.read(8)
    except OSError as error:
        raise DamagedError(f"{name} cannot be read: {error.strerror}", str(version)) from None
    footer = int.from_bytes(end[:4], "little")
    if size < _SMALLEST or start != _MAGIC or end[4:] != _MAGIC or footer > size - _SMALLEST:
        raise DamagedError(f"{name} is not a whole Parquet file", str(version))
