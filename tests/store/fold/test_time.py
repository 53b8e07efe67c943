"""Schemas and lineage over many nights: renames, drops, pruning, size."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.schema.internal_tables import STORED_TABLES
from eventlog_lineage.store.schema.relations import arrow_schema
from eventlog_lineage.store.schema.tables import HARVEST_TABLES
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from support.stores.content import check_parquet, content, rows
from support.stores.memory import MemoryStore
from support.stores.nights import START, Night

RAW, ORDERS, MART = "s3://lake/raw", "spark_catalog.s.orders", "spark_catalog.s.mart"
TABLES = ("schema_versions", "schema_changes", "lineage_changes")


def night(day: int, column: str = "amount", *, mart: bool = True, **options: str) -> Night:
    """A night that fills the orders, with the amount under a name, and the mart from them."""
    made = Night(day)
    made.app()
    shape = made.statement([(f"{RAW}!a", column, "IDENTITY")], target=ORDERS, description="orders", **options)
    made.show(shape, ORDERS, "id:bigint", f"{column}:int@way")
    if mart:
        shape = made.statement(
            [(f"{ORDERS}!{column}", "total", "AGGREGATION", f"sum(orders.{column})")],
            target=MART,
            execution=2,
            description="mart",
        )
        made.show(shape, ORDERS, f"{column}:int", evidence="read", extent="some")
        made.show(shape, MART, "total@sum")
    return made


def definition(day: int, dataset: str, *columns: str, **what: object) -> Night:
    """A night with one definition."""
    made = Night(day)
    made.app(f"ddl-{day}")
    shape = made.statement((), target=dataset, app=f"ddl-{day}", mode="alter", minute=55, description="ddl")
    made.show(shape, dataset, *columns, **what)  # type: ignore[arg-type]
    return made


def told(store: MemoryStore | Path) -> list[tuple[object, ...]]:
    return rows(
        store, "SELECT change, column_name, old_value, new_value FROM schema_changes ORDER BY changed_at, change"
    )


def edges(store: MemoryStore | Path, query: str) -> list[tuple[object, ...]]:
    return rows(store, f"SELECT source_dataset, source_column, target_dataset, target_column FROM {query} ORDER BY ALL")


def test_upstream_of_a_renamed_column_reaches_back_through_the_rename(store: MemoryStore) -> None:
    night(0).begin(store)
    night(1, "total_amount", mart=True).harvest(store)
    assert told(store) == [("column_renamed", "total_amount", "amount", "total_amount")]
    assert edges(store, "upstream('mart.total')") == [
        (RAW, "a", ORDERS, "total_amount"),
        (ORDERS, "total_amount", MART, "total"),
    ]
    assert rows(store, "FROM lineage_changes") == []


def test_a_reader_that_has_not_run_since_the_rename_is_followed_by_the_name_it_knew(store: MemoryStore) -> None:
    night(0).begin(store)
    night(1, "total_amount", mart=False).harvest(store)
    found = [(RAW, "a", ORDERS, "total_amount"), (ORDERS, "amount", MART, "total")]
    assert edges(store, "upstream('mart.total')") == found
    assert edges(store, "downstream('raw.a')") == found
    assert edges(store, "downstream('orders.amount')") == found[1:]
    assert edges(store, "downstream('orders.total_amount')") == found[1:]


def test_a_renamed_tables_edges_are_those_of_the_new_name(store: MemoryStore) -> None:
    night(0).begin(store)
    definition(1, ORDERS, evidence="rename", extent="renamed", words=["spark_catalog.s.sales"]).harvest(store)
    found = [(RAW, "a", ORDERS, "amount"), (ORDERS, "amount", MART, "total")]
    assert edges(store, "upstream('mart.total')") == found
    assert edges(store, "upstream('sales.amount')") == found[:1]
    assert edges(store, "upstream('orders.amount')") == found[:1]


def test_the_edges_onto_a_dropped_column_end(store: MemoryStore) -> None:
    night(0).begin(store)
    definition(1, MART, "other:int", evidence="replace").harvest(store)
    assert ("column_dropped", "total", None, None) in told(store)
    assert rows(store, "SELECT DISTINCT is_current FROM column_lineage WHERE target_column = 'total'") == [(False,)]
    assert edges(store, f"lineage_at(TIMESTAMP '{START:%Y-%m-%d} 12:00') WHERE target_column = 'total'") == [
        (ORDERS, "amount", MART, "total")
    ]


def test_a_dropped_columns_edges_end_on_both_sides_at_the_time_of_the_drop(store: MemoryStore) -> None:
    night(0).begin(store)
    definition(1, ORDERS, "id:bigint", evidence="replace").harvest(store)
    assert rows(store, "SELECT DISTINCT is_current FROM column_lineage WHERE source_column = 'amount'") == [(False,)]
    before, after = f"{START:%Y-%m-%d} 12:00", f"{START + timedelta(days=2):%Y-%m-%d} 12:00"
    assert edges(store, f"lineage_at(TIMESTAMP '{before}')") == [
        (RAW, "a", ORDERS, "amount"),
        (ORDERS, "amount", MART, "total"),
    ]
    assert edges(store, f"lineage_at(TIMESTAMP '{after}')") == []
    night(3).harvest(store)
    assert len(edges(store, "upstream('mart.total')")) == 2


def test_a_table_that_its_own_application_drops_is_a_step_on_the_way(store: MemoryStore) -> None:
    stage = "spark_catalog.s.stage"
    for day in range(2):
        made = Night(day)
        made.app(f"app-{day}")
        facts = {"app": f"app-{day}"}
        shape = made.statement([(f"{RAW}!a", "x", "IDENTITY")], target=stage, description="stage", minute=1, **facts)
        made.show(shape, stage, "x:int", evidence="create")
        shape = made.statement(
            [(f"{stage}!x", "total", "IDENTITY")], target=MART, description="mart", execution=2, minute=2, **facts
        )
        made.show(shape, MART, "total:int")
        shape = made.statement((), target=stage, description="drop", execution=3, mode="drop", minute=3, **facts)
        made.show(shape, stage, evidence="drop", extent="dropped")
        made.harvest(store)
        way = [(RAW, "a", stage, "x"), (stage, "x", MART, "total")]
        assert edges(store, "upstream('mart.total')") == sorted(way)
        assert edges(store, f"lineage_at(TIMESTAMP '{START + timedelta(days=5):%Y-%m-%d}')") == sorted(way)


def test_a_change_of_literals_is_no_change_of_lineage(store: MemoryStore) -> None:
    for day in range(3):
        night(day, literal=f"-{day}").harvest(store)
    assert rows(store, "FROM lineage_changes") == []


def test_a_failed_run_changes_nothing(store: MemoryStore) -> None:
    night(0).begin(store)
    night(1, "other", mart=False, status="failed").harvest(store)
    assert told(store) == []
    assert rows(store, "FROM lineage_changes") == []


def stories() -> list[Night]:
    """Four nights: two renames and a column that goes."""
    return [night(0), night(2, "total_amount"), night(4), definition(6, MART, "other:int", evidence="replace")]


def test_pruned_runs_leave_the_history_as_it_was_in_whatever_order_the_nights_came(
    tmp_path: Path, store: MemoryStore
) -> None:
    for number in range(4):
        stories()[number].harvest(tmp_path)
    kept = content(tmp_path)
    for number in (2, 0, 3, 1):
        stories()[number].harvest(store)
    for pruned in (tmp_path, store):
        Night(400).harvest(pruned, keep_days=1)
        assert rows(pruned, "SELECT count(*) FROM executions") == [(0,)]
        left = content(pruned)
        for table in (*TABLES, "column_lineage"):
            assert left[table] == kept[table]
    check_parquet(tmp_path)


def test_a_night_after_pruned_ones_is_compared_with_them(store: MemoryStore) -> None:
    night(0).begin(store)
    night(40, "total_amount").harvest(store, keep_days=5)
    night(80, "third").harvest(store, keep_days=5)
    assert [change[2:] for change in told(store)] == [("amount", "total_amount"), ("total_amount", "third")]


def usual(day: int) -> Night:
    """A night as a thousand others: tables made if they are not there, replaced, dropped and made again."""
    made = night(day, literal="")
    for number, evidence in enumerate(("create", "replace", "drop", "create")):
        target = f"spark_catalog.s.t{min(number, 2)}"
        words = [] if number else ["if not exists"]
        shown = [] if evidence == "drop" else ["a:int"]
        extent = "dropped" if evidence == "drop" else "all"
        facts = {"execution": 10 + number, "mode": evidence, "description": f"{evidence} {number}"}
        shape = made.statement((), target=target, **facts)  # type: ignore[arg-type]
        made.show(shape, target, *shown, evidence=evidence, extent=extent, words=words)
    return made


def harvest_all(store: MemoryStore | Path, nights: Iterable[Night]) -> None:
    """Many nights in one harvest."""
    handed: dict[str, list[dict[str, object]]] = {table.name: [] for table in HARVEST_TABLES}
    lasting = {"lineages", "lineage_edges", "lineage_io", "lineage_schemas", "plan_nodes", "shown_datasets"}
    for each in nights:
        for table, of_night in each.rows.items():
            if table not in lasting or not handed[table]:
                handed[table].extend(of_night)
    with open_for_harvest(store) as writer:
        for table in HARVEST_TABLES:
            if handed[table.name]:
                folder = writer.staging_dir / table.name
                folder.mkdir(parents=True)
                found = pa.Table.from_pylist(handed[table.name], schema=arrow_schema(table))
                pq.write_table(found, folder / "0.parquet")
        writer.publish(HarvestFacts(started_at=START))


def size_of_what_is_folded(store: MemoryStore | Path, scratch: Path) -> int:
    """Bytes of all tables but those of single runs and logs, each written down by itself."""
    scratch.mkdir()
    with open_store(store) as opened:
        for table in STORED_TABLES:
            if not table.per_run and table.name not in {"harvests", "harvested_logs", "dropped_applications"}:
                opened.connection.execute(f"COPY {table.name} TO '{scratch / table.name}.parquet' (FORMAT parquet)")
    return sum(path.stat().st_size for path in scratch.iterdir())


def test_a_thousand_nights_without_change_take_no_more_than_ten(tmp_path: Path) -> None:
    store = tmp_path / "store"
    harvest_all(store, (usual(day) for day in range(10)))
    ten = size_of_what_is_folded(store, tmp_path / "ten")
    harvest_all(store, (usual(day) for day in range(10, 1000)))
    thousand = size_of_what_is_folded(store, tmp_path / "thousand")
    assert rows(store, "SELECT count(*) FROM applications") == [(1000,)]
    assert thousand <= 1.1 * ten
    assert [row[0] for row in told(store)] == ["table_created"] * 3
