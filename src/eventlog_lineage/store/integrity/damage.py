"""Damaged stores: what is wrong, and the way back.

"No store" and "damaged store" are different states: a harvest makes the first and refuses the second.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.publish.database import DATABASE_NAME, DamagedError
from eventlog_lineage.store.publish.versions import (
    CURRENT,
    NAMES,
    VERSIONS,
    current_version,
    is_copy,
    is_store,
    version_numbers,
)

from .verification import file_flaws, has_intact_database, verify


def is_whole(store: Path, number: int) -> bool:
    """Return whether a version of a store is whole; reads all of its files."""
    return next(file_flaws(store / VERSIONS / str(number)), None) is None


def newest_whole(store: Path) -> int | None:
    """Return the number of the newest whole version of a store; None if there is none."""
    return next((number for number in reversed(version_numbers(store)) if is_whole(store, number)), None)


def newest_with_intact_database(store: Path) -> int | None:
    """Return the number of the newest version of a store whose database is intact; None if there is none."""
    numbers = reversed(version_numbers(store))
    return next((number for number in numbers if has_intact_database(store / VERSIONS / str(number))), None)


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
        if is_copy(store):
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
    return StoreError(f"the store is damaged: {what}", str(store), advice(store))


def advice(store: Path) -> str:
    """Return how to repair a damaged store, as a clause."""
    whole, with_database = newest_whole(store), newest_with_intact_database(store)
    command = f"eventlog-lineage restore --store {shlex.quote(str(store))}"
    if with_database and with_database > (whole or 0):
        back = f", or add `--version {whole}` to go back to version {whole}, which is whole" if whole else ""
        return (
            f"the database of version {with_database} is intact: run `{command}` to write its Parquet files again{back}"
        )
    if whole:
        return f"version {whole} is whole: run `{command}` to go back to it"
    return "no version is whole; put back a copy of the folder, or harvest the logs into a new folder"


def describe_link(store: Path) -> str:
    """Return what is wrong with the link to the current version, as a phrase."""
    link = store / CURRENT
    if not os.path.lexists(link):
        return f"{CURRENT} is missing"
    if not link.is_symlink():
        return f"{CURRENT} is not a link but a copy"
    return f"{CURRENT} points to {link.readlink()}, which has no {DATABASE_NAME}"
