"""Going back to a whole version of a store."""

from __future__ import annotations

import logging
import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.publish.lock import write_lock
from eventlog_lineage.store.publish.versions import (
    CURRENT,
    NAMES,
    VERSIONS,
    point_current,
    set_aside,
    take_back,
    version_number,
    version_numbers,
)
from eventlog_lineage.store.remote.folders import folder_to_write

from .adoption import adopt_copy, holds_copy, is_begun
from .damage import advice
from .recreation import recreate_database
from .remedies import Examined, Remedy, choose, examine
from .repairing import AsideFolder, move_aside, replace_files
from .rewriting import rewrite_version
from .verification import has_intact_database

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Restored:
    """What `restore` did.

    Attributes:
        number: The version that is current now.
        source: The version whose rows it has; another one than `number` if its Parquet files or its database were made
            again.
        remedy: How it became whole.
        replaced: Damaged files that have their intact content again.
        aside: The folder with what was in the place of links, or did not belong to a version; None without such files.
    """

    number: int
    source: int
    remedy: Remedy
    replaced: int
    aside: Path | None


def restore(store_dir: str | Path, number: int | None = None) -> Restored:
    """Make a version whole and current, and repair the links that lead to it.

    Damaged files are replaced by intact copies in other versions. Where a file has none, the Parquet files are written
    again from the database, or the database is made again from the Parquet files, as a new version. Other versions that
    stay damaged, and files that replaced links, are set aside: nothing is deleted. A copy of a version, made with its
    links followed, becomes a version of the store if the store does not have that version.

    Args:
        store_dir: The store's folder or URL.
        number: The version; None for the newest one that is whole or can be made whole.

    Raises:
        StoreError: No version can be made whole, or the named one, or a harvest is writing the store.
    """
    with folder_to_write(store_dir, is_repair=True) as folder:
        restored = _restore_folder(folder.path, number)
        return replace(restored, aside=None) if folder.url else restored


def _restore_folder(store: Path, number: int | None) -> Restored:
    if not any(os.path.lexists(store / name) for name in (CURRENT, VERSIONS, *NAMES)):
        raise StoreError("there is no store", str(store), "name the store with --store")
    with write_lock(store):
        try:
            return _restore(store, number)
        except (OSError, duckdb.Error) as error:
            words = str(error).splitlines()[0]
            raise StoreError(f"the store cannot be restored: {words}", str(store), "check the disk") from None


def restore_copy(store: Path, *, intact_only: bool = True) -> Restored | None:
    """Make a store of a folder that holds a copy of a version, and nothing of any other folder.

    Args:
        store: The folder; the lock is held.
        intact_only: Refuse a copy whose database or runs are damaged; it stays as it is.

    Raises:
        StoreError: The copy is damaged.
    """
    if not holds_copy(store):
        return None
    if intact_only and not is_begun(store) and not has_intact_database(store):
        hint = f"to make a store of what is intact, run `eventlog-lineage restore --store {shlex.quote(str(store))}`"
        raise StoreError("the folder holds a damaged copy of a version and is not a store", str(store), hint)
    try:
        restored = _restore(store, None)
    except (OSError, duckdb.Error) as error:
        words = str(error).splitlines()[0]
        raise StoreError(f"the copy cannot be made a store: {words}", str(store), "check the disk") from None
    _LOG.info("a copy of a store is a store now", extra={"facts": {"store": str(store), "version": restored.number}})
    return restored


def _restore(store: Path, number: int | None) -> Restored:
    adopt_copy(store)
    if number is not None:
        take_back(store, number)
    chosen = choose(store) if number is None else examine(store, number)
    if chosen is None:
        raise StoreError("no version of the store is whole", str(store), advice(store))
    if chosen.remedy is None:
        numbers = (each for each in version_numbers(store) if examine(store, each).remedy)
        others = ", ".join(map(str, numbers)) or "none"
        raise StoreError(f"version {number} is not whole", str(store), f"whole versions: {others}")
    aside = AsideFolder(store)
    move_aside(store, aside)
    version, replaced = _make_whole(store, chosen, aside)
    for other in version_numbers(store):
        found = examine(store, other)
        if found.remedy is Remedy.REPLACE_FILES:
            replace_files(store, found, aside)
        elif found.remedy is not Remedy.KEEP:
            set_aside(store, other)
    return Restored(version_number(version), chosen.number, chosen.remedy, replaced, aside.path)


def _make_whole(store: Path, chosen: Examined, aside: AsideFolder) -> tuple[Path, int]:
    """Make a version whole and current; return its folder and the number of its files that were replaced.

    Args:
        store: The store's folder.
        chosen: The version to restore, with its remedy.
        aside: Where damaged files are kept.
    """
    if chosen.remedy in _MAKING:
        if chosen.copies:
            replace_files(store, chosen, aside)
        return _MAKING[chosen.remedy](store, chosen.number), len(chosen.copies)
    version = store / VERSIONS / str(chosen.number)
    if chosen.remedy is Remedy.REPLACE_FILES:
        try:
            replace_files(store, chosen, aside)
        except OSError:
            if not has_intact_database(version):
                raise
            return rewrite_version(store, chosen.number), 0
    point_current(store, version)
    return version, len(chosen.copies)


_MAKING: Mapping[Remedy | None, Callable[[Path, int], Path]] = {
    Remedy.WRITE_PARQUET: rewrite_version,
    Remedy.MAKE_DATABASE: recreate_database,
}
"""The remedies that make a new version."""
