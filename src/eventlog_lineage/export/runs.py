"""The statements of a store that write, with their edges and reads, one per target."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from hashlib import md5
from itertools import groupby
from typing import Any

from eventlog_lineage.datasets.naming import SESSION_CATALOG
from eventlog_lineage.history.job_names import sql_text
from eventlog_lineage.store.queries.open_store import OpenStore


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
        lineage_fingerprint: Names its edges.
        has_more_targets: Its statement writes other datasets too, which are runs of their own.
        renamed_from: The target's name before the statement renamed it; None for other statements.
        edges: The edges to the target.
        joins: The columns that it joins, those of its other targets included.
        reads: The datasets that the target is made of, in order of their names.
        moved: (dataset, direction) to what was moved.
    """

    number: int
    app_id: str
    attempt_id: str
    execution_id: int
    job_name: str
    description: str
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

_RUNS = """
    CREATE OR REPLACE TEMP TABLE export_runs AS
    WITH writes AS (
        SELECT lineage_fingerprint, dataset AS target, mode,
               count(*) OVER (PARTITION BY lineage_fingerprint) AS targets
        FROM named_io JOIN datasets USING (dataset)
        WHERE direction = 'write' AND kind <> 'temp_view'  -- a session's own: no other system knows it
    ),
    stored AS (
        SELECT e.app_id, e.attempt_id, e.execution_id, e.job_name, e.description, e.status, e.error,
               coalesce(e.started_at, a.started_at) AS started_at, e.ended_at, e.stream_query_id IS NOT NULL AS streams,
               e.lineage_fingerprint, a.app_name, coalesce(e.user_name, a.user_name) AS user_name, a.spark_version,
               a.started_at AS app_started_at,
               a.ended_at AS app_ended_at, coalesce(a.complete, false) AS app_complete, coalesce(a.agents, '') AS agents
        FROM executions e LEFT JOIN applications a USING (app_id, attempt_id)
        WHERE e.execution_id = e.root_execution_id AND e.lineage_fingerprint IS NOT NULL
    ),
    dropped AS (  -- runs whose rows `--keep` dropped; what is kept of them is the first of a row of equal ones
        SELECT p.app_id, p.attempt_id, p.execution_id, p.job_name, '' AS description,
               CASE WHEN p.succeeded THEN 'succeeded' ELSE 'failed' END AS status, NULL AS error,
               p.first_seen AS started_at, p.ended_at, false AS streams, p.lineage_fingerprint,
               NULL AS app_name, NULL AS user_name, p.spark_version, NULL AS app_started_at,
               NULL AS app_ended_at, true AS app_complete, '' AS agents
        FROM past_runs p ANTI JOIN stored s USING (app_id, attempt_id, execution_id)
    ),
    renames AS (  -- a renamed table is the statement's target by its old name
        SELECT app_id, attempt_id, execution_id, old_value, any_value(new_value) AS new_value
        FROM schema_changes WHERE change = 'table_renamed'
        GROUP BY ALL
    ),
    chosen AS (
        SELECT r.*, coalesce(n.new_value, w.target) AS target, w.mode, w.targets > 1 AS has_more_targets,
               CASE WHEN n.new_value IS NOT NULL THEN w.target END AS renamed_from
        FROM (FROM stored UNION ALL BY NAME FROM dropped) r
        JOIN writes w USING (lineage_fingerprint)
        LEFT JOIN renames n
          ON n.app_id = r.app_id AND n.attempt_id = r.attempt_id AND n.execution_id = r.execution_id
         AND n.old_value = w.target
        WHERE r.started_at IS NOT NULL AND {condition}
        {qualification}
    )
    SELECT row_number() OVER (
               ORDER BY coalesce(app_started_at, started_at), app_id, attempt_id, started_at, execution_id, target
           ) AS number, *
    FROM chosen c
    -- a table that is dropped and made again is there: a consumer that reads both events in any order must show it
    WHERE c.mode <> 'drop' OR NOT EXISTS (
        FROM chosen l
        WHERE l.target = c.target AND l.mode <> 'drop' AND l.status = 'succeeded' AND l.started_at >= c.started_at
    )
"""

