"""The names, inputs and outputs of events, with their facets and those of declarations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from hashlib import sha1
from itertools import chain
from typing import Any
from uuid import UUID

from eventlog_lineage import __version__
from eventlog_lineage.datasets.naming import SESSION_CATALOG
from eventlog_lineage.declarations import Declarations
from eventlog_lineage.export.datasets import Datasets
from eventlog_lineage.export.runs import Edge, Moved, Run, Selection
from eventlog_lineage.extensions import formats
from eventlog_lineage.history.job_names import JobNameRule
from eventlog_lineage.plan.grammar.types import split_parts, struct_fields
from eventlog_lineage.store.fold.declared_rows import given_declarations
from eventlog_lineage.store.queries.open_store import OpenStore

INDIRECT = ("dataset", "fields", "none")


@dataclass(frozen=True, slots=True)
class EventOptions:
    """How events are written.

    Attributes:
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
    """Return a facet with its producer and schema; fields that are None are left out."""
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
        """Name jobs."""
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
        """Return a column's name: `address.city`, or `address` where nested columns are folded."""
        if dataset not in self._spelled:
            self._spelled[dataset] = {name.lower(): name for name, _ in self.columns(dataset)}
        name = self._spelled[dataset].get(column.lower(), column)
        return name.partition(".")[0] or name if self._folds else name


class DeclaredFacets:
    """The facets of datasets and jobs; none of a store without declarations.

    Tags by names of personal data, which nobody declared, are left out: a catalog would take a guess for a fact.
    """

    def __init__(self, store: OpenStore) -> None:
        given = Declarations.of(given_declarations(store.connection))
        self._owners: dict[tuple[object, object], tuple[str, str]] = {}
        self._fields: dict[str, dict[str, str]] = defaultdict(dict)
        self._tags: dict[str, list[Json]] = defaultdict(list)
        if given == Declarations():
            return
        query = "SELECT dataset, column_name, job_name, owner, description FROM declarations"
        for dataset, column, job, owner, description in store.ask(query).rows:
            if column is None:
                self._owners[dataset, job] = (str(owner), str(description))
            elif description:
                self._fields[str(dataset)][str(column)] = str(description)
        tags = set(chain(*(thing.tags for thing in given.things), *((rule.tag, rule.masked) for rule in given.rules)))
        query = "SELECT DISTINCT dataset, column_name, tag, origin FROM tags WHERE list_contains(?, tag) ORDER BY ALL"
        for dataset, column, tag, origin in store.ask(query, [sorted(tags)]).rows:
            field = {"field": column} if column else {}
            self._tags[str(dataset)].append({"key": tag, "value": "true", "source": str(origin).upper(), **field})

    def of_dataset(self, dataset: str) -> Json:
        """Return the facets of a dataset by their keys."""
        facets = self._described((dataset, None), "Dataset")
        if tags := self._tags.get(dataset):
            facets["tags"] = facet("tags", tags=tags)
        return facets

    def of_job(self, job: str) -> Json:
        """Return the facets of a job by their keys."""
        return self._described((None, job), "Job")

    def describe(self, dataset: str, schema: Json | None) -> Json | None:
        """Return a schema facet with the declared descriptions of its columns."""
        described = self._fields.get(dataset)
        if not schema or not described:
            return schema
        texts = {name.lower(): text for name, text in described.items()}
        fields = [
            {**each, "description": texts[each["name"].lower()]} if each["name"].lower() in texts else each
            for each in schema["fields"]
        ]
        return {**schema, "fields": fields}

    def _described(self, key: tuple[object, object], kind: str) -> Json:
        owner, description = self._owners.get(key, ("", ""))
        facets: Json = {}
        if owner:
            facets["ownership"] = facet(f"ownership{kind}", owners=[{"name": owner}])
        if description:
            facets["documentation"] = facet(f"documentation{kind}", description=description)
        return facets


