"""Options, facets and names of OpenLineage events: of runs and of jobs.

The bytes are those of `openlineage.client.uuid.generate_static_uuid` (openlineage-python 1.15 and newer): the time in
milliseconds, then 76 bits of a SHA-1 of the time and the name.

DataHub takes what is before the first dot for the flow, and Data.Rentgen removes the parent's name and a dot. So the
application's part has no dots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from hashlib import sha1
from typing import Any
from uuid import UUID

from eventlog_lineage import __version__
from eventlog_lineage.datasets.naming import SESSION_CATALOG
from eventlog_lineage.export.datasets import Datasets
from eventlog_lineage.export.runs import Run, Selection
from eventlog_lineage.history.job_names import JobNameRule

INDIRECT = ("dataset", "fields", "none")
NESTED = ("dotted", "top")


@dataclass(frozen=True, slots=True)
class EventOptions:
    """How events are written.

    Attributes:
        selection: Which runs.
        namespace: The namespace of jobs.
        catalogs: Catalog to the namespace of its tables.
        indirect: Where FILTER, JOIN, GROUP_BY and SORT go: into the facet's `dataset` list, onto each of the `fields`,
            or, like WINDOW and CONDITIONAL then, nowhere.
        nested: Columns in structs by their `dotted` names, or folded to the `top` column.
        explicit: Add the `lineage` facet to jobs.
    """

    selection: Selection = field(default_factory=Selection)
    namespace: str = "default"
    catalogs: Mapping[str, str] = field(default_factory=dict)
    indirect: str = "dataset"
    nested: str = "dotted"
    explicit: bool = False


Json = dict[str, Any]

PRODUCER = f"https://pypi.org/project/eventlog-lineage/{__version__}"

_SPEC = "https://openlineage.io/spec"
EVENT_SCHEMA = f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent"

_SCHEMAS = {
    "columnLineage": ("1-2-0", "ColumnLineageDatasetFacet", "ColumnLineageDatasetFacet"),
    "dataSource": ("1-0-1", "DatasourceDatasetFacet", "DatasourceDatasetFacet"),
    "documentationDataset": ("1-1-0", "DocumentationDatasetFacet", "DocumentationDatasetFacet"),
    "documentationJob": ("1-1-0", "DocumentationJobFacet", "DocumentationJobFacet"),
    "errorMessage": ("1-0-1", "ErrorMessageRunFacet", "ErrorMessageRunFacet"),
    "inputStatistics": ("1-0-0", "InputStatisticsInputDatasetFacet", "InputStatisticsInputDatasetFacet"),
    "jobType": ("2-0-4", "JobTypeJobFacet", "JobTypeJobFacet"),
    "lifecycleStateChange": ("1-0-1", "LifecycleStateChangeDatasetFacet", "LifecycleStateChangeDatasetFacet"),
    "lineage": ("1-0-0", "LineageFacet", "LineageJobFacet"),
    "outputStatistics": ("1-0-2", "OutputStatisticsOutputDatasetFacet", "OutputStatisticsOutputDatasetFacet"),
    "ownershipDataset": ("1-0-1", "OwnershipDatasetFacet", "OwnershipDatasetFacet"),
    "ownershipJob": ("1-0-1", "OwnershipJobFacet", "OwnershipJobFacet"),
    "parent": ("1-2-0", "ParentRunFacet", "ParentRunFacet"),
    "processing_engine": ("1-1-1", "ProcessingEngineRunFacet", "ProcessingEngineRunFacet"),
    "schema": ("1-2-0", "SchemaDatasetFacet", "SchemaDatasetFacet"),
    "sql": ("1-1-0", "SQLJobFacet", "SQLJobFacet"),
    "storage": ("1-0-1", "StorageDatasetFacet", "StorageDatasetFacet"),
    "symlinks": ("1-0-1", "SymlinksDatasetFacet", "SymlinksDatasetFacet"),
    "tags": ("1-0-0", "TagsDatasetFacet", "TagsDatasetFacet"),
    "version": ("1-0-1", "DatasetVersionDatasetFacet", "DatasetVersionDatasetFacet"),
}
"""Key of the facet to the version of its schema, the schema's file and the definition in it."""