_LAST = """QUALIFY row_number() OVER (
    PARTITION BY r.job_name, w.target ORDER BY r.started_at DESC, r.app_id, r.attempt_id, r.execution_id DESC
) = 1"""

_MOVED = """
    CREATE OR REPLACE TEMP TABLE export_moved AS
    SELECT r.number, i.dataset, i.direction, i."rows", i."bytes", i.files, i.snapshot_id
    FROM dataset_io i
    JOIN export_runs r USING (app_id, attempt_id, execution_id)
    WHERE (i.direction = 'write') = (i.dataset = r.target) OR i.direction = 'read'
    ORDER BY r.number
"""

_NAMES = """number app_id attempt_id execution_id job_name description status error started_at ended_at streams
    lineage_fingerprint app_name user_name spark_version app_started_at app_ended_at app_complete target mode
    has_more_targets renamed_from""".split()


def read_runs(store: OpenStore, selection: Selection) -> Iterator[Run]:
    """Read the selected runs, by application and in the order in which they started.

    Args:
        selection: Which runs.
    """
    _select(store, selection)
    first = 1
    while rows := _chunk(store, first):
        yield from _with_lineage(store, rows)
        first += _CHUNK


def count_without_time(store: OpenStore) -> int:
    """Count the statements that exports omit, because no log has their time."""
    (row,) = store.ask("""
        SELECT count(*) FROM executions e LEFT JOIN applications a USING (app_id, attempt_id)
        SEMI JOIN (FROM named_io WHERE direction = 'write') w USING (lineage_fingerprint)
        WHERE e.execution_id = e.root_execution_id AND coalesce(e.started_at, a.started_at) IS NULL
    """).rows
    return int(str(row[0]))


def _select(store: OpenStore, selection: Selection) -> None:
    condition, qualification = "r.status = 'succeeded'", _LAST
    if selection.since is not None:
        condition, qualification = f"r.started_at >= TIMESTAMP '{selection.since.isoformat(sep=' ')}'", ""
    elif selection.all_runs:
        condition, qualification = "true", ""
    conditions = " AND ".join((condition, *_filters(selection)))
    store.connection.execute(_RUNS.format(condition=conditions, qualification=qualification))
    store.connection.execute(_MOVED)


def _filters(selection: Selection) -> Iterator[str]:
    """Yield the conditions of a selection's globs, and the one that leaves out what an agent reported."""
    if selection.without_agent:
        yield f"NOT contains(r.agents, '{AGENT}')"
    if selection.jobs:
        yield _matches("r.job_name", selection.jobs)
    if selection.excluded_jobs:
        yield f"NOT {_matches('r.job_name', selection.excluded_jobs)}"
    if selection.applications:
        names, ids = (
            _matches("coalesce(r.app_name, '')", selection.applications),
            _matches("r.app_id", selection.applications),
        )
        yield f"({names} OR {ids})"


def _matches(name: str, globs: Sequence[str]) -> str:
    literals = ("'" + glob.replace("'", "''") + "'" for glob in globs)
    return "(" + " OR ".join(f"{name} GLOB {literal}" for literal in literals) + ")"


def count_with_agent(store: OpenStore) -> int:
    """Count the applications whose driver has OpenLineage's agent."""
    (row,) = store.ask("SELECT count(*) FROM applications WHERE contains(agents, ?)", [AGENT]).rows
    return int(str(row[0]))


def _chunk(store: OpenStore, first: int) -> list[tuple[Any, ...]]:
    query = f"SELECT {', '.join(_NAMES)} FROM export_runs WHERE number >= ? AND number < ? ORDER BY number"
    return store.ask(query, [first, first + _CHUNK]).rows


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
            **run,
            edges=known,
            joins=tuple(joins.get(fingerprint, ())),
            reads=read,
            moved=moved.get(run["number"], {}),
        )


