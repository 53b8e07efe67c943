"""Slices of a large harvest: what would not fit into memory at once is folded one slice after another.

A harvest that lost the lineage of a statement is refused, and a store that lacks some is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.schema.declaration import Table
from eventlog_lineage.store.schema.internal_tables import RUN_TABLES
from eventlog_lineage.store.schema.relations import count_of, read_fact, sql_text, value_of, write_fact
from eventlog_lineage.store.schema.tables import APPLICATIONS, EXECUTIONS

from .steps import NIGHT, OPEN_RUNS, Fold, Values, python_step

if TYPE_CHECKING:
    import duckdb

_FACT = "lineages"
_COMPLETE = "complete"
"""All statements have a lineage. Programs before 0.3.0 could lose some, and did not write this fact."""

_WITHOUT_LINEAGE = "FROM {executions} ANTI JOIN lineages USING (lineage_id) WHERE lineage_id IS NOT NULL"


def has_all_lineages(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the store is known to have the lineages of all of its statements."""
    return read_fact(connection, _FACT) == _COMPLETE


@python_step(reads="staged_executions reported_again executions lineages store_facts", changes="store_facts")
def check_lineages(fold: Fold) -> None:
    """Refuse a harvest whose statements were not all traced; note a store that has all lineages."""
    missing = _count_without(fold, "(FROM staged_executions ANTI JOIN reported_again USING (app_id, attempt_id))")
    if missing:
        raise StoreError(
            f"the lineages of {missing} statements were lost in this harvest",
            str(fold.staging.parent),
            "the store is as it was before; run the harvest again",
        )
    if not has_all_lineages(fold.connection) and (fold.is_first or not _count_without(fold, "executions")):
        write_fact(fold.connection, _FACT, _COMPLETE)


def _count_without(fold: Fold, executions: str) -> int:
    """Return how many statements lack their lineage."""
    return count_of(fold.connection, _WITHOUT_LINEAGE.format(executions=executions))


_RUNS_AT_ONCE = 500_000
"""Executions, runs or observations in a slice; more where one application or one dataset has more."""

_STATEMENTS_AT_ONCE = 1_000_000
"""Statements whose executions are named at a time."""

_SLICED = tuple(table for table in RUN_TABLES if table is not APPLICATIONS)
"""The tables whose rows are folded in slices; applications are few."""


def count_staged(fold: Fold) -> Fold:
    """Return the fold with the number of its staged executions, by the files' own metadata."""
    return replace(fold, executions=count_rows((fold.staging / EXECUTIONS.name).glob("*.parquet")))


def count_rows(files: Iterable[Path]) -> int:
    """Return the number of rows in Parquet files, by the files' own metadata: 0.2 ms per file."""
    return sum(pq.read_metadata(file).num_rows for file in files)


def application_slices(fold: Fold) -> Iterator[Fold]:
    """Yield the fold of each slice of the applications; most harvests are one.

    While a slice is folded, the tables of open days have its rows only: no step reads the rows of other slices.
    """
    count = fold.executions
    if fold.rename_jobs and not fold.is_first:
        count += count_of(fold.connection, "FROM open_executions")
    slices = _sliced(fold, count)
    if len(slices) == 1:
        yield fold
        return
    stored = {
        table for table in _SLICED if count_of(fold.connection, f"FROM (FROM {NIGHT}.main.open_{table.name} LIMIT 1)")
    }
    for each in slices:
        _take(each, stored)
        yield each
        _put(each)


def _take(fold: Fold, stored: Collection[Table]) -> None:
    """Make temporary tables with the rows of a slice, which hide those of the open days; move what is stored there."""
    for table in _SLICED:
        whole, ours = f"{NIGHT}.main.open_{table.name}", f"hash(app_id, attempt_id) % {fold.slices} = {fold.slice}"
        fold.connection.execute(f"CREATE TEMP TABLE open_{table.name} AS FROM {whole} LIMIT 0")
        if table in stored:
            fold.connection.execute(f"INSERT INTO temp.open_{table.name} FROM {whole} WHERE {ours}")
            fold.connection.execute(f"DELETE FROM {whole} WHERE {ours}")


