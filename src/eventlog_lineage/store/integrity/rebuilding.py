"""Making the database of a store again, as a new version."""

from __future__ import annotations

from pathlib import Path

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.publish.lock import write_lock
from eventlog_lineage.store.publish.versions import (
    VERSIONS,
    current_version,
    finish_switch,
    is_store,
    prepare,
    set_aside,
    version_number,
    version_numbers,
)
from eventlog_lineage.store.remote.folders import folder_to_write
from eventlog_lineage.store.schema.run_files import INTERNAL

from .adoption import holds_copy
from .damage import check_names, damaged, describe_link
from .recreation import recreate_database
from .remedies import Remedy, choose, examine
from .repairing import AsideFolder, replace_files
from .restoring import restore_copy
from .rewriting import rewrite_version


def rebuild(store_dir: str | Path) -> int:
    """Make lineage.duckdb again from the Parquet files of a store, as a new version; return its number.

    The views then lead to the folder that the store is in. The version that was current stays until the next harvest
    publishes a new one. A version of an older program, without the Parquet files that this needs, is written again from
    its database.

    Args:
        store_dir: The store's folder or URL.

    Raises:
        StoreError: There is no store, its Parquet files are damaged, or a harvest is writing it.
    """
    with folder_to_write(store_dir, is_repair=True) as folder:
        return _rebuild_folder(folder.path)


def _rebuild_folder(store: Path) -> int:
    if not is_store(store) and not holds_copy(store):
        raise StoreError("there is no store", str(store), "name the store with --store")
    with write_lock(store):
        restored = restore_copy(store, intact_only=False)
        if restored:
            return restored.number
        finish_switch(store)
        check_names(store)
        prepare(store)
        try:
            return version_number(_rebuild(store))
        except (OSError, duckdb.Error) as error:
            words = str(error).splitlines()[0]
            raise StoreError(f"the store cannot be rebuilt: {words}", str(store), "check the disk") from None


def _rebuild(store: Path) -> Path:
    """Make the current version again, or the newest one if no link leads to one."""
    number = version_number(current_version(store)) or max(version_numbers(store), default=0)
    found = examine(store, number)
    if found.remedy is None:
        chosen = choose(store)
        what = f"version {number} cannot be rebuilt" if chosen else describe_link(store)
        raise damaged(store, what)
    if found.copies:
        replace_files(store, found, AsideFolder(store))
    has_tables = (store / VERSIONS / str(number) / INTERNAL).is_dir()
    from_database = found.remedy is Remedy.WRITE_PARQUET or not has_tables
    version = rewrite_version(store, number) if from_database else recreate_database(store, number)
    if examine(store, number).remedy is not Remedy.KEEP:
        set_aside(store, number)
    return version
