"""Open DuckDB files: for writing, for reading, for a version that was moved or copied."""

from __future__ import annotations

import glob
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from eventlog_lineage.errors import StoreError
from eventlog_lineage.safe_text import unusable_folder
from eventlog_lineage.store.schema import relations
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES

from .relations import comment_on, quoted, text_literal, texts_of, value_of


def second_connection(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Return another connection to a database that `open_for_reading` opened, which reads the same runs.

    It looks for names in `main` only, and has no temporary views.
    """
    other = connection.cursor()
    folder = value_of(connection, f"SELECT CAST(getvariable('{relations.RUNS_VARIABLE}') AS VARCHAR)")
    if folder is not None:
        other.execute(relations.follow_folder(folder))
    return other


STORAGE_VERSION = "v1.2.0"
"""The format of the file, for DuckDB 1.2 and newer. DuckDB 2 would write a newer format by default."""

_BLOCK_SIZE = 65_536
"""Bytes of a block of the file, which every column of every table has one of: with DuckDB's 262,144, the database of a
few logs has 14 MB, which each night copies and hashes. With less, DuckDB does not compress repeated texts."""

SCHEMA_VERSION = "3"
"""What the tables of a store look like; `migration` opens those of 0.2."""

_MEMORY_LIMIT = "600MB"
"""What DuckDB may take while a store is written, checked or repaired; more goes to the disk."""

_RIGHTS = "check its permissions, or ask its owner for a copy"
DATABASE_NAME = "lineage.duckdb"
"""The database's name in the store."""

_ROWS_OF_GROUP = 122_880
"""Rows of a day that each thread keeps until it writes them: those of a row group. DuckDB would keep 524,288."""

_CATALOG = Path(DATABASE_NAME).stem
"""What DuckDB calls a database that is opened by its file's name."""


_ERRORS_OF_QUERIES = (
    duckdb.ParserException,
    duckdb.SyntaxException,
    duckdb.BinderException,
    duckdb.CatalogException,
    duckdb.DataError,
    duckdb.NotSupportedError,
    duckdb.OutOfMemoryException,
)
"""Errors that a query has over intact files only. Damaged Parquet leads to others, some of no class of their own."""


_FOR_MANY_ROWS = tuple(
    """
    aggregate_function_rewriter aggregate_reuse build_side_probe_side column_lifetime common_subexpressions
    common_subplan compressed_materialization deliminator duplicate_groups join_elimination join_filter_pushdown
    join_order partial_aggregate_pushdown projection_placement projection_pullup redundant_order_keys
    statistics_propagation top_n_window_elimination
    """.split()
)
"""DuckDB's optimizers (1.2 to 2.0) that take longer than what they save where a statement has thousands of rows."""


class DamagedError(StoreError):
    """A file of a version is missing or unreadable."""


@contextmanager
def failures_as(error: type[StoreError], what: str, where: str | Path = "", hint: str = "") -> Iterator[None]:
    """Raise an error in place of one of DuckDB or the system in the block: what failed, and its first line."""
    try:
        yield
    except (OSError, duckdb.Error) as failure:
        raise error(f"{what}: {str(failure).splitlines()[0]}", str(where), hint) from None


def may_show_damage(error: Exception) -> bool:
    """Return whether damaged files can be the reason of an error; a wrong query can be, too."""
    return isinstance(error, (DamagedError, duckdb.Error)) and not isinstance(error, _ERRORS_OF_QUERIES)


def attach_new(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Create an empty database of the stated storage version, and make it the connection's own."""
    options = f"STORAGE_VERSION '{STORAGE_VERSION}', BLOCK_SIZE {_BLOCK_SIZE}"
    connection.execute(f"ATTACH {text_literal(str(path))} AS {_CATALOG} ({options})")
    connection.execute(f"USE {_CATALOG}")


def open_for_writing(path: Path, scratch: Path) -> duckdb.DuckDBPyConnection:
    """Open a database that nobody else has open, and that is thrown away if it is not written to its end.

    Since DuckDB 1.5 nothing is logged for a recovery that never comes: each statement would be written twice, and
    waited for until it is on the disk. What is written counts from `CHECKPOINT` on.
    """
    connection = connect_for_writing(scratch)
    open_attached(connection, path)
    return connection


def connect_for_writing(scratch: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection without a database of its own, with the settings of `open_for_writing`."""
    connection = duckdb.connect()
    connection.execute("SET enable_progress_bar = false")  # DuckDB 1.4 to 2.0 prints one, to stdout, after 2 s
    limit_memory(connection, scratch)
    return connection


def limit_memory(connection: duckdb.DuckDBPyConnection, scratch: Path) -> None:
    """Limit what DuckDB takes; more goes to a folder."""
    connection.execute(
        f"SET memory_limit = {text_literal(_MEMORY_LIMIT)}; "
        f"SET temp_directory = {text_literal(str(scratch))}; "
        "SET preserve_insertion_order = false; "
        f"SET partitioned_write_flush_threshold = {_ROWS_OF_GROUP}"
    )


def tune_for_few_rows(connection: duckdb.DuckDBPyConnection) -> None:
    """Set a database up for many statements over few rows each, whose time is that of planning them."""
    connection.execute("SET threads = 1")
    known = texts_of(connection, "FROM duckdb_optimizers()")
    left_out = ",".join(name for name in _FOR_MANY_ROWS if name in known)
    connection.execute(f"SET disabled_optimizers = {text_literal(left_out)}")


def open_attached(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Open a database as `open_for_writing` does, for a connection that has none."""
    attach_unlogged(connection, path, _CATALOG)
    connection.execute(f"USE {_CATALOG}")


def attach_unlogged(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> None:
    """Attach a database without a write-ahead log, where DuckDB knows how: since 1.5."""
    attach = f"ATTACH {text_literal(str(path))} AS {name}"
    try:
        connection.execute(f"{attach} (RECOVERY_MODE 'no_wal_writes')")
    except duckdb.BinderException:
        connection.execute(attach)


def close_database(connection: duckdb.DuckDBPyConnection) -> None:
    """Close the connection's database: what was written up to `CHECKPOINT` is in the file."""
    connection.execute(f"USE memory; DETACH {_CATALOG}")


def writable_path(database: Path) -> Path:
    """Return where to write a database that belongs at a path; `move_database` moves it there.

    DuckDB puts a write-ahead log's suffix before the first `?` of a path, also in a folder's name, and fails
    (1.2 to 2.0). Such a database is written in a folder of the system for temporary files.
    """
    if "?" not in str(database):
        return database
    try:
        return Path(tempfile.mkdtemp(prefix="eventlog-lineage-"), database.name)
    except OSError as error:
        raise unusable_folder(error) from error


def move_database(written: Path, database: Path) -> None:
    """Move a closed database to where it belongs."""
    if written != database:
        shutil.move(written, database)
        remove_database(written, database)


def remove_database(written: Path, database: Path) -> None:
    """Remove the files of `writable_path`; none if the database is written directly."""
    if written != database:
        shutil.rmtree(written.parent, ignore_errors=True)


@contextmanager
def beside(connection: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """Return another connection to a database that `open_for_writing` opened, for a thread of its own.

    It looks for names where the first one does.
    """
    path = value_of(connection, "SELECT current_setting('search_path')")
    with connection.cursor() as other:
        other.execute(f"SET search_path = {text_literal(path)}")
        yield other


def find_relations(connection: duckdb.DuckDBPyConnection, *others: str) -> None:
    """Let a connection find the relations of both schemas by their names."""
    database = quoted(value_of(connection, "SELECT current_database()"))
    main = f"{database}.main"
    internal = f"{database}.{relations.INTERNAL}"  # first: views in `main` have some of the internal tables' names
    try:
        connection.execute(f"SET search_path = {text_literal(','.join((internal, main, *others)))}")
    except duckdb.CatalogException:  # faster than to look for the schema
        connection.execute(f"SET search_path = {text_literal(','.join((main, *others)))}")


@contextmanager
def together(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Yield one transaction for many statements: separate ones would each be written and flushed."""
    connection.begin()
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def open_for_reading(path: Path) -> duckdb.DuckDBPyConnection:
    """Open a database that other processes read.

    Raises:
        DamagedError: DuckDB cannot open it.
        StoreError: Another program has it open for writing, or a newer DuckDB wrote it.
    """
    try:
        connection = duckdb.connect(str(path), read_only=True)
    except duckdb.Error as error:
        words = str(error).splitlines()[0]
        if "lock on file" in words:
            raise StoreError(f"the store cannot be opened: {words}", str(path), "close that program") from None
        if "Permission denied" in words:
            raise StoreError(f"{path.name} cannot be read: Permission denied", str(path), _RIGHTS) from None
        raise DamagedError(
            f"{path.name} cannot be opened: {words}", str(path), "a newer duckdb may be needed"
        ) from None
    try:
        with suppress(duckdb.InvalidInputException):  # another connection of this process has locked the settings
            connection.execute("SET enable_progress_bar = false")  # DuckDB 2 prints one between a command's lines
        find_relations(connection)
        _view_own_runs(connection, path.parent.absolute())
    except BaseException:
        connection.close()
        raise
    return connection


def _view_own_runs(connection: duckdb.DuckDBPyConnection, version: Path) -> None:
    """View the runs of the version that a database is in, for this connection, where its views lead elsewhere.

    A store that was moved or copied has views over the files in the old folder.

    Raises:
        DamagedError: The database has no runs next to it.
    """
    folder = None
    with suppress(duckdb.Error):  # no store's database: other checks find that
        folder = relations.read_fact(connection, relations.RUNS_FOLDER)
    if folder in (None, str(version)):
        return
    what = f"{relations.RUNS} next to {DATABASE_NAME} cannot be read"  # the views would read the runs of another store
    for table in RUN_TABLES:
        if next(relations.day_files(version, table), None) is None:
            raise DamagedError(f"{what}: no file of {table.name} is there", str(version))
    with failures_as(DamagedError, what, version):
        connection.execute(relations.follow_folder(glob.escape(str(version))))


def point_to_runs(
    connection: duckdb.DuckDBPyConnection, version: Path | str, files: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Let the views over runs read the files of a version, and enter the folder in the facts.

    Args:
        connection: The database of the version, without temporary views.
        version: The version's folder, an absolute path, or the URL of the store; the files are there.
        files: The files of each table, where the folder has others too; None for all in the folder.
    """
    with together(connection):
        for statement in relations.run_views(Path(version)) if files is None else relations.listed_run_views(files):
            connection.execute(statement)
        for table in RUN_TABLES:
            connection.execute(comment_on(table, relations.stored_name(table), view=True))
        relations.write_fact(connection, relations.RUNS_FOLDER, str(version))
