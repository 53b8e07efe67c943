"""Slices of a large harvest: what would not fit into memory at once is folded one slice after another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import pyarrow.parquet as pq

from eventlog_lineage.store.schema.tables import EXECUTIONS

from .steps import Fold, Values

_RUNS_AT_ONCE = 500_000
"""Executions, runs or observations in a slice; more where one application or one dataset has more."""


def application_slices(fold: Fold) -> Sequence[Fold]:
    """Return the fold of each slice of the applications; most harvests are one.

    Args:
        fold: The database and the harvest, after the staging folder is viewed.
    """
    count = _staged_executions(fold)
    if fold.rename_jobs and not fold.is_first:
        count += _count(fold, "FROM open_executions")
    return _sliced(fold, count)


def dataset_slices(fold: Fold) -> Sequence[Fold]:
    """Return the fold of each slice of the datasets whose observations are selected.

    Args:
        fold: The database after `changed_runs` is made.
    """
    if not is_large(fold):
        return (fold,)
    return _sliced(fold, _count(fold, "FROM changed_runs JOIN lineage_schemas USING (lineage_id) WHERE succeeded"))


def is_large(fold: Fold) -> bool:
    """Return whether a harvest has more executions than one slice."""
    return _staged_executions(fold) > _RUNS_AT_ONCE


def series_periods(fold: Fold) -> Iterable[Values]:
    """Return the conditions on `first_seen` of the periods whose runs are joined to series together.

    Args:
        fold: The database after `changed_jobs` is made.
    """
    rebuilt = "SEMI JOIN (FROM changed_jobs WHERE is_rebuilt) USING (job_name, succeeded)"
    count = _count(fold, "FROM changed_runs")
    stored = "SELECT coalesce(sum(stored_runs), 0) FROM changed_jobs WHERE is_rebuilt"
    count += int((fold.connection.execute(stored).fetchone() or (0,))[0])
    if count <= _RUNS_AT_ONCE:
        return ({"period": "true"},)
    parts = -(-count // _RUNS_AT_ONCE)
    times = "SELECT first_seen FROM changed_runs UNION ALL SELECT first_seen FROM statement_runs " + rebuilt
    quantiles = [number / parts for number in range(1, parts)]
    (found,) = fold.connection.execute(
        f"SELECT approx_quantile(epoch_us(first_seen), {quantiles}) FROM ({times})"
    ).fetchone() or ([],)
    bounds = [f"make_timestamp({bound})" for bound in sorted(set(found or ()))]
    if not bounds:
        return ({"period": "true"},)
    first = f"(r.first_seen IS NULL OR r.first_seen < {bounds[0]})"
    between = [f"r.first_seen >= {low} AND r.first_seen < {high}" for low, high in pairwise(bounds)]
    return [{"period": period} for period in (first, *between, f"r.first_seen >= {bounds[-1]}")]


def _sliced(fold: Fold, count: int) -> Sequence[Fold]:
    slices = max(1, -(-count // _RUNS_AT_ONCE))
    return [replace(fold, slices=slices, slice=number) for number in range(slices)]


def _staged_executions(fold: Fold) -> int:
    """Return the number of staged executions, by the files' own metadata."""
    files = (fold.staging / EXECUTIONS.name).glob("*.parquet")
    return sum(pq.read_metadata(file).num_rows for file in files)


def _count(fold: Fold, rows: str) -> int:
    (count,) = fold.connection.execute(f"SELECT count(*) {rows}").fetchone() or (0,)
    return int(count)
