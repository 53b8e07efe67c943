"""A page holds what the store says: edges, types over time, changes, facts, panels."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.errors import UsageError
from eventlog_lineage.report.write import TEMPLATE, write_report
from eventlog_lineage.store.panels import PANELS, read_due
from support.pages.report import blocks, edges, names
from support.stores import shop
from support.stores.nights import Night
from support.stores.rows import rows
from support.stores.shop import CUSTOMERS, DAILY, LANDING, LOYAL, ORDERS


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("shop")
    shop.open_shop(made)
    return made


@pytest.fixture(scope="module")
def page(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("page") / "lineage.html"
    write_report(store, out)
    return out


def test_every_edge_of_the_store_is_in_the_page(store: Path, page: Path) -> None:
    query = """
        SELECT coalesce(concat_ws('.', source_dataset, source_column), ''),
               concat_ws('.', target_dataset, target_column), coalesce(dependency, 'NONE'),
               coalesce(transformation, ''), job_name, expression
        FROM column_lineage
    """
    assert edges(page) == set(rows(store, query))


def test_a_read_without_a_column_is_an_edge_between_datasets(tmp_path: Path) -> None:
    night = Night()
    night.app()
    night.statement([("", "n", "")], target="spark_catalog.db.counts", reads=["spark_catalog.db.a"], execution=1)
    night.harvest(tmp_path / "store")
    write_report(tmp_path / "store", tmp_path / "page.html")
    found = {edge[:3] for edge in edges(tmp_path / "page.html")}
    assert ("spark_catalog.db.a", "spark_catalog.db.counts", "TABLE") in found


def test_columns_that_differ_in_case_only_are_one(tmp_path: Path) -> None:
    night = Night()
    night.app()
    night.statement([("spark_catalog.db.a!X", "y", "IDENTITY")], target="spark_catalog.db.b", execution=1)
    night.statement([("spark_catalog.db.b!Y", "z", "IDENTITY")], target="spark_catalog.db.c", execution=2)
    night.harvest(tmp_path / "store")
    write_report(tmp_path / "store", tmp_path / "page.html")
    found = names(blocks(tmp_path / "page.html")["graph"])
    assert [name for name in found if name.lower() == "spark_catalog.db.b.y"] == ["spark_catalog.db.b.y"]


def test_an_edge_that_no_longer_holds_has_the_time_at_which_it_ended(page: Path) -> None:
    graph = blocks(page)["graph"]
    node, edge = names(graph), graph["edges"]
    ended = {
        node[source]: edge["times"][end]
        for source, target, end in zip(edge["source"], edge["target"], edge["ended"], strict=True)
        if node[target] == f"{DAILY}.revenue"
    }
    assert ended[f"{ORDERS}.amount"] is None
    assert ended[f"{ORDERS}.discount"] is not None


def test_the_types_of_a_column_are_in_the_page_with_their_times(store: Path, page: Path) -> None:
    found = blocks(page)
    spans, node = found["history"]["spans"], names(found["graph"])
    types = [
        (spans["types"][kind], end is None)
        for column, kind, end in zip(spans["column"], spans["type"], spans["to"], strict=True)
        if node[column] == f"{DAILY}.revenue"
    ]
    assert types == [("decimal(20,2)", False), ("decimal(18,2)", True)]
    assert len(found["history"]["schema"]) == rows(store, "SELECT count(*) FROM schema_changes")[0][0]
    assert len(found["history"]["lineage"]) == rows(store, "SELECT count(*) FROM lineage_changes")[0][0]


def test_a_dataset_has_its_writers_readers_and_gaps(page: Path) -> None:
    facts = blocks(page)["facts"]
    node = blocks(page)["graph"]["datasets"]["name"]
    uses = [dict(zip(facts["uses"]["names"], row, strict=True)) for row in facts["uses"]["rows"]]
    of_landing = {(use["direction"], use["job"], use["only_reads"]) for use in uses if node[use["dataset"]] == LANDING}
    assert ("read", "nightly-sales: stage orders", False) in of_landing
    assert any(only_reads for direction, _, only_reads in of_landing if direction == "read")
    assert {row[2] for row in facts["gaps"]["rows"]} == {"truncated_fields"}


def test_jobs_have_their_runs_and_datasets_their_last_write(page: Path) -> None:
    found = blocks(page)
    facts, node = found["facts"], found["graph"]["datasets"]["name"]

    def records(name: str) -> list[dict[str, object]]:
        return [dict(zip(facts[name]["names"], row, strict=True)) for row in facts[name]["rows"]]

    runs = [run for run in records("runs") if run["job"] == "nightly-sales: loyal customers"]
    assert [run["status"] for run in runs] == ["succeeded", "succeeded", "failed"]
    writes = {node[write["dataset"]]: write["status"] for write in records("writes")}
    assert writes == {ORDERS: "succeeded", DAILY: "succeeded", LOYAL: "failed"}
    tries = {(each["direction"], node[each["dataset"]]) for each in records("tries")}
    assert ("write", LOYAL) in tries


def test_the_last_night_is_the_day_before_the_last_event(store: Path, page: Path) -> None:
    night = blocks(page)["about"]["night"]
    assert night["until"] == rows(store, "SELECT max(epoch_ms(ended_at)) FROM applications")[0][0]
    assert night["until"] - night["since"] == 86_400_000
    assert (night["statements"], night["failed"], night["applications"]) == (4, 1, 1)


def test_a_change_names_who_made_it(page: Path) -> None:
    history = blocks(page)["history"]
    changed = [row for row in history["lineage"] if row[4] == "expression_changed"]
    assert {history["apps"][row[-1]] for row in changed} == {"etl · nightly-sales 2026-11-20 · app-2 · Spark 3.5.9"}


def test_the_page_has_nine_panels_with_as_many_rows_as_their_queries_give(store: Path, page: Path) -> None:
    found = blocks(page)["panels"]
    assert [panel["name"] for panel in found] == [panel.name for panel in PANELS]
    for panel, written in zip(PANELS, found, strict=True):
        assert written["total"] == len(rows(store, panel.query))
        assert all(len(row) == len(written["columns"]) for row in written["rows"])


def test_a_datasets_own_rule_replaces_its_cadence(store: Path, tmp_path: Path) -> None:
    def late(*due: str) -> dict[str, list[object]]:
        write_report(store, tmp_path / "page.html", due=read_due(due))
        panel = next(panel for panel in blocks(tmp_path / "page.html")["panels"] if panel["name"] == "late")
        names = [column["name"] for column in panel["columns"]]
        wanted = [names.index(name) for name in ("usual_gap_seconds", "times_usual")]
        assert panel["total"] == len(panel["rows"])
        return {row[0]: [row[place] for place in wanted] for row in panel["rows"]}

    own = late()
    assert own[DAILY] == [86_400, 0.0]
    ruled = late("sales.daily_sales=1h", "*.loyal_customers=2d", "sales.*=9w")
    assert ruled[DAILY] == [3600, 0.9]
    assert ruled[LOYAL] == [172_800, 0.5]
    assert ruled[ORDERS] == own[ORDERS]


def test_a_focus_keeps_what_is_within_its_hops_and_the_page_says_so(store: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    written = write_report(store, out, focus="daily_sales.revenue", depth=1)
    found = blocks(out)
    assert found["graph"]["datasets"]["name"] == sorted([CUSTOMERS, DAILY, LOYAL, ORDERS])
    assert found["about"]["focus"] == f"{DAILY}.revenue"
    assert found["about"]["left_out"] == list(written.left_out)
    assert "1 dataset" in written.left_out[0]
    outside = dict(zip(*found["graph"]["outside"][:2], strict=True))
    node = found["graph"]["datasets"]["name"]
    assert {node[number] for number, edges_in in outside.items() if edges_in} == {ORDERS}


def test_a_focus_of_no_hops_is_one_dataset(store: Path, tmp_path: Path) -> None:
    assert write_report(store, tmp_path / "page.html", focus=DAILY, depth=0).datasets == 1


def test_a_name_that_means_nothing_is_refused(store: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="dayly_sales"):
        write_report(store, tmp_path / "page.html", focus="dayly_sales")
    assert list(tmp_path.iterdir()) == []


def test_a_page_that_is_too_big_loses_what_is_missed_least_first(store: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    whole = write_report(store, out)
    less = write_report(store, out, max_bytes=whole.size - 1)
    assert less.size < whole.size
    assert [what.split(" of ")[0] for what in less.left_out][:1] == ["the expressions"]
    assert blocks(out)["about"]["left_out"] == list(less.left_out)
    indirect = [edge for edge in edges(out) if edge[2] == "INDIRECT"]
    assert indirect
    assert {edge[5] for edge in indirect} == {""}


def test_a_page_that_cannot_be_made_small_enough_is_refused_with_a_way_out(store: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--focus"):
        write_report(store, tmp_path / "page.html", max_bytes=TEMPLATE.stat().st_size)
    assert list(tmp_path.iterdir()) == []


def test_the_same_store_gives_the_same_page(store: Path, page: Path, tmp_path: Path) -> None:
    write_report(store, tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_a_place_that_cannot_be_written_is_an_error_with_its_name(store: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="missing"):
        write_report(store, tmp_path / "missing" / "page.html")


def test_an_empty_store_gives_a_page(tmp_path: Path) -> None:
    Night().begin(tmp_path / "store")
    assert write_report(tmp_path / "store", tmp_path / "page.html").datasets == 0
