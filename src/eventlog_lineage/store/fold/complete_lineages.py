"""Every statement has its lineage: a harvest that lost some is refused, and a store that lacks some is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.fold.steps import Fold, python_step
from eventlog_lineage.store.schema.relations import read_fact, write_fact

if TYPE_CHECKING:
    import duckdb

_FACT = "lineages"
_COMPLETE = "complete"
"""All statements have a lineage. Programs before 0.3.0 could lose some, and did not write this fact."""

_WITHOUT_LINEAGE = "FROM {executions} ANTI JOIN lineages USING (lineage_id) WHERE lineage_id IS NOT NULL"


def has_all_lineages(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the store is known to have the lineages of all of its statements.

    Args:
        connection: The store's database; read-only is enough.
    """
    return read_fact(connection, _FACT) == _COMPLETE


@python_step(reads="staged_executions reported_again executions lineages store_facts", changes="store_facts")
def check_lineages(fold: Fold) -> None:
    """Refuse a harvest whose statements were not all traced; note a store that has all lineages."""
    missing = _count(fold, "(FROM staged_executions ANTI JOIN reported_again USING (app_id, attempt_id))")
    if missing:
        raise StoreError(
            f"the lineages of {missing} statements were lost in this harvest",
            str(fold.staging.parent),
            "the store is as it was before; run the harvest again",
        )
    if not has_all_lineages(fold.connection) and (fold.is_first or not _count(fold, "executions")):
        write_fact(fold.connection, _FACT, _COMPLETE)


def _count(fold: Fold, executions: str) -> int:
    query = f"SELECT count(*) {_WITHOUT_LINEAGE.format(executions=executions)}"
    (count,) = fold.connection.execute(query).fetchone() or (0,)
    return int(count)
