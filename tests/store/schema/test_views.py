"""The views for people who know other systems."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

import eventlog_lineage
from eventlog_lineage.store.queries.open_store import open_store
from support.stores.content import rows
from support.stores.nights import Night

A, B = "spark_catalog.raw.a", "spark_catalog.sales.b"
PATH = "s3://lake/raw/p"
PACKAGE = Path(eventlog_lineage.__file__).parent


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Night()
    made.app()
    made.statement(
        [(f"{A}!x", "x", "IDENTITY"), (f"{PATH}!y", "y", "AGGREGATION"), (f"{A}!k", "", "JOIN"), ("", "today", "")],
        target=B,
    )
    made.statement([(f"{B}!x", "x", "IDENTITY")], execution=2)
    made.statement([(f"{A}!x", "z", "IDENTITY")], target=B, execution=3, status="failed")
    for number, dataset, direction, version in (1, A, "read", "77,78"), (1, B, "write", "5"), (3, B, "write", "6"):
        made.add(
            "run_snapshots",
            app_id="app-0",
            attempt_id="",
            execution_id=number,
            dataset=dataset,
            direction=direction,
            snapshot_id=version,
            snapshot_confidence="exact" if direction == "read" else "inferred",
        )
    path = tmp_path_factory.mktemp("views")
    made.harvest(path)
    return path


def test_unity_catalogs_column_lineage_has_its_columns_and_ours(store: Path) -> None:
    """The names are those of system.access.column_lineage; literals and influences on the whole are not in it."""
    found = rows(
        store,
        "SELECT source_table_full_name, source_table_catalog, source_table_schema, source_table_name, source_path,"
        " source_type, source_column_name, target_table_full_name, target_column_name, entity_type, entity_id,"
        " entity_run_id, created_by, event_date::VARCHAR, statement_id, transformation_type, transformation_subtype"
        " FROM system_access_column_lineage WHERE target_type IS NOT NULL ORDER BY source_column_name",
    )
    job = ("JOB", "nightly sales: b InsertInto", "app-0", "etl", "2026-11-18", "app-0/1", "DIRECT")
    assert found == [
        (A, "spark_catalog", "raw", "a", None, "TABLE", "x", B, "x", *job, "IDENTITY"),
        (None, None, None, None, PATH, "PATH", "y", B, "y", *job, "AGGREGATION"),
    ]


def test_unity_catalogs_table_lineage_has_a_row_without_target_for_a_query(store: Path) -> None:
    found = rows(
        store,
        "SELECT source_table_full_name, source_path, target_table_full_name, statement_id"
        " FROM system_access_table_lineage ORDER BY ALL",
    )
    assert found == [(A, None, B, "app-0/1"), (B, None, None, "app-0/2"), (None, PATH, B, "app-0/1")]


def test_field_lineage_has_current_edges_between_columns(store: Path) -> None:
    """A copy has no transform; a path has neither catalog nor database."""
    found = rows(store, "FROM field_lineage ORDER BY target_column")
    job = "nightly sales: b InsertInto"
    assert found == [
        ("spark_catalog", "raw", A, "x", "spark_catalog", "sales", B, "x", None, "IDENTITY", job),
        (None, None, PATH, "y", "spark_catalog", "sales", B, "y", "y", "AGGREGATION", job),
    ]


def test_influences_on_the_whole_can_be_spread_over_the_columns(store: Path) -> None:
    found = rows(
        store,
        "SELECT source_column, target_column, target_ordinal FROM column_lineage_spread WHERE spread ORDER BY 3",
    )
    assert found == [("k", "x", 1), ("k", "y", 2), ("k", "today", 3)]
    assert rows(store, "SELECT count(*) FROM column_lineage_spread WHERE NOT spread") == [(3,)]


def test_paimons_views_tell_jobs_and_snapshots(store: Path) -> None:
    job = "nightly sales: b InsertInto"
    assert rows(store, "SELECT database_name, table_name, job_name FROM source_job_lineage ORDER BY 2") == [
        ("raw", "a", job),
        (None, PATH, job),
    ]
    assert rows(store, "SELECT database_name, table_name, job_name FROM sink_job_lineage") == [("sales", "b", job)]
    found = "SELECT barrier_id, database, table_name, snapshot_id, snapshot_confidence FROM {} ORDER BY snapshot_id"
    assert rows(store, found.format("source_snapshot_lineage")) == [
        ("app-0/1", "raw", "a", "77", "exact"),
        ("app-0/1", "raw", "a", "78", "exact"),
    ]
    assert rows(store, found.format("sink_snapshot_lineage")) == [("app-0/1", "sales", "b", "5", "inferred")]


def test_every_view_and_macro_can_be_asked(store: Path) -> None:
    with open_store(store) as opened:
        views = opened.ask("SELECT view_name FROM duckdb_views() WHERE NOT internal").rows
        assert len(views) >= 12
        for (view,) in views:
            opened.ask(f"SELECT * FROM {view} LIMIT 1")


def test_an_attached_store_answers_too(store: Path) -> None:
    """`USE` makes the macros' tables be found, as docs/store.md tells."""
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{store}/lineage.duckdb' AS lin (READ_ONLY)")
        assert connection.execute("SELECT count(*) FROM lin.column_lineage").fetchall() == [(4,)]
        connection.execute("USE lin")
        assert connection.execute("SELECT source_column FROM upstream('sales.b.y')").fetchall() == [("y",), ("k",)]


def test_no_query_rounds_to_decimals_which_versions_of_duckdb_do_differently() -> None:
    """`round(150 / 1000.0, 1)` is 0.2 in DuckDB 2.0.0 and 0.1 in 2.0.1; `round(150 / 100.0) / 10` is 0.2 in both."""
    rounded = re.compile(r"\bround\(.*,\s*[1-9]\) AS \w")
    assert [file.name for file in PACKAGE.rglob("*.sql") if rounded.search(file.read_text(encoding="utf-8"))] == []
