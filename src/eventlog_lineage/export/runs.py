"""The statements of a store that write, with their edges and reads, one per target."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime, timezone
from hashlib import md5
from itertools import groupby
from typing import Any

from eventlog_lineage.datasets.naming import SESSION_CATALOG
from eventlog_lineage.store.queries.open_store import OpenStore
from eventlog_lineage.store.schema.relations import sql_text


@dataclass(frozen=True, slots=True)
class Selection:
    """Which runs are exported.

    Attributes:
        since: Every run that started since then, UTC without a zone; None for no such limit.
        all_runs: Every run. With neither, the last succeeded run of each job and target.
        without_agent: Leave out applications whose driver has OpenLineage's agent, which reports them itself.
        jobs: Globs, of which a job's name matches one; empty for every job.
        excluded_jobs: Globs of which a job's name matches none.
        applications: Globs, of which an application's name or id matches one; empty for every application.
    """

    since: datetime | None = None
    all_runs: bool = False
    without_agent: bool = False
    jobs: tuple[str, ...] = ()
    excluded_jobs: tuple[str, ...] = ()
    applications: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of a run, as the store has it; `target_column` is None for an influence on the whole target."""

    source_dataset: str | None
    source_column: str | None
    target_column: str | None
    target_ordinal: int | None
    dependency: str | None
    transformation: str | None
    masking: bool
    expression: str


@dataclass(frozen=True, slots=True)
class Join:
    """Two columns that a run joins, each as (dataset, column), and the condition."""

    left: tuple[str, str]
    right: tuple[str, str]
    expression: str


@dataclass(frozen=True, slots=True)
class Moved:
    """What a run moved from or to a dataset: None if the log has no metric."""

    rows: int | None = None
    bytes: int | None = None
    files: int | None = None
    snapshot: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A statement that writes a target, once. Times are UTC without a zone.

    Attributes:
        number: Its index among the exported runs, from 1.
        has_more_targets: Its statement writes other datasets too, which are runs of their own.
        renamed_from: The target's name before the statement renamed it; None for other statements.
        joins: The columns that it joins, those of its other targets included.
        reads: The datasets that the target is made of, in order of their names.
        moved: (dataset, direction) to what was moved.
    """

    number: int
    app_id: str
    attempt_id: str
    execution_id: int
    job_name: str
    sql_text: str
    status: str
    error: str | None
    started_at: datetime
    ended_at: datetime | None
    streams: bool
    lineage_fingerprint: str
    app_name: str | None
    user_name: str | None
    spark_version: str | None
    app_started_at: datetime | None
    app_ended_at: datetime | None
    app_complete: bool
    target: str
    mode: str
    has_more_targets: bool
    renamed_from: str | None
    edges: tuple[Edge, ...]
    joins: tuple[Join, ...]
    reads: tuple[str, ...]
    moved: dict[tuple[str, str], Moved]

    @property
    def app_key(self) -> tuple[str, str]:
        """The application attempt."""
        return self.app_id, self.attempt_id


AGENT = "openlineage"
"""The agent whose events a consumer of OpenLineage has already (`applications.agents`)."""

_CHUNK = 500
"""Runs whose edges are in memory at a time."""

_LAST = """QUALIFY row_number() OVER (
    PARTITION BY r.job_name, w.target ORDER BY r.started_at DESC, r.app_id, r.attempt_id, r.execution_id DESC
) = 1"""

_NAMES = [each.name for each in fields(Run) if each.name not in ("edges", "joins", "reads", "moved")]
"""The attributes of `Run` that are columns of `export_runs`."""


def read_runs(store: OpenStore, selection: Selection) -> Iterator[Run]:
    """Read the selected runs, by application and in the order in which they started."""
    _select(store, selection)
    query = f"SELECT {', '.join(_NAMES)} FROM export_runs WHERE number >= ? AND number < ? ORDER BY number"
    first = 1
    while rows := store.ask(query, [first, first + _CHUNK]).rows:
        yield from _with_lineage(store, rows)
        first += _CHUNK


def count_without_time(store: OpenStore) -> int:
    """Count the statements that exports omit, because no log has their time."""
    (row,) = store.ask(sql_text("queries/statements_without_time")).rows
    return int(str(row[0]))


def _select(store: OpenStore, selection: Selection) -> None:
    condition, qualification = "r.status = 'succeeded'", _LAST
    if selection.since is not None:
        condition, qualification = f"r.started_at >= TIMESTAMP '{selection.since.isoformat(sep=' ')}'", ""
    elif selection.all_runs:
        condition, qualification = "true", ""
    conditions = " AND ".join((condition, *_filters(selection)))
    store.connection.execute(sql_text("queries/export_runs", condition=conditions, qualification=qualification))
    store.connection.execute(sql_text("queries/export_moved"))


def _filters(selection: Selection) -> Iterator[str]:
    """Yield the conditions of a selection's globs, and the one that leaves out what an agent reported."""
    if selection.without_agent:
        yield f"NOT contains(r.agents, '{AGENT}')"
    if selection.jobs:
        yield _matches("r.job_name", selection.jobs)
    if selection.excluded_jobs:
        yield f"NOT {_matches('r.job_name', selection.excluded_jobs)}"
    if selection.applications:
        either = ("coalesce(r.app_name, '')", "r.app_id")
        yield f"({' OR '.join(_matches(each, selection.applications) for each in either)})"


