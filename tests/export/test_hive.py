"""`export hive` writes what Hive's LineageLogger logs."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.export.runs import Selection, hive_lineage
from support.stores.exports import LOGS, PATH, RAW, SOLD, Event, night_of
from support.stores.memory import MemoryStore, opened
from support.stores.nights import Night
from support.stores.staged_logs import harvest_logs

KEYS = "version user timestamp duration jobIds engine database hash queryText edges vertices".split()
EMPTY_TEXT = "d41d8cd98f00b204e9800998ecf8427e"


def lineages(store: Path | MemoryStore, predicates: str = "all", selection: Selection | None = None) -> list[Event]:
    """All statements of a store."""
    with opened(store) as found:
        return list(hive_lineage(found, selection or Selection(), predicates))


def only(store: Path | MemoryStore, predicates: str = "all") -> Event:
    """The one statement of a store."""
    (found,) = lineages(store, predicates)
    return found


def edges(found: Event) -> list[tuple[str, list[str], list[str], str | None]]:
    """Kind, sources, targets and expression of each edge, by the vertices' names."""
    names = {vertex["id"]: vertex["vertexId"] for vertex in found["vertices"]}
    return [
        (
            edge["edgeType"],
            [names[number] for number in edge["sources"]],
            [names[number] for number in edge["targets"]],
            edge.get("expression"),
        )
        for edge in found["edges"]
    ]


def test_the_documented_insert_into_tab3_has_its_eight_vertices_and_its_edges(new_store: MemoryStore) -> None:
    """A real log's; the article's filter on `id` is the join's."""
    harvest_logs(new_store, [LOGS / "field_lineage.zstd"])
    (found,) = [each for each in lineages(new_store) if each["vertices"][0]["vertexId"].startswith("default.tab3.")]
    assert [(vertex["id"], vertex["vertexType"], vertex["vertexId"]) for vertex in found["vertices"]] == [
        (0, "COLUMN", "default.tab3.id"),
        (1, "COLUMN", "default.tab3.name"),
        (2, "COLUMN", "default.tab3.age"),
        (3, "COLUMN", "default.tab1.id"),
        (4, "COLUMN", "default.tab1.name"),
        (5, "COLUMN", "default.tabb2.name"),
        (6, "COLUMN", "default.tabb2.age"),
        (7, "COLUMN", "default.tabb2.id"),
    ]
    whole = ["default.tab3.id", "default.tab3.name", "default.tab3.age"]
    assert edges(found) == [
        ("PROJECTION", ["default.tab1.id"], ["default.tab3.id"], None),
        (
            "PROJECTION",
            ["default.tab1.name", "default.tabb2.name"],
            ["default.tab3.name"],
            "concat(tab1.name, tabb2.name)",
        ),
        ("PROJECTION", ["default.tabb2.age"], ["default.tab3.age"], None),
        ("PREDICATE", ["default.tab1.id", "default.tabb2.id"], whole, "(tab1.id = tabb2.id)"),
    ]


def test_a_statement_has_hives_keys_in_hives_order(new_store: MemoryStore) -> None:
    night_of((f"{RAW}!id", "id", "IDENTITY")).begin(new_store)
    found = only(new_store)
    assert list(found) == KEYS
    known = {key: found[key] for key in KEYS[:-2]}
    assert known == {
        "version": "1.0",
        "user": "etl",
        "timestamp": 1794963660,  # 2026-11-18 01:01:00 UTC
        "duration": 30_000,
        "jobIds": [],
        "engine": "spark",
        "database": "sales",
        "hash": EMPTY_TEXT,
        "queryText": "",
    }


def test_a_statement_that_has_not_ended_has_no_duration_and_a_path_no_database(new_store: MemoryStore) -> None:
    night = Night()
    night.app(complete=False)
    query = "INSERT OVERWRITE DIRECTORY 's3://lake/landing/orders' SELECT id FROM raw.orders"
    night.statement([(f"{RAW}!id", "id", "IDENTITY")], target=PATH, status="running", sql_text=query)
    night.begin(new_store)
    (found,) = lineages(new_store, selection=Selection(all_runs=True))
    assert list(found) == [key for key in KEYS if key != "duration"]
    assert (found["database"], found["queryText"]) == ("default", query)
    assert found["hash"] == hashlib.md5(query.encode(), usedforsecurity=False).hexdigest()
    assert [vertex["vertexId"] for vertex in found["vertices"]] == [f"{PATH}.id", "raw.orders.id"]


CASE = "CASE WHEN orders.paid THEN orders.amount END"