_AGENTS = frozenset(("spark_applicationDetails", "spark_properties"))
"""Facets of OpenLineage's Spark agent, which the specification has no schemas of."""


def facet(key: str, **fields: object) -> Json:
    """Return a facet with its producer and schema; fields that are None are left out.

    Args:
        key: The facet's key in the event.
        fields: Its content.
    """
    known = {name: value for name, value in fields.items() if value is not None}
    if key in _AGENTS:
        return {"_producer": PRODUCER, "_schemaURL": EVENT_SCHEMA.replace("RunEvent", "RunFacet"), **known}
    version, file, definition = _SCHEMAS[key]
    schema = f"{_SPEC}/facets/{version}/{file}.json#/$defs/{definition}"
    return {"_producer": PRODUCER, "_schemaURL": schema, **known}


def filled(**parts: object) -> Json:
    """Return the parts that hold something: neither None nor empty."""
    return {name: part for name, part in parts.items() if part is not None and part not in ({}, "")}


def run_id(started_at: datetime, name: str) -> str:
    """Return the id of a run.

    Args:
        started_at: UTC, without a zone.
        name: `app_id/attempt_id` of an application; the same and `/execution_id` of a statement.
    """
    instant = started_at.replace(tzinfo=timezone.utc)
    digest = sha1(instant.isoformat().encode() + name.encode(), usedforsecurity=False).hexdigest()
    number = (int(instant.timestamp() * 1000) & 0xFFFFFFFFFFFF) << 80 | int(digest, 16) >> 84
    number = number & ~(0xF000 << 64) | 7 << 76
    number = number & ~(0xC000 << 48) | 0x8000 << 48
    return str(UUID(int=number))


class JobNames:
    """The names of jobs in events, of the store's `application: statement`."""

    def __init__(self, rule: JobNameRule | None) -> None:
        """Name jobs.

        Args:
            rule: The rule that the store's jobs are named by.
        """
        self._rule = rule or JobNameRule()
        self._known: dict[str, str] = {}

    def application(self, run: Run) -> str:
        """Return the name of the job of a run's application."""
        return self._parts(run)[0].replace(".", "_")

    def statement(self, run: Run) -> str:
        """Return the name of a run's job; each target of a statement with several ones has a job of its own."""
        application, statement = self._parts(run)
        target = f".{run.target.removeprefix(f'{SESSION_CATALOG}.')}" if run.has_more_targets else ""
        return f"{application.replace('.', '_')}.{statement or application}{target}"

    def _parts(self, run: Run) -> tuple[str, str]:
        """Return the application's and the statement's part of the store's name; the application's may hold `: `."""
        if run.app_name and run.app_name not in self._known:
            self._known[run.app_name] = self._rule.strip(run.app_name)
        known = self._known.get(run.app_name or "", "")
        if known and run.job_name.startswith(f"{known}: "):
            return known, run.job_name[len(known) + 2 :]
        application, _, statement = run.job_name.partition(": ")
        return application, statement


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

    def symlinks(self, dataset: str) -> list[Json]:
        """Return the identifiers of a table in catalogs, where the table is named by its files or its database."""
        names = self._datasets.symlinks(dataset)
        return [{"namespace": each.namespace, "name": each.name, "type": "TABLE"} for each in names]

    def format(self, dataset: str) -> str:
        """Return a dataset's format: `parquet`, `iceberg`; empty if no log shows it."""
        return self._datasets.dataset(dataset).format

    def columns(self, dataset: str) -> tuple[tuple[str, str], ...]:
        """Return (name, type) of a dataset's columns when the run read it, or right after the run wrote it."""
        written = dataset == self.run.target
        return self._datasets.schema(dataset, (self.run.ended_at if written else None) or self.run.started_at)

    def typed(self, dataset: str, columns: Iterable[str]) -> list[tuple[str, str]]:
        """Return columns that the schema may lack with their types, which follow from how they are made."""
        return [(column, self._datasets.derived_type(dataset, column)) for column in columns]

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