def _matches(name: str, globs: Sequence[str]) -> str:
    literals = ("'" + glob.replace("'", "''") + "'" for glob in globs)
    return "(" + " OR ".join(f"{name} GLOB {literal}" for literal in literals) + ")"


def count_with_agent(store: OpenStore) -> int:
    """Count the applications whose driver has OpenLineage's agent."""
    (row,) = store.ask("SELECT count(*) FROM applications WHERE contains(agents, ?)", [AGENT]).rows
    return int(str(row[0]))


def _with_lineage(store: OpenStore, rows: Sequence[tuple[Any, ...]]) -> Iterator[Run]:
    runs = [dict(zip(_NAMES, row, strict=True)) for row in rows]
    fingerprints = sorted({str(run["lineage_fingerprint"]) for run in runs})
    edges = _edges(store, fingerprints)
    joins = _joins(store, fingerprints)
    reads = _reads(store, fingerprints)
    moved = _moved(store, rows[0][0], rows[-1][0])
    for run in runs:
        fingerprint = run["lineage_fingerprint"]
        known = tuple(edges.get((fingerprint, run["target"]), ()))
        sources = {edge.source_dataset for edge in known}
        read = tuple(name for name in reads.get(fingerprint, ()) if not run["has_more_targets"] or name in sources)
        yield Run(
            **run, edges=known, joins=tuple(joins.get(fingerprint, ())), reads=read, moved=moved.get(run["number"], {})
        )


def _edges(store: OpenStore, fingerprints: Sequence[str]) -> dict[tuple[str, str], list[Edge]]:
    """Return the edges by (fingerprint, target), in the order of the statement."""
    found: dict[tuple[str, str], list[Edge]] = {}
    answer = store.ask(sql_text("queries/edges_of_lineages"), [list(fingerprints)])
    for fingerprint, target, *values in answer.rows:
        found.setdefault((str(fingerprint), str(target)), []).append(Edge(*values))  # type: ignore[arg-type]
    return found


def _joins(store: OpenStore, fingerprints: Sequence[str]) -> dict[str, list[Join]]:
    found: dict[str, list[Join]] = {}
    for row in store.ask(sql_text("queries/joins_of_lineages"), [list(fingerprints)]).rows:
        fingerprint, *columns, expression = map(str, row)
        left, right = (columns[0], columns[1]), (columns[2], columns[3])
        found.setdefault(fingerprint, []).append(Join(left, right, expression))
    return found


def _reads(store: OpenStore, fingerprints: Sequence[str]) -> dict[str, list[str]]:
    """Return the datasets read by fingerprint, without views that are read through, as in the agent's events."""
    found: dict[str, list[str]] = {}
    answer = store.ask(sql_text("queries/reads_of_lineages"), [list(fingerprints)])
    for fingerprint, dataset in answer.rows:
        found.setdefault(str(fingerprint), []).append(str(dataset))
    return found


