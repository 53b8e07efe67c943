"""The SQL of the store: the files of `store/sql`, DDL and Arrow schemas of tables, views over the runs, facts."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .declaration import FLAG, LONG, NUMBER, OUTPUTS, SHOWN, TEXT, TEXTS, TIME, Table
from .internal_tables import INTERNAL_TABLES, RUN_TABLES, STORED_TABLES
from .tables import EDGE_COLUMNS, EDGE_KEY, PUBLIC_TABLES

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


def create_table(table: Table, name: str | None = None, *, replace: bool = False) -> str:
    """Return the statement that makes a table in DuckDB."""
    columns = ", ".join(f"{quoted(column.name)} {column.type} DEFAULT {column.older}" for column in table.columns)
    return f"CREATE {'OR REPLACE ' if replace else ''}TABLE {name or quoted(table.name)} ({columns})"


def comment_on(table: Table, name: str | None = None, *, view: bool = False) -> str:
    """Return the statements that set the comments of a table and its columns (`duckdb_tables()`, `SHOW`)."""
    kind, name = "VIEW" if view else "TABLE", name or quoted(table.name)
    lines = [f"COMMENT ON {kind} {name} IS {text_literal(f'One row is {table.meaning}.')}"]
    lines += [
        f"COMMENT ON COLUMN {name}.{quoted(column.name)} IS {text_literal(column.sentence)}" for column in table.columns
    ]
    return "; ".join(lines)


def quoted(name: str) -> str:
    """Return a name as a quoted SQL identifier: `rows` is a keyword."""
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """Return a text as an SQL literal, where DuckDB accepts no parameter."""
    return "'" + text.replace("'", "''") + "'"


def column_list(names: Iterable[str], prefix: str = "") -> str:
    """Return names as a list in SQL."""
    return ", ".join(f"{prefix}.{quoted(name)}" if prefix else quoted(name) for name in names)


def value_of(connection: duckdb.DuckDBPyConnection, query: str, parameters: Sequence[object] | None = None) -> Any:
    """Return the only value of a query: it has one row and one column."""
    [(value,)] = connection.execute(query, parameters).fetchall()
    return value


def count_of(connection: duckdb.DuckDBPyConnection, rows: str) -> int:
    """Return the number of some rows, which are what follows SELECT."""
    return int(value_of(connection, f"SELECT count(*) {rows}"))


def texts_of(connection: duckdb.DuckDBPyConnection, query: str) -> list[str]:
    """Return the first column of a query as texts."""
    return [str(row[0]) for row in connection.execute(query).fetchall()]


def arrow_schema(table: Table) -> pa.Schema:
    """Return a table's schema in Arrow, as in the Parquet files; timestamps are UTC in microseconds, without a zone."""
    import pyarrow as pa  # noqa: PLC0415 - the commands start without it

    types = {
        TEXT: pa.string(),
        LONG: pa.int64(),
        NUMBER: pa.int32(),
        FLAG: pa.bool_(),
        TIME: pa.timestamp("us"),
        TEXTS: pa.list_(pa.string()),
        SHOWN: pa.list_(pa.struct([(name, pa.string()) for name in ("name", "data_type", "derivation")])),
        OUTPUTS: pa.list_(pa.struct([("id", pa.int64()), ("name", pa.string())])),
    }
    return pa.schema([(column.name, types[column.type]) for column in table.columns])


_SQL = Path(__file__).parents[1] / "sql"
_PLACEHOLDER = re.compile(r"\{(\w+)(?: of (\w+))?\}")

COLUMN_LISTS = {
    "edge_columns": EDGE_COLUMNS,
    "edge_key": EDGE_KEY,
    "hop_columns": tuple(name for name in EDGE_COLUMNS if name != "target_ordinal"),
    "edge_values": tuple(name for name in EDGE_COLUMNS if name not in EDGE_KEY),
}
"""Placeholder to columns: `{edge_columns}` becomes a list of names, `{edge_columns of e}` one of `e.name`."""


