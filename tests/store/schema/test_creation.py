"""The tables, views and macros of a store, and those of 0.2."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.fold.steps import insert_rows, read_records
from eventlog_lineage.store.schema.creation import check_schema, make_tables, make_views, migrate, use_current_views
from eventlog_lineage.store.schema.internal_tables import DATABASE_TABLES, PAST_RUNS
from eventlog_lineage.store.schema.tables import LINEAGE_EDGES

EDGE = LINEAGE_EDGES.row(
    lineage_fingerprint="f",
    position=0,
    source_dataset="a",
    source_column="x",
    target_dataset="b",
    target_column="y",
    target_ordinal=1,
    dependency="DIRECT",
    transformation="IDENTITY",
    masking=True,
    expression="a.x",
    confidence="exact",
    pattern="a.x",
    traced_at=None,
)


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        make_tables(made)
        yield made


def columns(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    return [row[0] for row in connection.execute(f"DESCRIBE {table}").fetchall()]


@pytest.fixture
def older(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """The database of a store of 0.2, which lacks a table and a column."""
    insert_rows(connection, LINEAGE_EDGES, [EDGE])
    make_views(connection)
    connection.execute("ALTER TABLE lineage_edges DROP COLUMN masking")
    connection.execute("DROP TABLE past_runs")
    connection.execute("UPDATE store_facts SET value = '2' WHERE fact = 'schema_version'")
    connection.execute("UPDATE store_facts SET value = 'older' WHERE fact IN ('table_columns', 'views_digest')")
    connection.execute("INSERT INTO store_facts VALUES ('run_columns', 'older')")
    return connection


def test_a_store_of_0_2_gets_the_tables_and_columns_that_it_lacks(older: duckdb.DuckDBPyConnection) -> None:
    check_schema(older, Path("store"))
    assert migrate(older)
    assert columns(older, "past_runs") == list(PAST_RUNS.column_names)
    assert columns(older, "lineage_edges") == list(LINEAGE_EDGES.column_names)
    (edge,) = read_records(older, "FROM lineage_edges")
    assert edge == dict(zip(LINEAGE_EDGES.column_names, EDGE, strict=True)) | {"masking": None}
    assert ("run_columns",) not in older.execute("SELECT fact FROM store_facts").fetchall()
    assert not migrate(older)


def test_a_store_of_0_2_is_read_with_the_declared_columns(older: duckdb.DuckDBPyConnection) -> None:
    assert not use_current_views(older)
    (edge,) = read_records(older, "FROM lineage_edges")
    assert edge == dict(zip(LINEAGE_EDGES.column_names, EDGE, strict=True)) | {"masking": None}
    assert older.execute("FROM past_runs").fetchall() == []
    assert "masking" not in columns(older, "memory.internal.lineage_edges")


@pytest.mark.parametrize(
    ("version", "message"),
    [("2", "made by a program before 0.2"), ("99", "has tables of version 99"), ("", "made by a program before 0.2")],
)
def test_other_stores_are_refused(connection: duckdb.DuckDBPyConnection, version: str, message: str) -> None:
    connection.execute("UPDATE store_facts SET value = ? WHERE fact = 'schema_version'", [version])
    connection.execute("DELETE FROM store_facts WHERE fact = 'table_columns'")
    with pytest.raises(StoreError, match=message) as refused:
        check_schema(connection, Path("store"))
    assert ("harvest the logs into a new store" in refused.value.hint) == (version != "99")


def test_current_tables_stay_as_they_are(connection: duckdb.DuckDBPyConnection) -> None:
    before = connection.execute("SELECT table_oid FROM duckdb_tables() ORDER BY table_name").fetchall()
    assert not migrate(connection)
    assert connection.execute("SELECT table_oid FROM duckdb_tables() ORDER BY table_name").fetchall() == before
    assert len(before) == len(DATABASE_TABLES)


def test_views_and_macros_of_another_version_are_replaced_for_the_connection(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    make_views(connection)
    connection.execute("DROP VIEW internal.statement_runs")
    connection.execute("CREATE OR REPLACE MACRO upstream(asked) AS TABLE SELECT 1 AS older")
    connection.execute("UPDATE store_facts SET value = 'older' WHERE fact = 'views_digest'")
    use_current_views(connection)
    connection.execute("FROM statement_runs")
    assert "masked" in [row[0] for row in connection.execute("DESCRIBE FROM upstream(NULL)").fetchall()]
    lasting = "SELECT count(*) FROM duckdb_views() WHERE view_name = 'statement_runs' AND NOT temporary"
    assert connection.execute(lasting).fetchall() == [(0,)]


def test_views_and_macros_of_this_version_are_not_created_again(connection: duckdb.DuckDBPyConnection) -> None:
    make_views(connection)
    use_current_views(connection)
    assert connection.execute("SELECT view_name FROM duckdb_views() WHERE temporary AND NOT internal").fetchall() == []


def test_views_that_are_current_are_not_replaced_in_the_next_version(connection: duckdb.DuckDBPyConnection) -> None:
    views = "SELECT view_name, view_oid FROM duckdb_views() WHERE NOT internal ORDER BY ALL"
    make_views(connection)
    before = connection.execute(views).fetchall()
    make_views(connection)
    assert connection.execute(views).fetchall() == before
    make_views(connection, replace=True)
    after = connection.execute(views).fetchall()
    assert [name for name, _ in after] == [name for name, _ in before]
    assert not set(after) & set(before)
