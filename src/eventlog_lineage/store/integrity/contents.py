"""The rows of a version: the same number in Parquet as in the database, and no reference to a row that is not there."""

from __future__ import annotations

import glob
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from eventlog_lineage.store.fold.creation import use_current_views, view_public_tables
from eventlog_lineage.store.publish.database import DATABASE_NAME, DamagedError, limit_memory, opened_for_reading
from eventlog_lineage.store.schema.ddl import quoted, text_literal
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES, PUBLIC_VIEWS

from .run_slices import RunSlice, run_slices, view_slice


@dataclass(frozen=True, slots=True)
class _Reference:
    """A column whose values are in another table, except NULL and the empty text.

    Attributes:
        table: The table.
        column: Its column.
        other: The other table.
        key: The column there.
    """

    table: str
    column: str
    other: str
    key: str

    def missing(self) -> str:
        """Return the rows `v` of the values that are not there, as what follows SELECT."""
        values = f"SELECT DISTINCT {self.column} AS value FROM {self.table} WHERE CAST({self.column} AS VARCHAR) <> ''"
        return f"FROM ({values}) v ANTI JOIN {self.other} o ON o.{self.key} = v.value"

    def flaw(self, count: int) -> str:
        """Return the phrase about missing values."""
        return f"{count} values of {self.table}.{self.column} are not in {self.other}.{self.key}"


_REFERENCES = (
    _Reference("executions", "plan_fingerprint", "plan_nodes", "plan_fingerprint"),
    _Reference("executions", "lineage_fingerprint", "lineages", "lineage_fingerprint"),
    _Reference("dataset_io", "dataset", "datasets", "dataset"),
    _Reference("dataset_aliases", "dataset", "datasets", "dataset"),
    _Reference("column_lineage", "source_dataset", "datasets", "dataset"),
    _Reference("column_lineage", "target_dataset", "datasets", "dataset"),
    _Reference("table_lineage", "source_dataset", "datasets", "dataset"),
    _Reference("table_lineage", "target_dataset", "datasets", "dataset"),
    _Reference("schema_versions", "dataset", "datasets", "dataset"),
    _Reference("harvested_logs", "harvest_id", "harvests", "harvest_id"),
)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a version.

    Attributes:
        count: The number of rows of all public tables in the database.
        flaws: What is wrong with them, a phrase each.
    """

    count: int
    flaws: tuple[str, ...]


def check_rows(version: Path, free: duckdb.DuckDBPyConnection | None = None) -> Rows:
    """Compare the rows of a version's Parquet files and database, and follow its references, within a limit of memory.

    Args:
        version: The version's folder.
        free: As in `opened_for_reading`.

    Raises:
        DamagedError: The database cannot be read.
    """
    with (
        tempfile.TemporaryDirectory(prefix="eventlog-lineage-") as scratch,
        opened_for_reading(version / DATABASE_NAME, free) as connection,
    ):
        try:
            with suppress(duckdb.InvalidInputException):  # another connection of this process has locked the settings
                limit_memory(connection, Path(scratch))
            use_current_views(connection, tables_only=True)
            known = table_names(connection)
            names = [table.name for table in PUBLIC_TABLES if table.name in known]
            slices = run_slices(version)
            sliced = frozenset(table.name for table in PUBLIC_VIEWS) if slices else frozenset()
            counts = {name: _count(connection, f"FROM {quoted(name)}") for name in names if name not in sliced}
            flaws = [*_reference_flaws(connection, [each for each in _REFERENCES if each.table not in sliced])]
            if slices:
                joined = _Joined([name for name in names if name in sliced])
                joined.read(connection, version, slices)
                counts |= joined.counts
                flaws += joined.flaws
            flaws = [*_count_flaws(connection, version, {name: counts[name] for name in names}), *flaws]
        except duckdb.Error as error:
            words = str(error).splitlines()[0]
            raise DamagedError(f"{DATABASE_NAME} cannot be read: {words}", str(version)) from None
    return Rows(sum(counts.values()), tuple(flaws))


class _Joined:
    """The rows of the public views that join tables of runs, one slice of the runs after another.

    Attributes:
        counts: The number of rows of each view.
        flaws: References of theirs to rows that are not there.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.counts = dict.fromkeys(names, 0)
        self.flaws: list[str] = []

    def read(self, connection: duckdb.DuckDBPyConnection, version: Path, slices: Sequence[RunSlice]) -> None:
        """Read all slices.

        Args:
            connection: A connection to the version's database; its views over runs are replaced.
            version: The version's folder.
            slices: The slices of its runs.
        """
        references = [each for each in _REFERENCES if each.table in self.counts]
        missing: dict[_Reference, set[str]] = {each: set() for each in references}
        for each in slices:
            view_slice(connection, version, each)
            view_public_tables(connection)
            for name in self.counts:
                self.counts[name] += _count(connection, f"FROM {quoted(name)}")
            for reference in references:
                rows = connection.execute(f"SELECT v.value {reference.missing()}").fetchall()
                missing[reference].update(str(value) for (value,) in rows)
        self.flaws = [each.flaw(len(values)) for each, values in missing.items() if values]


def table_names(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """Return the names of a database's tables and views, and of temporary ones; one of an older program may lack some.

    Raises:
        DamagedError: The database cannot be read.
    """
    try:
        rows = connection.execute(  # faster than information_schema
            "SELECT table_name FROM duckdb_tables() WHERE database_name IN (current_database(), 'temp') "
            "UNION ALL SELECT view_name FROM duckdb_views() WHERE database_name IN (current_database(), 'temp')"
        ).fetchall()
    except duckdb.Error as error:
        raise DamagedError(f"{DATABASE_NAME} cannot be read: {str(error).splitlines()[0]}") from None
    return frozenset(str(name) for (name,) in rows)


def _count_flaws(connection: duckdb.DuckDBPyConnection, version: Path, counts: Mapping[str, int]) -> Iterator[str]:
    for table, expected in counts.items():
        files = f"{glob.escape(str(version / table))}/**/*.parquet"
        try:
            found = _count(connection, f"FROM read_parquet({text_literal(files)})")
        except duckdb.Error as error:
            yield f"the Parquet files of {table} cannot be read: {str(error).splitlines()[0]}"
            continue
        if found != expected:
            yield f"{table} has {found} rows in Parquet and {expected} in {DATABASE_NAME}"


def _reference_flaws(connection: duckdb.DuckDBPyConnection, references: Sequence[_Reference]) -> Iterator[str]:
    for reference in references:
        if missing := _count(connection, reference.missing()):
            yield reference.flaw(missing)


def _count(connection: duckdb.DuckDBPyConnection, rows: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) {rows}").fetchone() or (0,)
    return int(count)
