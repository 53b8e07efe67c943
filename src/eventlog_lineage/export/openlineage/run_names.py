"""What a run's events call its datasets and their columns."""

from __future__ import annotations

from eventlog_lineage.export.datasets import Datasets
from eventlog_lineage.export.runs import Run

from .facets import Json
from .options import EventOptions


class RunNames:
    """The names that all events of a run share: a column is spelled as in the schema, whatever case a query used."""

    def __init__(self, run: Run, datasets: Datasets, options: EventOptions) -> None:
        self.run = run
        self._datasets = datasets
        self._folds = options.nested == "top"
        self._spelled: dict[str, dict[str, str]] = {}

    def reference(self, dataset: str) -> Json:
        """Return the namespace and name of a dataset."""
        name = self._datasets.name(dataset)
        return {"namespace": name.namespace, "name": name.name}

    def symlink(self, dataset: str) -> Json | None:
        """Return the identifier of a table in its catalog, where the table is named by its files."""
        name = self._datasets.symlink(dataset)
        return {"namespace": name.namespace, "name": name.name, "type": "TABLE"} if name else None

    def format(self, dataset: str) -> str:
        """Return a dataset's format: `parquet`, `iceberg`; empty if no log shows it."""
        return self._datasets.dataset(dataset).format

    def columns(self, dataset: str) -> tuple[tuple[str, str], ...]:
        """Return (name, type) of a dataset's columns when the run read it, or right after the run wrote it."""
        written = dataset == self.run.target
        return self._datasets.schema(dataset, (self.run.ended_at if written else None) or self.run.started_at)

    def column(self, dataset: str, column: str) -> str:
        """Return a column's name: `address.city`, or `address` where nested columns are folded.

        Args:
            dataset: The canonical name.
            column: The column, nested fields dotted.
        """
        if dataset not in self._spelled:
            self._spelled[dataset] = {name.lower(): name for name, _ in self.columns(dataset)}
        name = self._spelled[dataset].get(column.lower(), column)
        return name.partition(".")[0] or name if self._folds else name
