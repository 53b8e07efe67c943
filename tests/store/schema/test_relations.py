"""The schemas of lineage.duckdb: what a person finds in `main`, and how little it takes to ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.schema.creation import make_tables, make_views
from eventlog_lineage.store.schema.internal_tables import INTERNAL_TABLES
from eventlog_lineage.store.schema.relations import MACROS, VIEWS
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES
from support.stores.shop import DAILY, LANDING, LOYAL, ORDERS, harvest_shop

CALLS = {
    "resolve": "resolve('loyal_customers')",
    "lineage_at": "lineage_at(TIMESTAMP '2026-12-01')",
    "upstream_at": "upstream_at('loyal_customers', TIMESTAMP '2026-12-01')",
    "downstream_at": "downstream_at('loyal_customers', TIMESTAMP '2026-12-01')",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("shop")
    harvest_shop(store)
    return store


@pytest.fixture
def shell(shop: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """`duckdb -readonly DIR/lineage.duckdb`, as an analyst starts it."""
    with duckdb.connect(str(shop / "lineage.duckdb"), read_only=True) as connection:
        yield connection


def relations(connection: duckdb.DuckDBPyConnection, schema: str = "main") -> set[str]:
    query = "SELECT table_name FROM information_schema.tables WHERE table_schema = ?"
    return {name for (name,) in connection.execute(query, [schema]).fetchall()}


def macros(connection: duckdb.DuckDBPyConnection, schema: str) -> set[str]:
    query = "SELECT function_name FROM duckdb_functions() WHERE schema_name = ? AND NOT internal"
    return {name for (name,) in connection.execute(query, [schema]).fetchall()}


def calls() -> list[str]:
    return [CALLS.get(name, f"{name}('loyal_customers')") for name in MACROS]


def test_main_has_the_public_tables_and_views(shell: duckdb.DuckDBPyConnection) -> None:
    assert relations(shell) == {
        "applications",
        "column_joins",
        "column_lineage",
        "column_costs",
        "column_lineage_spread",
        "columns",
        "consumers",
        "dataset_aliases",
        "dataset_costs",
        "dataset_io",
        "datasets",
        "declarations",
        "execution_column_lineage",
        "executions",
        "field_lineage",
        "gaps",
        "harvested_logs",
        "harvests",
        "job_costs",
        "jobs",
        "lineage_changes",
        "plan_nodes",
        "runs",
        "schema_changes",
        "schema_versions",
        "sink_job_lineage",
        "sink_snapshot_lineage",
        "source_job_lineage",
        "source_snapshot_lineage",
        "stream_batches",
        "system_access_column_lineage",
        "system_access_table_lineage",
        "table_lineage",
        "tables",
        "tags",
        "unread_costs",
    }
    assert macros(shell, "main") == {*MACROS}


def test_everything_else_is_in_the_internal_schema(shell: duckdb.DuckDBPyConnection) -> None:
    assert relations(shell, "internal") > {table.name for table in INTERNAL_TABLES}
    assert not relations(shell, "internal") & {*VIEWS, *(table.name for table in PUBLIC_TABLES)}
    assert not macros(shell, "internal") & set(MACROS)


def test_a_shell_without_settings_reads_every_relation_of_main(shell: duckdb.DuckDBPyConnection) -> None:
    for name in sorted(relations(shell)):
        shell.execute(f"SELECT count(*) FROM {name}")
    for call in calls():
        shell.execute(f"FROM {call}")


def test_an_attached_store_answers_too(shop: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{shop}/lineage.duckdb' AS attached (READ_ONLY)")
        names = connection.execute(
            "SELECT table_name FROM information_schema.tables "
            "WHERE table_catalog = 'attached' AND table_schema = 'main'"
        ).fetchall()
        connection.execute("USE attached")
        for (name,) in names:
            connection.execute(f"SELECT count(*) FROM attached.{name}")
        for call in calls():
            connection.execute(f"FROM {call}")


def test_no_name_needs_quotes(shell: duckdb.DuckDBPyConnection) -> None:
    """Neither in DuckDB nor where words of the SQL standard are reserved."""
    found = {name: f"FROM {name}" for name in relations(shell)} | {call: f"FROM {call}" for call in calls()}
    keywords = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'"
    reserved = {word for (word,) in shell.execute(keywords).fetchall()}
    for relation, query in found.items():
        names = [name for name, *_ in shell.execute(f"DESCRIBE {query}").fetchall()]
        for name in names:
            assert name == name.lower(), relation
            assert name not in reserved, relation
            shell.execute(f"SELECT {name}, r.{name} AS {name} {query} r ORDER BY {name} LIMIT 0")


def test_each_relation_and_macro_of_main_has_a_comment(shell: duckdb.DuckDBPyConnection) -> None:
    rows = shell.execute(
        "SELECT view_name, comment FROM duckdb_views() WHERE schema_name = 'main' AND NOT internal "
        "UNION ALL SELECT table_name, comment FROM duckdb_tables() WHERE schema_name = 'main' "
        "UNION ALL SELECT function_name, comment FROM duckdb_functions() "
        "WHERE schema_name = 'main' AND function_type = 'table_macro' AND NOT internal"
    ).fetchall()
    assert [name for name, comment in rows if not comment] == []


def test_names_of_datasets_are_in_parts(shell: duckdb.DuckDBPyConnection) -> None:
    parts = "SELECT catalog_name, schema_name, table_name FROM {} WHERE dataset = ?"
    for relation in ("datasets", "tables"):
        found = shell.execute(parts.format(relation), [ORDERS]).fetchall()
        assert found == [("spark_catalog", "staging", "orders")]
    assert shell.execute(parts.format("datasets"), [LANDING]).fetchall() == [(None, None, None)]
    named = "SELECT DISTINCT dataset FROM columns WHERE schema_name = 'sales' AND table_name = 'daily_sales'"
    assert shell.execute(named).fetchall() == [(DAILY,)]


def test_jobs_and_runs_have_what_people_ask_for(shell: duckdb.DuckDBPyConnection) -> None:
    job = "nightly-sales: loyal customers"
    query = "SELECT runs, failed_runs, last_status, last_user, targets FROM jobs WHERE job_name = ?"
    assert shell.execute(query, [job]).fetchall() == [(3, 1, "failed", "etl", [LOYAL])]
    query = "SELECT status, targets FROM runs WHERE job_name = ? ORDER BY started_at"
    assert shell.execute(query, [job]).fetchall() == [("succeeded", [LOYAL])] * 2 + [("failed", [LOYAL])]


def test_tables_and_columns_say_who_writes_them(shell: duckdb.DuckDBPyConnection) -> None:
    query = "SELECT kind, column_count, writers, readers FROM tables WHERE table_name = 'daily_sales'"
    assert shell.execute(query).fetchall() == [("table", 3, 1, 1)]
    query = "SELECT data_type, expressions FROM columns WHERE dataset = ? AND column_name = 'revenue'"
    assert shell.execute(query, [DAILY]).fetchall() == [("decimal(18,2)", ["sum(orders.amount)"])]


def test_macros_take_short_names(shell: duckdb.DuckDBPyConnection) -> None:
    whole = shell.execute(f"FROM upstream('{LOYAL}.region_revenue')").fetchall()
    assert shell.execute("FROM upstream('loyal_customers.region_revenue')").fetchall() == whole
    assert shell.execute("SELECT resolve('loyal_customers')").fetchall() == [(LOYAL,)]
    found = shell.execute("FROM resolve(['daily_sales', 'LOYAL_CUSTOMERS.Region_Revenue'])").fetchall()
    assert found == [
        ("LOYAL_CUSTOMERS.Region_Revenue", f"{LOYAL}.region_revenue", LOYAL, "region_revenue"),
        ("daily_sales", DAILY, DAILY, None),
    ]
    query = "SELECT count(*) > 0 FROM table_lineage WHERE target_dataset = resolve('loyal_customers')"
    assert shell.execute(query).fetchall() == [(True,)]


@pytest.mark.parametrize("macro", ["upstream", "downstream", "impact"])
def test_a_list_of_names_has_the_rows_of_each(shell: duckdb.DuckDBPyConnection, macro: str) -> None:
    names = ["daily_sales.region", "customers.email"]
    key = (
        "dataset, column_name" if macro == "impact" else "source_dataset, source_column, target_dataset, target_column"
    )
    each = " UNION ".join(f"SELECT {key} FROM {macro}('{name}')" for name in names)
    both = shell.execute(f"SELECT DISTINCT {key} FROM {macro}({names}) ORDER BY ALL").fetchall()
    assert both == shell.execute(f"SELECT * FROM ({each}) ORDER BY ALL").fetchall()
    assert len(both) > 1
    assert (
        shell.execute(f"FROM {macro}(?) ORDER BY ALL", [names]).fetchall()
        == shell.execute(f"FROM {macro}({names}) ORDER BY ALL").fetchall()
    )


@pytest.mark.parametrize("call", ["resolve('nothing')", "resolve(['orders_', 'daily_sales'])", "upstream(['nothing'])"])
def test_an_unknown_name_is_an_error(shell: duckdb.DuckDBPyConnection, call: str) -> None:
    with pytest.raises(duckdb.Error, match=r"no dataset or column of the store is called (nothing|orders_)"):
        shell.execute(f"FROM {call}").fetchall()


def test_an_ambiguous_name_is_an_error_that_lists_the_choices(shell: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error, match="orders can mean several"):
        shell.execute("FROM resolve(['daily_sales', 'orders'])").fetchall()


def test_the_sql_command_finds_what_a_shell_finds(shop: Path) -> None:
    with open_store(shop) as store:
        assert store.ask_freely("SHOW TABLES").rows == store.ask_freely("SHOW TABLES FROM main").rows
        assert "reader_columns" not in {row[0] for row in store.ask_freely("SHOW TABLES").rows}
        assert store.ask("SELECT count(*) FROM trace_edges").rows
        assert store.ask_freely("SELECT count(*) FROM internal.trace_edges").rows


def test_views_of_an_empty_database_are_made() -> None:
    with duckdb.connect() as connection:
        make_tables(connection)
        make_views(connection)
        make_views(connection)
        for name in VIEWS:
            connection.execute(f"FROM {name}")
