"""A store of an older version gets the tables, columns and views that came later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import duckdb
import pytest

from eventlog_lineage.store.fold.creation import add_missing_columns, make_tables, make_views, use_current_views
from eventlog_lineage.store.fold.insertion import insert_rows, read_records
from eventlog_lineage.store.schema.ddl import create_table
from eventlog_lineage.store.schema.internal_tables import DATABASE_TABLES, PAST_RUNS
from eventlog_lineage.store.schema.schemas import stored_name
from eventlog_lineage.store.schema.tables import HARVESTED_LOGS, LINEAGE_EDGES

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


def test_a_column_that_came_later_is_added_in_its_place_and_the_rows_stay(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    insert_rows(connection, LINEAGE_EDGES, [EDGE])
    connection.execute("ALTER TABLE lineage_edges DROP COLUMN masking")
    add_missing_columns(connection)
    assert columns(connection, "lineage_edges") == list(LINEAGE_EDGES.column_names)
    (edge,) = read_records(connection, "FROM lineage_edges")
    assert edge == dict(zip(LINEAGE_EDGES.column_names, EDGE, strict=True)) | {"masking": None}


def test_a_table_that_came_later_is_created(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("DROP TABLE past_runs")
    add_missing_columns(connection)
    assert columns(connection, "past_runs") == list(PAST_RUNS.column_names)


def test_a_table_that_is_compressed_now_is_written_again(connection: duckdb.DuckDBPyConnection) -> None:
    words = {"log_path": "/logs/a", "app_id": "a", "attempt_id": "", "state": "complete", "error": None}
    log = HARVESTED_LOGS.row(**words, size=1, modified_at=None)
    plain = replace(HARVESTED_LOGS, is_compressed=False)
    connection.execute(create_table(plain, stored_name(HARVESTED_LOGS), replace=True))
    insert_rows(connection, HARVESTED_LOGS, [log])
    connection.execute("UPDATE store_facts SET value = 'older' WHERE fact = 'table_columns'")
    add_missing_columns(connection)
    assert connection.execute("FROM harvested_logs").fetchall() == [log]
    (sql,) = connection.execute("SELECT sql FROM duckdb_tables() WHERE table_name = 'harvested_logs'").fetchone() or ()
    assert "COMPRESSION" in sql


def test_tables_with_the_declared_columns_stay_as_they_are(connection: duckdb.DuckDBPyConnection) -> None:
    insert_rows(connection, LINEAGE_EDGES, [EDGE])
    before = connection.execute("SELECT table_oid FROM duckdb_tables() ORDER BY table_name").fetchall()
    add_missing_columns(connection)
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
