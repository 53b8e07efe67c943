"""Damaged stores: what is wrong, and the way back.

"No store" and "damaged store" are different states: a harvest makes the first and refuses the second.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.publish.database import DATABASE_NAME, DamagedError, may_show_damage
from eventlog_lineage.store.publish.versions import (
    CURRENT,
    NAMES,
    current_version,
    is_copy,
    is_store,
    version_number,
)

from .remedies import Remedy, choose, newest_whole
from .verification import damaged_files, open_verified

if TYPE_CHECKING:
    import duckdb

_ADVICE = {
    Remedy.KEEP: ("version {} is whole", "go back to it"),
    Remedy.REPLACE_FILES: ("the damaged files of version {} have intact copies", "repair it"),
    Remedy.WRITE_PARQUET: ("the database of version {} is intact", "write its Parquet files again"),
    Remedy.MAKE_DATABASE: ("the Parquet files of version {} are intact", "make its database again"),
}

_AS_BEFORE = "it is as it was before"


def version_to_continue(store: Path, free: duckdb.DuckDBPyConnection) -> tuple[Path, duckdb.DuckDBPyConnection] | None:
    """Return the version that a harvest continues, and a connection that reads it; None for a folder without a store.

    Args:
        store: The store's folder.
        free: A connection without a database, whose DuckDB opens it.

    Raises:
        StoreError: The store is damaged, or the folder holds a copy of a store or something else.
    """
    current = current_version(store)
    if current is None and is_store(store):
        raise damaged(store, describe_link(store))
    check_names(store)
    if current is None:
        return None
    try:
        return current, open_verified(current, store, free)
    except DamagedError as error:
        raise damaged(store, f"version {current.name}: {error.what}") from None


def check_names(store: Path) -> None:
    """Check that nothing is in the place of a store's links.

    Raises:
        StoreError: A file or folder is: the store is damaged, or the folder holds a copy of a store or something else.
    """
    found = is_store(store)
    for name in NAMES:
        path = store / name
        if not os.path.lexists(path) or (path.is_symlink() and found):
            continue
        if found:
            raise damaged(store, f"{name} is not a link to {CURRENT}/{name}")
        if is_copy(store):
            hint = f"to make it one, run `eventlog-lineage restore --store {shlex.quote(str(store))}`"
            raise StoreError("the folder holds a copy of a version and is not a store", str(store), hint)
        raise StoreError(f"{name} is in the way: the folder is not a store", str(store), "choose another folder")


def damaged(store: Path, what: str) -> StoreError:
    """Return the error for a damaged store: what is wrong, and which version to go back to.

    Args:
        store: The store's folder.
        what: The damage, as a phrase.
    """
    return StoreError(f"the store is damaged: {what}", str(store), advice(store))


def advice(store: Path) -> str:
    """Return how to repair a damaged store, as a clause."""
    chosen = choose(store)
    if chosen is None or chosen.remedy is None:
        return "no version is whole; put back a copy of the folder, or harvest the logs into a new folder"
    what, goal = (words.format(chosen.number) for words in _ADVICE[chosen.remedy])
    advised = f"{what}: run `eventlog-lineage restore --store {shlex.quote(str(store))}` to {goal}"
    whole = newest_whole(store)
    if whole is None or whole == chosen.number:
        return advised
    return f"{advised}, or add `--version {whole}` to go back to version {whole}, which is whole"


def describe_link(store: Path) -> str:
    """Return what is wrong with the link to the current version, as a phrase."""
    link = store / CURRENT
    if not os.path.lexists(link):
        return f"{CURRENT} is missing"
    if not link.is_symlink():
        return f"{CURRENT} is not a link but a copy"
    return f"{CURRENT} points to {link.readlink()}, which has no {DATABASE_NAME}"


def update_error(store: Path, version: Path | None, error: Exception) -> StoreError:
    """Return the error of an update that failed: a damaged store, a damaged new version, or what the system reports.

    Args:
        store: The store's folder.
        version: The folder of the new version; None if it was not begun.
        error: The reason.
    """
    words = str(error).splitlines()[0]
    current = current_version(store)
    if current and may_show_damage(error) and (flaw := next(damaged_files(current), None)):
        return damaged(store, f"version {current.name}: {flaw}")
    if isinstance(error, DamagedError):
        return StoreError(f"the new version is damaged: {error.what}", str(store), _AS_BEFORE)
    if version and current and version_number(current) == version_number(version):  # the last flush
        return StoreError(f"the store may not be on the disk: {words}", str(store), "check the disk and harvest again")
    return StoreError(f"the store cannot be updated: {words}", str(store), _AS_BEFORE)
