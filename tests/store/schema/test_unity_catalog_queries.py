"""Queries that users of Unity Catalog run on `system.access.*_lineage` run on the store's views."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.stores.content import rows
from support.stores.memory import MemoryStore
from support.stores.nights import Night

RAW, STAGED, SOLD, RICH = (f"main.{name}" for name in ("raw.orders", "staging.orders", "sales.daily", "sales.rich"))
PATH = "s3://lake/landing/orders"
JOB = "nightly sales"

TABLE_COLUMNS = """account_id metastore_id workspace_id entity_type entity_id entity_run_id source_table_full_name
    source_table_catalog source_table_schema source_table_name source_path source_type target_table_full_name
    target_table_catalog target_table_schema target_table_name target_path target_type created_by event_time event_date
    record_id event_id statement_id entity_metadata direct_access""".split()


def store_of_three_nights(folder: Path) -> Path:
    """Harvest three nights: files, a table, a table of it, a view of that, a reader of the view."""
    for day in range(3):
        night = Night(day)
        night.app()
        copied = [(f"{PATH}!id", "id", "IDENTITY"), (f"{PATH}!email", "email", "IDENTITY")]
        night.statement(copied, target=RAW, execution=1)
        staged = [
            (f"{RAW}!id", "id", "IDENTITY"),
            (f"{RAW}!email", "email", "TRANSFORMATION"),
            (f"{RAW}!id", "", "JOIN"),
        ]
        night.statement(staged, target=STAGED, execution=2)
        night.statement([(f"{STAGED}!id", "orders", "AGGREGATION")], target=SOLD, execution=3)
        night.statement([(f"{SOLD}!orders", "orders", "IDENTITY")], target=RICH, execution=4, command="CreateView")
        read = night.statement(
            [(f"{SOLD}!orders", "best", "AGGREGATION"), (f"{RAW}!id", "best", "AGGREGATION")],
            target="main.mart.best",
            execution=5,
        )
        night.add(
            "lineage_io", lineage_fingerprint=read, dataset=RICH, direction="read", mode="view", columns=["orders"]
        )
        night.statement((), target="main.raw.codes", execution=6, mode="append")
        night.statement([(f"{SOLD}!orders", "orders", "IDENTITY")], execution=7)
        for row in night.rows["shown_datasets"]:
            row["kind"] = "view" if row["dataset"] == RICH else row["kind"]
        night.harvest(folder)
    return folder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return store_of_three_nights(tmp_path_factory.mktemp("unity"))


@pytest.mark.parametrize("view", ["table", "column"])
def test_the_views_have_all_of_unity_catalogs_columns_in_its_order_and_ours_after_them(store: Path, view: str) -> None:
    names = [name for name, *_ in rows(store, f"DESCRIBE system_access_{view}_lineage")]
    theirs = list(TABLE_COLUMNS)
    if view == "column":
        theirs.insert(theirs.index("source_type") + 1, "source_column_name")
        theirs.insert(theirs.index("target_type") + 1, "target_column_name")
    ours = {"table": ["mode"], "column": ["transformation_type", "transformation_subtype", "expression"]}
    assert names == [*theirs, *ours[view]]


def test_entity_metadata_is_the_struct_of_unity_catalog(store: Path) -> None:
    query = "SELECT typeof(entity_metadata) FROM system_access_column_lineage LIMIT 1"
    assert rows(store, query) == [
        (
            (
                "STRUCT(job_info STRUCT(job_id VARCHAR, job_run_id VARCHAR),"
                " dlt_pipeline_info STRUCT(dlt_pipeline_id VARCHAR, dlt_update_id VARCHAR), notebook_id VARCHAR,"
                " dashboard_id VARCHAR, legacy_dashboard_id VARCHAR, sql_query_id VARCHAR, genie_space_id VARCHAR,"
                " alert_id VARCHAR)"
            ),
        )
    ]


@pytest.mark.parametrize("view", ["table", "column"])
def test_a_record_has_one_id_and_a_statement_one_event(store: Path, view: str) -> None:
    counts = rows(
        store,
        "SELECT count(*) > 0, count(*) = count(DISTINCT record_id),"
        " count(DISTINCT event_id) = count(DISTINCT statement_id), bool_and(TRY_CAST(record_id AS UUID) IS NOT NULL)"
        f" FROM system_access_{view}_lineage",
    )
    assert counts == [(True, True, True, True)]


def test_ids_stay_the_same_when_another_night_comes(new_store: MemoryStore) -> None:
    query = "SELECT record_id, event_id FROM system_access_table_lineage WHERE entity_run_id = 'app-0' ORDER BY ALL"
    first = Night()
    first.app()
    first.statement([(f"{RAW}!id", "id", "IDENTITY")], target=STAGED)
    first.harvest(new_store)
    before = rows(new_store, query)
    second = Night(1)
    second.app()
    second.statement([(f"{RAW}!id", "id", "IDENTITY")], target=STAGED)
    second.harvest(new_store)
    assert rows(new_store, query) == before != []


def test_a_table_that_a_view_of_the_statement_is_made_of_is_reached_through_it(store: Path) -> None:
    """The statement names the view and RAW; SOLD is what the view reads."""
    query = (
        "SELECT source_table_full_name, source_type, direct_access FROM system_access_table_lineage"
        " WHERE target_table_full_name = 'main.mart.best' AND entity_run_id = 'app-0' ORDER BY 1"
    )
    assert rows(store, query) == [(RAW, "TABLE", True), (SOLD, "TABLE", False), (RICH, "VIEW", True)]
    columns = query.replace("table_lineage", "column_lineage")
    assert rows(store, columns) == [(RAW, "TABLE", True), (SOLD, "TABLE", False)]


def test_a_view_without_a_definition_leaves_open_what_was_named(new_store: MemoryStore) -> None:
    night = Night()
    night.app()
    read = night.statement([(f"{RAW}!id", "id", "IDENTITY")], target=STAGED)
    night.add("lineage_io", lineage_fingerprint=read, dataset=RICH, direction="read", mode="view", columns=["id"])
    night.dataset(RICH)
    night.rows["shown_datasets"][-1]["kind"] = "view"
    night.harvest(new_store)
    found = rows(new_store, "SELECT source_type, direct_access FROM system_access_table_lineage ORDER BY 1")
    assert found == [("TABLE", None), ("VIEW", True)]


QUERIES = {
    "what a table is made of, newest first": (
        (
            "SELECT source_table_full_name, target_table_full_name, event_time FROM system.access.table_lineage"
            " WHERE target_table_full_name = 'main.staging.orders' ORDER BY event_time DESC LIMIT 1"
        ),
        [(RAW, STAGED, "2026-11-20 01:02:00")],
    ),
    "who depends on a table": (
        (
            "SELECT DISTINCT target_table_full_name, entity_type FROM system.access.table_lineage"
            " WHERE source_table_full_name = 'main.sales.daily' AND target_table_full_name IS NOT NULL ORDER BY 1"
        ),
        [("main.mart.best", "JOB"), (RICH, "JOB")],
    ),
    "the sources of a column": (
        (
            "SELECT DISTINCT source_table_full_name, source_column_name FROM system.access.column_lineage"
            " WHERE target_table_full_name = 'main.staging.orders' AND target_column_name = 'email'"
        ),
        [(RAW, "email")],
    ),
    "where files arrive": (
        (
            "SELECT DISTINCT source_path, target_table_catalog || '.' || target_table_schema AS target"
            " FROM system.access.table_lineage WHERE source_type = 'PATH' AND source_table_full_name IS NULL"
        ),
        [(PATH, "main.raw")],
    ),
    "tables that only queries read": (
        (
            "SELECT source_table_full_name, count(*) AS reads, max(event_date) AS last_read"
            " FROM system.access.table_lineage WHERE target_type IS NULL GROUP BY source_table_full_name"
        ),
        [(SOLD, "3", "2026-11-20")],
    ),
    "tables that nobody reads": (
        (
            "SELECT DISTINCT w.target_table_full_name FROM system.access.table_lineage w"
            " ANTI JOIN system.access.table_lineage r ON r.source_table_full_name = w.target_table_full_name"
            " WHERE w.target_table_full_name IS NOT NULL ORDER BY 1"
        ),
        [("main.mart.best",), ("main.raw.codes",)],
    ),
    "the jobs behind a table": (
        (
            "SELECT DISTINCT entity_metadata.job_info.job_id, entity_metadata.job_info.job_run_id, created_by"
            " FROM system.access.table_lineage WHERE target_table_name = 'daily' AND event_date >= '2026-11-20'"
        ),
        [("nightly sales: daily InsertInto", "app-2", "etl")],
    ),
    "what one statement touched": (
        (
            "SELECT t.event_id = c.event_id AS same, count(DISTINCT t.record_id), count(DISTINCT c.record_id)"
            " FROM system.access.table_lineage t JOIN system.access.column_lineage c USING (event_id)"
            " WHERE t.target_table_full_name = 'main.staging.orders' AND t.event_date = DATE '2026-11-19' GROUP BY 1"
        ),
        [("True", "1", "2")],
    ),
    "what is read directly": (
        (
            "SELECT source_table_full_name, count(DISTINCT event_id) AS statements FROM system.access.table_lineage"
            " WHERE direct_access AND source_table_schema = 'sales' GROUP BY ALL ORDER BY 1"
        ),
        [(SOLD, "6"), (RICH, "3")],
    ),
    "all upstream tables, hop by hop": (
        (
            "WITH RECURSIVE up AS (SELECT target_table_full_name AS name, source_table_full_name AS source, 1 AS hop"
            " FROM system.access.table_lineage WHERE target_table_full_name = 'main.sales.daily'"
            " UNION SELECT u.source, t.source_table_full_name, u.hop + 1 FROM up u JOIN system.access.table_lineage t"
            " ON t.target_table_full_name = u.source WHERE u.hop < 10 AND t.workspace_id IS NULL)"
            " SELECT DISTINCT hop, source FROM up ORDER BY hop"
        ),
        [("1", STAGED), ("2", RAW), ("3", "None")],
    ),
}


@pytest.mark.parametrize("question", QUERIES)
def test_a_public_query_runs_with_the_views_name_for_the_tables(store: Path, question: str) -> None:
    query, expected = QUERIES[question]
    found = rows(store, query.replace("system.access.", "system_access_"))
    assert [tuple(value if isinstance(value, str) else str(value) for value in row) for row in found] == expected