def _edges(store: OpenStore, fingerprints: Sequence[str]) -> dict[tuple[str, str], list[Edge]]:
    """Return the edges by (fingerprint, target), in the order of the statement."""
    found: dict[tuple[str, str], list[Edge]] = {}
    answer = store.ask(
        """
        SELECT lineage_fingerprint, target_dataset, source_dataset, source_column, target_column, target_ordinal,
               dependency, transformation, masking, coalesce(expression, '')
        FROM named_edges
        WHERE lineage_fingerprint IN (SELECT unnest(?)) AND target_dataset IS NOT NULL
        ORDER BY lineage_fingerprint, "position"
        """,
        [list(fingerprints)],
    )
    for fingerprint, target, *values in answer.rows:
        found.setdefault((str(fingerprint), str(target)), []).append(Edge(*values))  # type: ignore[arg-type]
    return found


def _joins(store: OpenStore, fingerprints: Sequence[str]) -> dict[str, list[Join]]:
    found: dict[str, list[Join]] = {}
    query = """
        SELECT lineage_fingerprint, left_dataset, left_column, right_dataset, right_column, expression FROM named_joins
        WHERE lineage_fingerprint IN (SELECT unnest(?))
        ORDER BY ALL
    """
    for row in store.ask(query, [list(fingerprints)]).rows:
        fingerprint, *columns, expression = map(str, row)
        left, right = (columns[0], columns[1]), (columns[2], columns[3])
        found.setdefault(fingerprint, []).append(Join(left, right, expression))
    return found


def _reads(store: OpenStore, fingerprints: Sequence[str]) -> dict[str, list[str]]:
    """Return the datasets read by fingerprint, without views that are read through, as in the agent's events."""
    found: dict[str, list[str]] = {}
    answer = store.ask(
        """
        SELECT lineage_fingerprint, dataset FROM named_io
        WHERE lineage_fingerprint IN (SELECT unnest(?)) AND direction = 'read' AND mode <> 'view'
        ORDER BY ALL
        """,
        [list(fingerprints)],
    )
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

PREDICATES = {
    "all": frozenset({"FILTER", "JOIN", "GROUP_BY", "SORT"}),
    "hive": frozenset({"FILTER", "JOIN"}),
}
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
            expression: The text that makes the targets, or the condition.
            sources: The vertices that are read.
            targets: The vertices that are written.
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
    runs, systems = read_runs(store, selection), _systems(store)
    for _, targets in groupby(runs, key=lambda run: (*run.app_key, run.execution_id)):
        found = _statement(list(targets), PREDICATES[predicates], systems)
        if found["edges"]:  # Hive logs queries; definitions have no columns' lineage
            yield found


def _statement(runs: list[Run], kinds: frozenset[str], systems: Mapping[str, str]) -> Json:
    first, query = runs[0], sql_text(runs[0].description)
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
    columns: dict[str, list[Edge]] = {}
    for edge in run.edges:
        if edge.target_column is not None:
            columns.setdefault(edge.target_column, []).append(edge)
    for column, edges in columns.items():
        named = [edge for edge in edges if edge.source_column is not None]
        sources = [lineage.column(edge.source_dataset, str(edge.source_column)) for edge in named]
        expression = next(filter(None, (edge.expression for edge in edges)), "")
        if not sources and _COUNTS_ROWS.search(expression):
            sources = list(map(lineage.table, run.reads))
        plain = sources and {edge.transformation for edge in edges} == {"IDENTITY"}
        lineage.add("PROJECTION", "" if plain else expression, sources, [lineage.column(run.target, column)])


def _add_predicates(lineage: _Lineage, run: Run, kinds: frozenset[str]) -> None:
    """Add an edge for each condition, to all columns of the target."""
    columns = dict.fromkeys(edge.target_column for edge in run.edges if edge.target_column is not None)
    targets = [lineage.column(run.target, column) for column in columns]
    conditions: dict[str, list[str]] = {}
    joined = set()
    for edge in run.edges:
        if edge.target_column is None and edge.source_column is not None and edge.transformation in kinds:
            source = lineage.column(edge.source_dataset, edge.source_column)
            conditions.setdefault(edge.expression, []).append(source)
            if edge.transformation == "JOIN":
                joined.add((edge.source_dataset, edge.source_column))
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


def _systems(store: OpenStore) -> dict[str, str]:
    """Return dataset to system, of the datasets whose system is known."""
    rows = store.ask('SELECT dataset, "system" FROM datasets WHERE "system" <> \'\'').rows
    return {str(dataset): str(system) for dataset, system in rows}


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