def _put(fold: Fold) -> None:
    """Add the rows of a slice to the tables of open days."""
    for table in _SLICED:
        fold.connection.execute(f"INSERT INTO {NIGHT}.main.open_{table.name} FROM temp.open_{table.name}")
        fold.connection.execute(f"DROP TABLE temp.open_{table.name}")


def dataset_slices(fold: Fold) -> Sequence[Fold]:
    """Return the fold of each slice of the datasets whose observations are selected."""
    if not is_large(fold):
        return (fold,)
    return _sliced(
        fold, count_of(fold.connection, "FROM changed_runs JOIN lineage_schemas USING (lineage_id) WHERE succeeded")
    )


def is_large(fold: Fold) -> bool:
    """Return whether a harvest has more executions than one slice."""
    return fold.executions > _RUNS_AT_ONCE


def naming_slices(fold: Fold) -> Sequence[Values]:
    """Return the slices of the statements whose executions are named; none if no name differs."""
    count = count_of(fold.connection, "FROM named_statements SEMI JOIN renamed_jobs USING (app_id, attempt_id)")
    slices = -(-count // _STATEMENTS_AT_ONCE)
    return [{"slices": slices, "slice": number} for number in range(slices)]


def series_periods(fold: Fold) -> Iterable[Values]:
    """Return the conditions on `first_seen` of the periods whose runs are joined to series together."""
    rebuilt = "SEMI JOIN (FROM changed_jobs WHERE is_rebuilt) USING (job_name, succeeded)"
    count = count_of(fold.connection, "FROM changed_runs")
    stored = "SELECT coalesce(sum(stored_runs), 0), count(*) FROM changed_jobs WHERE is_rebuilt"
    again, jobs = fold.connection.execute(stored).fetchone() or (0, 0)
    count += int(again)
    runs = "statement_runs" if jobs else OPEN_RUNS
    if count <= _RUNS_AT_ONCE:
        return ({"period": "true", "runs": runs},)
    times = f"SELECT first_seen FROM changed_runs UNION ALL SELECT first_seen FROM {runs} {rebuilt}"
    return [{"period": period, "runs": runs} for period in _periods(fold, times, -(-count // _RUNS_AT_ONCE))]


def _periods(fold: Fold, times: str, parts: int) -> list[str]:
    """Return the conditions of periods with about as many of some times each."""
    quantiles = [number / parts for number in range(1, parts)]
    found = value_of(fold.connection, f"SELECT approx_quantile(epoch_us(first_seen), {quantiles}) FROM ({times})")
    bounds = [f"make_timestamp({bound})" for bound in sorted(set(found or ()))]
    if not bounds:
        return ["true"]
    first = f"(r.first_seen IS NULL OR r.first_seen < {bounds[0]})"
    between = [f"r.first_seen >= {low} AND r.first_seen < {high}" for low, high in pairwise(bounds)]
    return [first, *between, f"r.first_seen >= {bounds[-1]}"]


def _sliced(fold: Fold, count: int, at_once: int | None = None) -> Sequence[Fold]:
    slices = max(1, -(-count // (at_once or _RUNS_AT_ONCE)))
    return [replace(fold, slices=slices, slice=number) for number in range(slices)]


@dataclass(frozen=True, slots=True)
class Counts:
    """What the harvest found.

    Attributes:
        gaps: Gaps of these executions and of their logs.
    """

    executions: int = 0
    edges: int = 0
    gaps: int = 0


def count_found(fold: Fold) -> Counts:
    """Return what the harvest found."""
    fold = count_staged(fold)
    slices = _sliced(fold, fold.executions, 4 * _RUNS_AT_ONCE)
    queries = [sql_text("merge/counts", slices=each.slices, slice=each.slice) for each in slices]
    rows = [fold.connection.execute(query).fetchone() or (0, 0, 0, None) for query in queries]
    executions, edges, gaps, lineages = zip(*rows, strict=True)
    if len(rows) == 1:
        return Counts(executions[0], edges[0], gaps[0])
    shared = sorted({lineage for of_slice in lineages for lineage in of_slice or ()})  # by several slices
    counted = "SELECT count(*) FROM lineage_edges WHERE lineage_fingerprint IN (SELECT unnest(?))"
    return Counts(sum(executions), int(value_of(fold.connection, counted, [shared])), sum(gaps))