def _moved(store: OpenStore, first: int, last: int) -> dict[int, dict[tuple[str, str], Moved]]:
    found: dict[int, dict[tuple[str, str], Moved]] = {}
    query = 'SELECT number, dataset, direction, "rows", "bytes", files, snapshot_id FROM export_moved'
    for number, dataset, direction, *values in store.ask(f"{query} WHERE number BETWEEN ? AND ?", [first, last]).rows:
        found.setdefault(int(str(number)), {})[str(dataset), str(direction)] = Moved(*values)  # type: ignore[arg-type]
    return found


Json = dict[str, Any]

PREDICATES = {"all": frozenset({"FILTER", "JOIN", "GROUP_BY", "SORT"}), "hive": frozenset({"FILTER", "JOIN"})}
"""Which influences on all columns are PREDICATE edges: Hive's own are filters and joins."""

_COUNTS_ROWS = re.compile(r"\bcount\((?:1|\*)\)")


@dataclass(frozen=True, slots=True)
class _Edge:
    """An edge between vertices, by their ids."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    expression: str
    kind: str


@dataclass(slots=True)
class _Lineage:
    """The edges of a statement, which of its vertices are tables, and the dataset of each vertex."""

    edges: list[_Edge] = field(default_factory=list)
    tables: set[str] = field(default_factory=set)
    datasets: dict[str, str] = field(default_factory=dict)

    def table(self, dataset: str) -> str:
        """Return the vertex of a table."""
        name = _name(dataset)
        self.tables.add(name)
        self.datasets[name] = dataset
        return name

    def column(self, dataset: str | None, column: str) -> str:
        """Return the vertex of a column."""
        name = f"{_name(dataset or '')}.{column}"
        self.datasets[name] = dataset or ""
        return name

    def add(self, kind: str, expression: str, sources: Iterable[str], targets: Iterable[str]) -> None:
        """Add an edge; one of the same kind, expression and sources gets the targets too (`LineageLogger.addEdge`).

        Args:
            kind: Hive's edge type: `PROJECTION` or `PREDICATE`.
        """
        known = tuple(dict.fromkeys(sources))
        for place, edge in enumerate(self.edges):
            if (edge.kind, edge.expression, set(edge.sources)) == (kind, expression, set(known)):
                united = tuple(dict.fromkeys([*edge.targets, *targets]))
                self.edges[place] = _Edge(edge.sources, united, expression, kind)
                return
        self.edges.append(_Edge(known, tuple(dict.fromkeys(targets)), expression, kind))


def hive_lineage(store: OpenStore, selection: Selection, predicates: str = "all") -> Iterator[Json]:
    """Return the lineage of the selected statements; keys are in Hive's order.

    Args:
        selection: Which runs. The targets of a multi-insert are one statement's.
        predicates: A key of `PREDICATES`.
    """
    known = store.ask('SELECT dataset, "system" FROM datasets WHERE "system" <> \'\'').rows
    systems = {str(dataset): str(system) for dataset, system in known}
    runs = read_runs(store, selection)
    for _, targets in groupby(runs, key=lambda run: (*run.app_key, run.execution_id)):
        found = _statement(list(targets), PREDICATES[predicates], systems)
        if found["edges"]:  # Hive logs queries; definitions have no columns' lineage
            yield found


def _statement(runs: list[Run], kinds: frozenset[str], systems: Mapping[str, str]) -> Json:
    first, query = runs[0], runs[0].sql_text
    lineage = _Lineage()
    for run in runs:
        _add_projections(lineage, run)
    for run in runs:
        _add_predicates(lineage, run, kinds)
    edges, vertices = _numbered(lineage, systems)
    known: Json = {
        "version": "1.0",
        "user": first.user_name or "",
        "timestamp": int(first.started_at.replace(tzinfo=timezone.utc).timestamp()),
    }
    if first.ended_at is not None:
        known["duration"] = round((first.ended_at - first.started_at).total_seconds() * 1000)
    known |= {"jobIds": [], "engine": "spark", "database": _database(first.target)}
    known |= {"hash": md5(query.encode(), usedforsecurity=False).hexdigest(), "queryText": query}
    return {**known, "edges": edges, "vertices": vertices}


def _add_projections(lineage: _Lineage, run: Run) -> None:
    """Add an edge for each column; what chooses its value (CASE, windows) is among its sources, as in Hive."""
    for column, edges in _by_target(run.edges).items():
        sources = [
            lineage.column(edge.source_dataset, name) for edge in edges if (name := edge.source_column) is not None
        ]
        expression = next(filter(None, (edge.expression for edge in edges)), "")
        if not sources and _COUNTS_ROWS.search(expression):
            sources = list(map(lineage.table, run.reads))
        plain = sources and all(edge.transformation == "IDENTITY" for edge in edges)
        lineage.add("PROJECTION", "" if plain else expression, sources, [lineage.column(run.target, column)])


def _by_target(edges: Iterable[Edge]) -> dict[str, list[Edge]]:
    columns: dict[str, list[Edge]] = {}
    for edge in edges:
        if edge.target_column is not None:
            columns.setdefault(edge.target_column, []).append(edge)
    return columns


def _influences(run: Run, kinds: frozenset[str]) -> Iterator[tuple[Edge, tuple[str | None, str]]]:
    """Yield the edges that influence all columns of the target, each with its source."""
    for edge in run.edges:
        if edge.target_column is None and edge.source_column is not None and edge.transformation in kinds:
            yield edge, (edge.source_dataset, edge.source_column)


def _add_predicates(lineage: _Lineage, run: Run, kinds: frozenset[str]) -> None:
    """Add an edge for each condition, to all columns of the target."""
    targets = [lineage.column(run.target, column) for column in _by_target(run.edges)]
    conditions: dict[str, list[str]] = {}
    influences = list(_influences(run, kinds))
    for edge, column in influences:
        conditions.setdefault(edge.expression, []).append(lineage.column(*column))
    joined = {column for edge, column in influences if edge.transformation == "JOIN"}
    for join in run.joins:  # a column has one edge, and may be in several joins
        if joined.issuperset((join.left, join.right)):
            sides = [lineage.column(*column) for column in (join.left, join.right)]
            conditions.setdefault(join.expression, []).extend(sides)
    for expression, sources in conditions.items():
        lineage.add("PREDICATE", expression, sources, targets)


def _numbered(lineage: _Lineage, systems: Mapping[str, str]) -> tuple[list[Json], list[Json]]:
    """Return edges and vertices by numbers: all targets in order of appearance, then sources."""
    names = dict.fromkeys(target for edge in lineage.edges for target in edge.targets)
    names |= dict.fromkeys(source for edge in lineage.edges for source in edge.sources)
    numbers = {name: number for number, name in enumerate(names)}
    edges = [_edge(edge, numbers) for edge in lineage.edges]
    vertices = [
        {"id": number, "vertexType": "TABLE" if name in lineage.tables else "COLUMN", "vertexId": name}
        | ({"system": system} if (system := systems.get(lineage.datasets[name])) else {})
        for name, number in numbers.items()
    ]
    return edges, vertices


def _edge(edge: _Edge, numbers: Mapping[str, int]) -> Json:
    ends = {"sources": [numbers[name] for name in edge.sources], "targets": [numbers[name] for name in edge.targets]}
    expression = {"expression": edge.expression} if edge.expression else {}
    return {**ends, **expression, "edgeType": edge.kind}


def _name(dataset: str) -> str:
    """Return a dataset as Hive names tables, `database.table`; other catalogs and paths keep their names."""
    return dataset.removeprefix(f"{SESSION_CATALOG}.")


def _database(dataset: str) -> str:
    """Return the database of a table; `default` for what is in none."""
    table = _name(dataset)
    return table.rpartition(".")[0] if "/" not in table and "." in table else "default"
