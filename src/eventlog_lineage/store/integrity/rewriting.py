"""Writing the Parquet files of a version again, from its database."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path

from eventlog_lineage.store.fold.creation import add_missing_columns, make_views
from eventlog_lineage.store.fold.run_days import (
    find_run_days,
    make_open_tables,
    open_days,
    take_tables,
)
from eventlog_lineage.store.publish.database import (
    DATABASE_NAME,
    DamagedError,
    beside,
    move_database,
    open_for_writing,
    point_to_runs,
    together,
    writable_path,
)
from eventlog_lineage.store.publish.parquet import Target, export_days, export_tables
from eventlog_lineage.store.publish.permissions import mode_of, set_modes
from eventlog_lineage.store.publish.resume_files import FOLDER
from eventlog_lineage.store.publish.versions import (
    VERSIONS,
    begin_version,
    by_number,
    copy_file,
    switch,
    sync,
    version_number,
)
from eventlog_lineage.store.schema.store_facts import write_fact

from .manifest import LISTED, checksum, read_manifest, write_manifest
from .verification import verify

_MEMORY_LIMIT = "600MB"


def rewrite_version(store: Path, number: int) -> Path:
    """Make a new version from the database of another one, and make it current.

    Args:
        store: The store's folder; the lock is held.
        number: The version whose database is intact; it stays as it is.

    Returns:
        The new version's folder.
    """
    source = store / VERSIONS / str(number)
    draft = begin_version(store)
    try:
        database = writable_path(draft / DATABASE_NAME)
        copy_file(source / DATABASE_NAME, database)
        _export(source, draft, database)
        move_database(database, draft / DATABASE_NAME)
        _copy_checkpoints(source, draft)
        write_manifest(draft)
        set_modes(draft, mode_of(source))
        sync(draft)
        verify(draft, store)
        return switch(store, draft)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _export(source: Path, draft: Path, database: Path) -> None:
    scratch = draft / ".scratch"
    target = Target(draft, version_number(draft))
    with open_for_writing(database, scratch, _MEMORY_LIMIT) as connection:
        make_open_tables(connection)
        with together(connection):
            add_missing_columns(connection)
        take_tables(connection)
        runs = find_run_days(source, _listed(source))
        open_days(connection, runs, list(runs.closed))
        with together(connection):
            make_views(connection, replace=True)
            write_fact(connection, LISTED, "1")
        days = connection.execute("SELECT CAST(started_at AS DATE) FROM open_applications UNION SELECT NULL").fetchall()
        with beside(connection) as other:
            export_days(other, target, [day for (day,) in days])
        export_tables(connection, target, changed=True)
        with beside(connection) as other, by_number(draft) as path:
            point_to_runs(other, path)
        connection.execute("CHECKPOINT")
    shutil.rmtree(scratch, ignore_errors=True)


def _listed(source: Path) -> Collection[str] | None:
    try:
        return read_manifest(source)
    except DamagedError:
        return None


def _copy_checkpoints(source: Path, draft: Path) -> None:
    """Copy the checkpoints that are intact; a log without one is read from its beginning.

    Args:
        source: The folder of the version to copy from.
        draft: The folder of the new version.
    """
    (draft / FOLDER).mkdir()
    try:
        files = read_manifest(source) or {}
    except DamagedError:
        return
    for name, file in files.items():
        path = source / name
        if Path(name).parent == Path(FOLDER) and path.is_file() and checksum(path) == file.sha256:
            copy_file(path, draft / name)