_STRENGTH = {"AGGREGATION": 0, "TRANSFORMATION": 1, "IDENTITY": 2}
"""The DIRECT kinds, strongest first; the kind of a column is its strongest one."""


@dataclass(frozen=True, slots=True)
class TargetEdges:
    """A run's edges that have a source, by what they make.

    Attributes:
        dataset: Edges that influence all columns.
    """

    fields: dict[str, list[Edge]]
    dataset: list[Edge]

    def source_columns(self, names: RunNames) -> dict[str, dict[str, None]]:
        """Return source dataset to the columns that edges name, in their order."""
        found: dict[str, dict[str, None]] = {}
        for edge in [edge for edges in self.fields.values() for edge in edges] + self.dataset:
            dataset = str(edge.source_dataset)
            found.setdefault(dataset, {})[names.column(dataset, str(edge.source_column))] = None
        return found


def edges_of(names: RunNames, indirect: str) -> TargetEdges:
    """Return a run's edges.

    Args:
        indirect: `dataset`, `fields` or `none`: what becomes of edges that influence all columns.
    """
    fields: dict[str, list[Edge]] = {}
    whole: list[Edge] = []
    for edge in names.run.edges:
        column = edge.target_column and names.column(names.run.target, edge.target_column)
        made = fields.setdefault(column, []) if column else whole
        if _is_shown(edge, indirect):
            made.append(edge)
    if indirect == "fields":
        fields, whole = {column: [*edges, *whole] for column, edges in fields.items()}, []
    return TargetEdges({column: edges for column, edges in fields.items() if edges}, whole)


def column_lineage_facet(edges: TargetEdges, names: RunNames) -> Json | None:
    """Return the columnLineage facet of a run's output; None if no edge has a source."""
    fields = {column: _field(found, names) for column, found in edges.fields.items()}
    whole = _input_fields(edges.dataset, names)
    return facet("columnLineage", fields=fields, dataset=whole or None) if fields or whole else None


def lineage_facet(edges: TargetEdges, names: RunNames) -> Json:
    """Return the explicit lineage facet of a run's job: one entry, its target.

    A dataset that is read without any of its columns (`count(*)`) is an input without a field.
    """
    named = edges.source_columns(names)
    inputs = [_typed(each) for each in _input_fields(edges.dataset, names)]
    inputs += [_typed(names.reference(dataset)) for dataset in names.run.reads if dataset not in named]
    fields = {
        column: {"inputs": [_typed(each) for each in _input_fields(found, names)]}
        for column, found in edges.fields.items()
    }
    return facet("lineage", entries=[{**_typed(names.reference(names.run.target)), "inputs": inputs, "fields": fields}])


def _typed(reference: Json) -> Json:
    return {**reference, "type": "DATASET"}


def _is_shown(edge: Edge, indirect: str) -> bool:
    return edge.source_column is not None and (edge.dependency == "DIRECT" or indirect != "none")


def _field(edges: Sequence[Edge], names: RunNames) -> Json:
    """Return a target column's entry.

    The deprecated description and type of the field are filled: Marquez and OpenMetadata show nothing else.
    """
    own = [edge for edge in edges if edge.target_column is not None] or list(edges)
    values = [edge for edge in own if edge.dependency == "DIRECT"]
    described = next(filter(None, (edge.expression for edge in (*values, *own))), "")
    known = {"transformationDescription": described, "transformationType": _strongest(values or own)}
    return {"inputFields": _input_fields(edges, names), **{key: text for key, text in known.items() if text}}


def _strongest(edges: Sequence[Edge]) -> str:
    """Return the kind of the edge that changes values most; `MASKED` if all of them mask."""
    if edges[0].dependency == "DIRECT" and all(edge.masking for edge in edges):
        return "MASKED"
    kinds = [edge.transformation for edge in edges if edge.transformation]
    return min(kinds, key=lambda each: _STRENGTH.get(each, len(_STRENGTH)), default="")