@cache
def raw_sql(name: str) -> str:
    """Return the text of an SQL file as it is, with its placeholders."""
    return (_SQL / f"{name}.sql").read_text(encoding="utf-8")


def sql_text(name: str, **values: object) -> str:
    """Return the text of an SQL file with its placeholders filled.

    Args:
        values: Placeholder to value. They are put into the text as they are, so they must come from the program.

    Raises:
        KeyError: The text has a placeholder without a value.
    """

    def filled(match: re.Match[str]) -> str:
        placeholder, alias = match.groups()
        columns = COLUMN_LISTS.get(placeholder)
        return column_list(columns, alias or "") if columns else str(values[placeholder])

    return _PLACEHOLDER.sub(filled, raw_sql(name))


INTERNAL = "internal"
"""The schema of relations that are subject to change with every version."""

VIEWS = tuple(
    """
    jobs runs tables columns consumers job_costs dataset_costs column_costs unread_costs execution_column_lineage
    column_lineage_spread system_access_table_lineage system_access_column_lineage field_lineage source_job_lineage
    sink_job_lineage source_snapshot_lineage sink_snapshot_lineage
    """.split()
)
"""The other views of `main`: none of them is a Parquet table."""

MACROS = ("resolve", "upstream", "downstream", "impact", "lineage_at", "upstream_at", "downstream_at")
"""The macros of `main`."""

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
    """
    texts = list(statements)
    created = [each for text in texts for each in _CREATED.findall(text) if each[1] not in _PUBLIC]
    views, macros = ({name for kind, name in created if kind == wanted} for wanted in ("VIEW", "MACRO"))
    macro = re.compile(rf"(?<![\w.])(MACRO TABLE |)({_any(macros)})\b(?=\(| IS\b)")
    found = []
    for text in texts:
        (_, name), *_ = _CREATED.findall(text) or [("", "")]
        result = _with_schema(text, INTERNAL, _INTERNAL_TABLES | views)
        if name in views:
            result = _with_schema(result, "main", _PUBLIC)
        result = macro.sub(rf"\1{INTERNAL}.\2", result)
        found.append(_CREATED.sub(r"CREATE OR REPLACE \1 main.\2", result))
    return found


def _with_schema(text: str, schema: str, names: Collection[str]) -> str:
    """Return a statement with a schema before some names of relations, unless they are names of its own queries."""
    relations = _any(set(names) - set(_WITH.findall(text)))
    return re.sub(rf"\b(FROM|JOIN|VIEW)(\s+)({relations})\b(?!\()", rf"\1\2{schema}.\3", text)


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


def read_fact(connection: duckdb.DuckDBPyConnection, fact: str) -> str | None:
    """Return the value of a fact; None if the store does not have it."""
    return read_facts(connection).get(fact)


def read_facts(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return all facts of a store by their names; read-only is enough."""
    return dict(connection.execute("SELECT fact, value FROM store_facts").fetchall())


def write_fact(connection: duckdb.DuckDBPyConnection, fact: str, value: str) -> None:
    """Write a fact, in place of its value before; one that has this value stays as it is."""
    write_facts(connection, {fact: value})


def write_facts(connection: duckdb.DuckDBPyConnection, facts: Mapping[str, str]) -> None:
    """Write some facts as `write_fact` writes one, in fewer statements."""
    stored = read_facts(connection)
    changed = {fact: value for fact, value in facts.items() if stored.get(fact) != value}
    if not changed:
        return
    if stored.keys() & changed.keys():
        connection.execute("DELETE FROM store_facts WHERE list_contains(?, fact)", [list(changed)])
    values = ", ".join("(?, ?)" for _ in changed)
    connection.execute(f"INSERT INTO store_facts VALUES {values}", [word for pair in changed.items() for word in pair])


RUNS = "runs"
"""The folder, in a version's, of the files that the views read: `runs/<table>/<day>.*.parquet`.

They have no folders of days: to make one takes twenty times as long as to link a file (ext4), and each version has all
days.
"""


RUNS_FOLDER = "runs_folder"
"""The fact that names the version's folder in the views."""

