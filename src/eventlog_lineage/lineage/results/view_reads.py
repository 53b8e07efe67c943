"""The views that a statement reads, as uses of datasets: a plan's scans are of what lies behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, DatasetAccess
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.views import ViewRead

MODE = "view"
"""The mode of such a use: it tells that a view was read, and makes no lineage (views are transparent)."""

_GLOBAL = "global_temp"


def view_uses(texts: Iterable[PlanText], known: Sequence[ViewRead], write: str | None) -> tuple[DatasetAccess, ...]:
    """The views that a statement reads through, each once.

    Args:
        texts: The statement's own plans.
        known: What else tells of views: the Thrift server's plan of the statement.
        write: The name of what the statement writes, which it does not read.
    """
    columns: dict[Dataset, tuple[str, ...]] = {}
    for view in (*(view for text in texts for view in text.views), *known):
        dataset = _dataset(view.name)
        columns[dataset] = tuple(dict.fromkeys((*columns.get(dataset, ()), *view.columns)))
    return tuple(
        DatasetAccess(dataset, "read", MODE, names) for dataset, names in columns.items() if dataset.name != write
    )


def _dataset(name: str) -> Dataset:
    """A temporary view has no database, a global one has its own; all others stand in the catalog."""
    parts = naming.split_name(name)
    if len(parts) == 1 or parts[-2] == _GLOBAL:
        return Dataset(".".join(parts[-2:]), "temp_view")
    return Dataset(naming.table_name(name), "view")
