"""Writing the current version of a store again, as a new version."""

from __future__ import annotations

from pathlib import Path

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.publish.location import store_folder
from eventlog_lineage.store.publish.lock import write_lock
from eventlog_lineage.store.publish.versions import finish_switch, is_store, prepare, version_number

from .damage import version_to_continue
from .rewriting import rewrite_version


def rebuild(store_dir: str | Path) -> int:
    """Write a whole store's views and Parquet files again, as a new version; return its number.

    The views then lead to the folder that the store is in, and each day has one file per table. The version that was
    current stays until the next harvest publishes a new one.

    Args:
        store_dir: The store's folder.

    Raises:
        StoreError: There is no store, it is damaged, or a harvest is writing it.
    """
    store = store_folder(store_dir).absolute()
    if not is_store(store):
        raise StoreError("there is no store", str(store), "name the store with --store")
    with write_lock(store):
        finish_switch(store)
        current = version_to_continue(store)
        prepare(store)
        try:
            return version_number(rewrite_version(store, version_number(current)))
        except (OSError, duckdb.Error) as error:
            words = str(error).splitlines()[0]
            raise StoreError(f"the store cannot be rebuilt: {words}", str(store), "check the disk") from None