def _input_fields(edges: Iterable[Edge], names: RunNames) -> list[Json]:
    """Return input fields: each source once, with all the ways in which it takes part."""
    found: dict[tuple[str, str], list[Json]] = {}
    for edge in edges:
        dataset = str(edge.source_dataset)
        ways = found.setdefault((dataset, names.column(dataset, str(edge.source_column))), [])
        if (way := _transformation(edge)) not in ways:
            ways.append(way)
    return [
        {**names.reference(dataset), "field": column, "transformations": ways}
        for (dataset, column), ways in found.items()
    ]


def _transformation(edge: Edge) -> Json:
    known = {"type": edge.dependency, "subtype": edge.transformation, "description": edge.expression}
    return {**{key: text for key, text in known.items() if text}, "masking": edge.masking}


UNKNOWN = "unknown"
"""The type of a column of which no statement shows one; OpenMetadata requires a type."""

_NAMES = {"bigint": "long", "int": "integer", "smallint": "short", "tinyint": "byte"}
"""Catalog strings (`DataType.catalogString`) whose type name (`DataType.typeName`), which the agent writes, differs."""

_DEEPEST = 30


def schema_facet(columns: Sequence[tuple[str, str]], named: Iterable[tuple[str, str]]) -> Json | None:
    """Return the schema facet of a dataset; None for a dataset of which no column is known.

    Args:
        columns: (name, type) of its columns in order, nested ones dotted.
        named: (name, type) of columns that edges name; those that `columns` lacks are added.
    """
    fields: list[Json] = []
    level = _Level(fields)
    for name, kind in [*columns, *named]:
        level.add(name, kind)
    for ordinal, each in enumerate(fields, 1):
        each["ordinal_position"] = ordinal
    return facet("schema", fields=fields) if fields else None


class _Level:
    """The fields of a dataset or of a struct, found by their names; upper and lower case are one."""

    def __init__(self, fields: list[Json]) -> None:
        self._fields = fields
        self._known = {str(field["name"]).lower(): field for field in fields}
        self._below: dict[str, _Level] = {}

    def add(self, name: str, kind: str) -> None:
        """Add a column; nothing happens if it is there, because a struct's type holds its fields already."""
        parent, dot, rest = name.partition(".")
        key = (parent if dot else name).lower()
        if not dot or not rest or not parent:
            if name.lower() not in self._known:
                self._append(name.lower(), _schema_field(name, kind))
            return
        if key not in self._known:
            self._append(key, {"name": parent, "type": "struct"})
        if key not in self._below:
            self._below[key] = _Level(_members(self._known[key]))
        self._below[key].add(rest, kind)

    def _append(self, key: str, field: Json) -> None:
        self._fields.append(field)
        self._known[key] = field


def _members(field: Json) -> list[Json]:
    """Return the fields that a dotted name goes on in: those of an array's elements, of a map's values."""
    while field["type"] in {"array", "map"} and field.get("fields"):
        field = field["fields"][-1]
    if field["type"] == UNKNOWN:
        field["type"] = "struct"
    members: list[Json] = field.setdefault("fields", [])
    return members


def _schema_field(name: str, kind: str, depth: int = 0) -> Json:
    """Return a field with its fields (`PlanUtils.transformField` of the agent).

    Args:
        kind: Its catalog string: `struct<city:string>`, `array<bigint>`.
        depth: Types nested deeper than 30 levels are not taken apart.
    """
    if depth < _DEEPEST:
        if members := struct_fields(kind):
            inner = [_schema_field(member, member_kind, depth + 1) for member, member_kind in members]
            return {"name": name, "type": "struct", "fields": inner}
        if kind.startswith("array<") and kind.endswith(">"):
            return {"name": name, "type": "array", "fields": [_schema_field("_element", kind[6:-1], depth + 1)]}
        if kind.startswith("map<") and kind.endswith(">"):
            key, *value = split_parts(kind[4:-1])
            if value:
                inner = [_schema_field("key", key, depth + 1), _schema_field("value", ",".join(value), depth + 1)]
                return {"name": name, "type": "map", "fields": inner}
    return {"name": name, "type": _NAMES.get(kind, kind) or UNKNOWN}


