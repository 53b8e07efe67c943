"""Hive's lineage, as `org.apache.hadoop.hive.ql.hooks.LineageLogger` (format 1.0) logs it: one object for a statement.

Vertices are columns, and tables where a value comes from no column of one (`count(*)`). An edge goes from its sources
to its targets: PROJECTION makes values, PREDICATE decides on rows. A vertex also has the system of its dataset, which
Hive's have not: `postgres`, `mongodb`, `delta`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timezone
from hashlib import md5
from itertools import groupby
from typing import Any

from eventlog_lineage.datasets.naming import SESSION_CATALOG
from eventlog_lineage.export.runs import Edge, Run, Selection, read_runs
from eventlog_lineage.history.job_names import sql_text
from eventlog_lineage.store.queries.open_store import OpenStore

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
    """Add an edge for each column; what chooses its value (CASE, windows) is among its sources, as in Hive.

    Args:
        lineage: The lineage in Hive's format; updated.
    """
    columns: dict[str, list[Edge]] = {}
    for edge in run.edges:
        if edge.target_column is not None:
            columns.setdefault(edge.target_column, []).append(edge)
    for column, edges in columns.items():
        named = [(edge.source_dataset, edge.source_column) for edge in edges]
        sources = [lineage.column(dataset, source) for dataset, source in named if source is not None]
        expression = next((edge.expression for edge in edges if edge.expression), "")
        if not sources and _COUNTS_ROWS.search(expression):
            sources = list(map(lineage.table, run.reads))
        plain = bool(sources) and all(edge.transformation == "IDENTITY" for edge in edges)
        lineage.add("PROJECTION", "" if plain else expression, sources, [lineage.column(run.target, column)])


def _add_predicates(lineage: _Lineage, run: Run, kinds: frozenset[str]) -> None:
    """Add an edge for each condition, to all columns of the target.

    Args:
        lineage: The lineage in Hive's format; updated.
        kinds: The kinds of conditions.
    """
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