RUNS_VARIABLE = "eventlog_lineage_version"
"""The variable of a DuckDB connection that leads the views to the runs of another folder, whose glob characters are
escaped."""

TABLE_COLUMNS = "table_columns"
"""The fact that names the columns of all tables."""

PARTITION = "started_on"
"""The hive partition of run-level tables: the day, in UTC, on which the application started."""

NO_DAY = "__HIVE_DEFAULT_PARTITION__"
"""The partition of applications whose start is not known, as Hive and Spark call it."""


_FOLDER = f"CAST(getvariable('{RUNS_VARIABLE}') AS VARCHAR)"
_NO_PARTITIONS = "hive_partitioning = false"


def read_files(files: Iterable[Path | str], *, by_name: bool = False) -> str:
    """Return the rows of Parquet files, as what follows FROM, without columns from the names of folders."""
    listed = ", ".join(text_literal(str(file)) for file in files)
    return f"read_parquet([{listed}], {_NO_PARTITIONS}, union_by_name = {str(by_name).lower()})"


def run_views(version: Path) -> Iterator[str]:
    """Yield the statements that create the views over the runs of a version, whose folder is an absolute path."""
    for table in RUN_TABLES:
        folder = f"coalesce({_FOLDER}, {text_literal(glob.escape(str(version)))})"
        source = f"read_parquet({folder} || {text_literal(_files_of(table))}, {_NO_PARTITIONS})"
        yield f"CREATE OR REPLACE VIEW {stored_name(table)} AS SELECT {column_list(table.column_names)} FROM {source}"


def follow_folder(folder: str) -> str:
    """Return the statement that leads a connection's views to the runs of a version, wherever they looked before.

    Args:
        folder: The value of `RUNS_VARIABLE`: the version's folder, an absolute path, with its glob characters escaped.
    """
    return f"SET VARIABLE {RUNS_VARIABLE} = {text_literal(folder)}"


def listed_run_views(files: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the statements that create the views over listed files of runs."""
    for table in RUN_TABLES:
        listed = ", ".join(map(text_literal, files.get(table.name, ())))
        found = f"CASE WHEN {_FOLDER} IS NULL THEN [{listed}] ELSE [{_FOLDER} || {text_literal(_files_of(table))}] END"
        source = f"read_parquet({found}, {_NO_PARTITIONS})" if listed else f"({no_rows(table)})"
        yield f"CREATE OR REPLACE VIEW {stored_name(table)} AS SELECT {column_list(table.column_names)} FROM {source}"


def empty_run_views() -> Iterator[str]:
    """Yield the statements that create the views over the runs of a version without runs, whatever they were before."""
    for table in RUN_TABLES:
        yield f"CREATE OR REPLACE VIEW {stored_name(table)} AS {no_rows(table)}"


def day_files(version: Path | str, table: Table) -> Iterator[tuple[str, str]]:
    """Yield the files of a table's runs with their days, as the names of partitions have them, in order."""
    folder = f"{version}/{RUNS}/{table.name}"
    with suppress(OSError):
        for name in sorted(os.listdir(folder)):  # noqa: PTH208 - faster for years of days
            if name.endswith(".parquet"):
                yield day_of(name), f"{folder}/{name}"


def day_of(name: str) -> str:
    """Return the day of a file of runs, or of a public table's folder of a day, from its name."""
    return name.removeprefix(f"{PARTITION}=") if name.startswith(f"{PARTITION}=") else name.partition(".")[0]


def _files_of(table: Table) -> str:
    return f"/{RUNS}/{table.name}/*.parquet"


def no_rows(table: Table) -> str:
    """Return a query with the columns of a table and no rows."""
    columns = ", ".join(f"CAST(NULL AS {column.type}) AS {quoted(column.name)}" for column in table.columns)
    return f"SELECT {columns} WHERE false"


@cache
def columns_digest() -> str:
    """Return what names the columns of all stored tables."""
    declared = [[table.name, each.name, each.type] for table in STORED_TABLES for each in table.columns]
    return hashlib.sha256(json.dumps(declared).encode()).hexdigest()
