"""Report the views that a statement reads as dataset accesses: the scans of a plan are of the tables below them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eventlog_lineage.datasets import naming
from eventlog_lineage.model import Dataset, DatasetAccess
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.printed.views import ViewRead

VIEW_MODE = "view"
"""The mode of an access through a view. It creates no edges: views are transparent."""

_GLOBAL = "global_temp"


def view_accesses(texts: Iterable[PlanText], known: Sequence[ViewRead], write: str | None) -> tuple[DatasetAccess, ...]:
    """Return the distinct views that a statement reads through.

    Args:
        known: Views from the Thrift server's plan of the statement.
        write: Name of the dataset that the statement writes, which is not read.
    """
    columns: dict[Dataset, tuple[str, ...]] = {}
    for view in (*(view for text in texts for view in text.views), *known):
        dataset = _dataset(view.name)
        columns[dataset] = tuple(dict.fromkeys((*columns.get(dataset, ()), *view.columns)))
    return tuple(
        DatasetAccess(dataset, "read", VIEW_MODE, names) for dataset, names in columns.items() if dataset.name != write
    )


def _dataset(name: str) -> Dataset:
    """Return the dataset of a view: a temporary one has no database, a global one has `global_temp`."""
    parts = naming.split_name(name)
    if len(parts) == 1 or parts[-2] == _GLOBAL:
        return Dataset(".".join(parts[-2:]), "temp_view")
    return Dataset(naming.table_name(name), "view")
