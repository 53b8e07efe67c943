"""The two schemas of `lineage.duckdb`: `main` has what people query, `internal` what the program needs for that."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from .ddl import quoted, text_literal
from .declaration import Table
from .internal_tables import INTERNAL_TABLES
from .tables import PUBLIC_TABLES

INTERNAL = "internal"
"""The schema of relations that are subject to change with every version."""

VIEWS = (
    "jobs",
    "runs",
    "tables",
    "columns",
    "consumers",
    "job_costs",
    "dataset_costs",
    "column_costs",
    "unread_costs",
    "execution_column_lineage",
    "column_lineage_spread",
    "system_access_table_lineage",
    "system_access_column_lineage",
    "field_lineage",
    "source_job_lineage",
    "sink_job_lineage",
    "source_snapshot_lineage",
    "sink_snapshot_lineage",
)
"""The other views of `main`: none of them is a Parquet table."""

MACROS = ("resolve", "upstream", "downstream", "impact", "lineage_at", "upstream_at", "downstream_at")
"""The macros of `main`."""

OLD_NAMES = (
    "batch_sources",
    "dataset_names",
    "dropped_applications",
    "io_metrics",
    "lineage_edges",
    "lineage_gaps",
    "lineage_io",
    "lineage_schemas",
    "lineages",
    "log_gaps",
    "named_edges",
    "named_io",
    "past_runs",
    "places",
    "run_snapshots",
    "schema_digests",
    "schema_observations",
    "snapshot_lineage",
    "store_facts",
    "trace_columns",
    "trace_datasets",
    "trace_edges",
    "trace_names",
    "trace_pairs",
    "unity_names",
    "unity_runs",
)
"""Relations of `internal` that were in `main` before 0.2.0; they stay there as views until 0.3.0."""

OLD_VIEWS = ("ended_things", "seen_datasets")
"""Views of 0.1.0 that have another name or other columns now (store/sql/views/old_names.sql); they stay until 0.3.0."""

OLD_MACROS = ("find_names", "find_name", "reach_up", "reach_down", "reach_datasets", "dataset_trace")
"""Macros that were in `main` before 0.2.0 (store/sql/views/old_names.sql); they stay until 0.3.0."""

_PUBLIC = frozenset((*(table.name for table in PUBLIC_TABLES), *VIEWS, *MACROS))
_INTERNAL_TABLES = frozenset(table.name for table in INTERNAL_TABLES)
_CREATED = re.compile(r"^CREATE OR REPLACE (VIEW|MACRO) (\w+)(?![\w.])", re.MULTILINE)

_WITH = re.compile(r"(?:\bWITH|\bRECURSIVE|,)\s+(\w+)(?:\([^()]*\))? AS (?:MATERIALIZED )?\(")


def stored_name(table: Table) -> str:
    """Return the name of a stored table or its view with its schema, as SQL."""
    schema = INTERNAL if table.name in _INTERNAL_TABLES else "main"
    return f"{schema}.{quoted(table.name)}"


def qualified(statements: Iterable[str]) -> list[str]:
    """Return the statements that create views and macros, with the schemas that a shell needs.

    The SQL files name relations without a schema: the program's own connections find those of both schemas. A shell
    looks in `main` only; a macro looks for names where its caller does, a view where it is itself (DuckDB 1.2 to 2.0).

    Args:
        statements: All of the statements: what they create and is not public is internal.
    """
    texts = list(statements)
    created = {(kind, name) for text in texts for kind, name in _CREATED.findall(text) if name not in _PUBLIC}
    views = {name for kind, name in created if kind == "VIEW"}
    macros = _any(name for kind, name in created if kind == "MACRO")
    macro = re.compile(rf"(?<![\w.])(MACRO TABLE |)({macros})\b(?=\(| IS\b)")
    found = []
    for text in texts:
        (kind, name), *_ = _CREATED.findall(text) or [("", "")]
        result = _with_schema(text, INTERNAL, _INTERNAL_TABLES | views)
        if kind == "VIEW" and name in views:
            result = _with_schema(result, "main", _PUBLIC)
        result = macro.sub(rf"\1{INTERNAL}.\2", result)
        found.append(_CREATED.sub(r"CREATE OR REPLACE \1 main.\2", result))
    return found


def _with_schema(text: str, schema: str, names: Collection[str]) -> str:
    """Return a statement with a schema before some names of relations, unless they are names of its own queries.

    Args:
        text: The SQL statement.
        schema: The schema to write before the names.
        names: The names of relations in that schema.
    """
    relations = _any(set(names) - set(_WITH.findall(text)))
    return re.sub(rf"\b(FROM|JOIN|VIEW)(\s+)({relations})\b(?!\()", rf"\1\2{schema}.\3", text)


def old_views() -> Iterable[str]:
    """Yield the statements that create the views by old names."""
    for name in OLD_NAMES:
        yield f"CREATE OR REPLACE VIEW main.{quoted(name)} AS FROM {INTERNAL}.{quoted(name)}"
        comment = f"Deprecated: this is {INTERNAL}.{name} since 0.2.0; the old name goes with 0.3.0."
        yield f"COMMENT ON VIEW main.{quoted(name)} IS {text_literal(comment)}"


def is_public(name: str) -> bool:
    """Return whether a relation or macro belongs to `main`."""
    return name in _PUBLIC


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))