_LIFECYCLE = {
    "alter": "ALTER",
    "create": "CREATE",
    "drop": "DROP",
    "overwrite": "OVERWRITE",
    "replace": "OVERWRITE",
    "truncate": "TRUNCATE",
}


def bare_dataset(dataset: str, names: RunNames) -> Json:
    """Return a dataset with its names alone."""
    return {**names.reference(dataset), "facets": _identity(dataset, names)}


def _identity(dataset: str, names: RunNames) -> Json:
    """Return the facets of a dataset's identity: its source, its name in its catalog, its table format."""
    namespace = names.reference(dataset)["namespace"]
    own = {"dataSource": facet("dataSource", name=namespace, uri=namespace)}
    if symlinks := names.symlinks(dataset):
        own["symlinks"] = facet("symlinks", identifiers=symlinks)
    return {**own, **_storage(names.format(dataset))}


def inputs(edges: TargetEdges, names: RunNames, declared: DeclaredFacets) -> list[Json]:
    """Return the inputs; the schema of one that an edge names has all columns that edges name."""
    named = edges.source_columns(names)
    read = dict.fromkeys([*names.run.reads, *named])
    return [_input(dataset, list(named.get(dataset, ())), names, declared) for dataset in read]


def _input(dataset: str, named: list[str], names: RunNames, declared: DeclaredFacets) -> Json:
    moved = names.run.moved.get((dataset, "read"), Moved())
    schema = declared.describe(
        dataset, schema_facet(names.columns(dataset), names.typed(dataset, named)) if named else None
    )
    facets = {**_identity(dataset, names), **filled(schema=schema), **_version(moved.snapshot)}
    facets |= declared.of_dataset(dataset)
    return {**names.reference(dataset), **filled(facets=facets, inputFacets=_statistics("inputStatistics", moved))}


def output(edges: TargetEdges, names: RunNames, declared: DeclaredFacets) -> Json:
    """Return the output of a run that succeeded; its schema has all columns that the run wrote."""
    run = names.run
    moved = run.moved.get((run.target, "write"), Moved())
    written = [names.column(run.target, edge.target_column) for edge in run.edges if edge.target_column]
    facets = {
        **_identity(run.target, names),
        **_version(moved.snapshot),
        **filled(
            schema=declared.describe(
                run.target, schema_facet(names.columns(run.target), names.typed(run.target, dict.fromkeys(written)))
            ),
            columnLineage=column_lineage_facet(edges, names),
        ),
        **declared.of_dataset(run.target),
    }
    if run.renamed_from is not None:
        before = names.reference(run.renamed_from)
        change = facet("lifecycleStateChange", lifecycleStateChange="RENAME", previousIdentifier=before)
        facets["lifecycleStateChange"] = change
    elif kind := _LIFECYCLE.get(run.mode):
        facets["lifecycleStateChange"] = facet("lifecycleStateChange", lifecycleStateChange=kind)
    return {**names.reference(run.target), **filled(facets=facets, outputFacets=_statistics("outputStatistics", moved))}


def _statistics(key: str, moved: Moved) -> Json:
    counts = filled(rowCount=moved.rows, size=moved.bytes, fileCount=moved.files)
    return {key: facet(key, **counts)} if counts else {}


def _storage(file_format: str) -> Json:
    layer = next((each for each in formats() if each.name == file_format), None)
    if layer is None:
        return {}
    return {"storage": facet("storage", storageLayer=file_format, fileFormat=layer.storage.data_files or None)}


def _version(snapshot: str | None) -> Json:
    """Return the version facet; of several snapshots that were read none is the dataset's version."""
    return {"version": facet("version", datasetVersion=snapshot)} if snapshot and "," not in snapshot else {}