def test_what_chooses_a_value_is_a_source_of_its_column_and_a_literal_has_none(new_store: MemoryStore) -> None:
    night_of(
        (f"{RAW}!amount", "amount", "TRANSFORMATION", CASE),
        (f"{RAW}!paid", "amount", "CONDITIONAL", CASE),
        ("", "kind", "", "'sale'"),
    ).begin(new_store)
    assert edges(only(new_store)) == [
        ("PROJECTION", ["raw.orders.amount", "raw.orders.paid"], ["sales.daily.amount"], CASE),
        ("PROJECTION", [], ["sales.daily.kind"], "'sale'"),
    ]


def test_columns_of_the_same_sources_and_expression_share_an_edge(new_store: MemoryStore) -> None:
    night_of(
        (f"{RAW}!id", "id", "IDENTITY", "orders.id"),
        (f"{RAW}!id", "copy", "IDENTITY", "orders.id"),
        (f"{RAW}!id", "text", "TRANSFORMATION", "cast(orders.id as string)"),
    ).begin(new_store)
    assert edges(only(new_store)) == [
        ("PROJECTION", ["raw.orders.id"], ["sales.daily.id", "sales.daily.copy"], None),
        ("PROJECTION", ["raw.orders.id"], ["sales.daily.text"], "cast(orders.id as string)"),
    ]


def test_a_vertex_has_the_system_of_its_dataset(new_store: MemoryStore) -> None:
    shop = "postgres://db1:5432/shop.customers"
    night_of((f"{RAW}!id", "id", "IDENTITY"), (f"{shop}!name", "name", "IDENTITY"), ("", "n", "", "1")).begin(new_store)
    systems = {vertex["vertexId"]: vertex.get("system") for vertex in only(new_store)["vertices"]}
    assert {name: systems[name] for name in ("sales.daily.id", "raw.orders.id", f"{shop}.name")} == {
        "sales.daily.id": "parquet",
        "raw.orders.id": "parquet",
        f"{shop}.name": "postgres",
    }


def test_a_count_of_rows_has_the_table_as_its_source(new_store: MemoryStore) -> None:
    night_of(("", "orders", "", "count(1)"), reads=[RAW]).begin(new_store)
    found = only(new_store)
    assert [(vertex["vertexType"], vertex["vertexId"]) for vertex in found["vertices"]] == [
        ("COLUMN", "sales.daily.orders"),
        ("TABLE", "raw.orders"),
    ]
    assert edges(found) == [("PROJECTION", ["raw.orders"], ["sales.daily.orders"], "count(1)")]


@pytest.mark.parametrize(
    ("predicates", "expressions"), [("all", ["(a = b)", "(day > 1)", "day"]), ("hive", ["(a = b)", "(day > 1)"])]
)
def test_a_condition_is_one_predicate_to_all_columns(
    new_store: MemoryStore, predicates: str, expressions: list[str]
) -> None:
    night_of(
        (f"{RAW}!id", "id", "IDENTITY"),
        (f"{RAW}!day", "day", "IDENTITY"),
        (f"{RAW}!a", "", "JOIN", "(a = b)"),
        (f"{PATH}!b", "", "JOIN", "(a = b)"),
        (f"{RAW}!day", "", "FILTER", "(day > 1)"),
        (f"{RAW}!day", "", "GROUP_BY", "day"),
    ).begin(new_store)
    found = [edge for edge in edges(only(new_store, predicates)) if edge[0] == "PREDICATE"]
    assert [expression for *_, expression in found] == expressions
    assert found[0][1:3] == (["raw.orders.a", f"{PATH}.b"], ["sales.daily.id", "sales.daily.day"])


def test_all_targets_of_a_multi_insert_are_one_statements(new_store: MemoryStore) -> None:
    night = night_of((f"{RAW}!id", "id", "IDENTITY"))
    edge, shape = dict(night.rows["lineage_edges"][0]), night.rows["lineages"][0]["lineage_fingerprint"]
    other = "lake.sales.other"
    night.add("lineage_edges", **edge | {"target_dataset": other, "position": 1})
    night.add("lineage_io", lineage_fingerprint=shape, dataset=other, direction="write", mode="append", columns=[])
    night.dataset(other)
    night.begin(new_store)
    found = only(new_store)
    assert [vertex["vertexId"] for vertex in found["vertices"]] == [f"{other}.id", "sales.daily.id", "raw.orders.id"]
    assert len(found["edges"]) == 1


def test_the_command_writes_an_object_a_line_or_indents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    night_of((f"{RAW}!id", "id", "IDENTITY", "é")).begin(tmp_path)
    assert run(["export", "hive", "--store", str(tmp_path)]) == 0
    line = capsys.readouterr().out
    assert (line.count("\n"), json.loads(line)) == (1, only(tmp_path))
    assert run(["export", "hive", "--pretty", "--store", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{json.dumps(only(tmp_path), indent=2, ensure_ascii=False)}\n"
    assert SOLD.endswith("sales.daily")
