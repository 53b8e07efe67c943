"""What a harvest found, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from eventlog_lineage.store.schema.sql_files import sql_text

from .slices import count_staged, counted_slices
from .steps import Fold


@dataclass(frozen=True, slots=True)
class Counts:
    """What the harvest found.

    Attributes:
        executions: Executions in the staging folder.
        edges: Distinct edges of their lineages.
        gaps: Gaps of these executions and of their logs.
    """

    executions: int = 0
    edges: int = 0
    gaps: int = 0


def count_found(fold: Fold) -> Counts:
    """Return what the harvest found.

    Args:
        fold: The database after `merge`, which changed something.
    """
    slices = counted_slices(count_staged(fold))
    queries = [sql_text("merge/counts", slices=each.slices, slice=each.slice) for each in slices]
    rows = [fold.connection.execute(query).fetchone() or (0, 0, 0, None) for query in queries]
    executions, edges, gaps = (sum(int(row[place]) for row in rows) for place in range(3))
    if len(rows) > 1:  # slices share lineages
        lineages = sorted({lineage for row in rows for lineage in row[3] or ()})
        counted = "SELECT count(*) FROM lineage_edges WHERE lineage_fingerprint IN (SELECT unnest(?))"
        (edges,) = fold.connection.execute(counted, [lineages]).fetchone() or (0,)
    return Counts(executions, int(edges), gaps)
