"""Making the database of a version again, from its Parquet files alone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.store.fold.creation import write_views_digest
from eventlog_lineage.store.fold.renames import find_successors, name_current_edges
from eventlog_lineage.store.fold.run_days import make_open_tables
from eventlog_lineage.store.fold.steps import Fold, sql_step
from eventlog_lineage.store.publish.carrying.carried_files import files_to_carry
from eventlog_lineage.store.publish.database import (
    DATABASE_NAME,
    MEMORY_LIMIT,
    DamagedError,
    beside,
    find_relations,
    move_database,
    point_to_runs,
    together,
    writable_path,
)
from eventlog_lineage.store.publish.empty_database import open_empty
from eventlog_lineage.store.publish.permissions import mode_of, set_modes
from eventlog_lineage.store.publish.resume_files import FOLDER
from eventlog_lineage.store.publish.versions import VERSIONS, begin_version, by_number, switch, sync
from eventlog_lineage.store.schema.ddl import quoted, text_literal
from eventlog_lineage.store.schema.internal_tables import DATABASE_TABLES, KEPT_TABLES, TRACE_TABLES
from eventlog_lineage.store.schema.run_files import INTERNAL, TABLE_COLUMNS, columns_digest
from eventlog_lineage.store.schema.store_facts import write_fact

from .contents import check_rows
from .manifest import LISTED, ListedFile, files_of, is_intact, write_manifest
from .verification import check_schema, verify

if TYPE_CHECKING:
    import duckdb

    from eventlog_lineage.store.schema.declaration import Table

_TRACE_STEPS = (find_successors, name_current_edges, sql_step("fold/trace"))
"""The steps that make the tables of `TRACE_TABLES`, whose edges are rows of `column_lineage` by number."""


def recreate_database(store: Path, number: int) -> Path:
    """Make a new version with the Parquet files of another one and a database made from them; make it current.

    Args:
        store: The store's folder; the lock is held.
        number: The version whose Parquet files are intact; it stays as it is.

    Returns:
        The new version's folder.

    Raises:
        DamagedError: The Parquet files do not belong together.
        StoreError: They have the tables of another schema version.
    """
    source = store / VERSIONS / str(number)
    draft = begin_version(store)
    try:
        checksums = _carry(store, draft, source)
        database = writable_path(draft / DATABASE_NAME)
        _fill(store, draft, database)
        move_database(database, draft / DATABASE_NAME)
        write_manifest(draft, checksums)
        set_modes(draft, mode_of(source))
        sync(draft)
        verify(draft, store)
        for flaw in check_rows(draft).flaws:
            raise DamagedError(flaw, str(source))
        return switch(store, draft)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _carry(store: Path, draft: Path, source: Path) -> dict[str, ListedFile]:
    """Carry all files but the database, and checkpoints that are damaged; return their checksums.

    Args:
        store: The store's folder.
        draft: The folder of the new version.
        source: The folder of the version whose files are carried.
    """
    carried = files_to_carry(store, draft, source)
    for name in files_of(source) if carried.listed is None else carried.listed:
        checkpoint = Path(name).parts[0] == FOLDER
        expected = carried.listed.get(name) if carried.listed else None
        if name == DATABASE_NAME or (checkpoint and expected and not is_intact(source / name, expected)):
            continue
        (draft / name).parent.mkdir(parents=True, exist_ok=True)
        carried.carry(name)
    (draft / FOLDER).mkdir(exist_ok=True)
    return carried.checksums


def _fill(store: Path, draft: Path, database: Path) -> None:
    scratch = draft / ".scratch"
    with open_empty(database, scratch, MEMORY_LIMIT) as connection:
        find_relations(connection)
        with together(connection):
            connection.execute("DELETE FROM store_facts")
            for table in DATABASE_TABLES:
                if table not in TRACE_TABLES:
                    _read(connection, table, draft)
        check_schema(connection, store)
        make_open_tables(connection)
        with together(connection):
            write_fact(connection, TABLE_COLUMNS, columns_digest(DATABASE_TABLES))
            write_views_digest(connection)
            write_fact(connection, LISTED, "1")
        fold = Fold(connection, scratch, JobNameRule())
        for step in _TRACE_STEPS:
            step.run(fold)
        with beside(connection) as other, by_number(draft) as path:
            point_to_runs(other, path)
        connection.execute("CHECKPOINT")
    shutil.rmtree(scratch, ignore_errors=True)


def _read(connection: duckdb.DuckDBPyConnection, table: Table, version: Path) -> None:
    """Read the rows of a table from a version's Parquet files; an older program may lack the table or columns of it.

    Args:
        connection: The new database.
        table: The table to fill.
        version: The folder of the version with the Parquet files.
    """
    folder = version / INTERNAL / table.name if table in KEPT_TABLES else version / table.name
    files = sorted(folder.glob("*.parquet"))
    if files:
        listed = ", ".join(text_literal(str(file)) for file in files)
        source = f"read_parquet([{listed}], hive_partitioning = false)"
        connection.execute(f"INSERT INTO {quoted(table.name)} BY NAME SELECT * FROM {source}")
