"""The tables that are complete after the merge, written while the fold makes the others on another core."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.store.fold.pipeline import FOLD_STEPS
from eventlog_lineage.store.schema.internal_tables import KEPT_TABLES
from eventlog_lineage.store.schema.tables import HARVESTED_LOGS, HARVESTS, PUBLIC_TABLES

from .database import point_to_runs
from .parquet import Target, export_tables
from .versions import by_number

if TYPE_CHECKING:
    import duckdb

    from eventlog_lineage.store.fold.pipeline import Merged

TABLES_OF_FOLD = frozenset(
    {HARVESTS.name, HARVESTED_LOGS.name}.union(*(step.relations().changes for step in FOLD_STEPS))
)
"""Tables that change after the merge; the others are written while these are made."""


def write_merged(connection: duckdb.DuckDBPyConnection, target: Target, merged: Merged) -> None:
    """Write the tables that the fold leaves as they are after the merge, and point the views to the days' files.

    Args:
        connection: The draft's database; a connection of its own, without temporary relations.
        target: Where to; the days are written.
        merged: What the merge did.
    """
    with by_number(target.version) as path:
        point_to_runs(connection, path)
    names = {table.name for table in (*PUBLIC_TABLES, *KEPT_TABLES)} - TABLES_OF_FOLD
    export_tables(connection, target, changed=merged.changed, names=names)
