"""`ls`, `find`, `path`, `cycles`, `udfs`, `diff`, `unused --for`; several stores, files, completion."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from eventlog_lineage.cli.main import run
from support.stores.nights import Night
from support.stores.shop import (
    CUSTOMERS,
    DAILY,
    DAILY_EDGES,
    LANDING,
    LOYAL,
    LOYAL_EDGES,
    ORDERS,
    STAGE,
    open_shop,
)

RAW, ONE, TWO, THREE = (f"spark_catalog.db.{name}" for name in ("raw", "one", "two", "three"))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("shop")
    open_shop(path)
    return str(path)


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Raw feeds one; one, two and three are a circle; one also goes to three directly, by functions of users."""
    made = Night()
    made.app()
    made.statement([(f"{RAW}!x", "x", "TRANSFORMATION", "my_mask(raw.x)")], target=ONE, execution=1)
    made.statement([(f"{ONE}!x", "x", "IDENTITY"), (f"{THREE}!y", "y", "IDENTITY")], target=TWO, execution=2)
    made.statement([(f"{TWO}!x", "x", "IDENTITY")], target=THREE, execution=3)
    made.statement([(f"{ONE}!x", "x", "TRANSFORMATION", "upper(UDF(one.x))")], target=THREE, mode="append", execution=4)
    made.statement([(f"{THREE}!x", "z", "AGGREGATION", "sum(three.x)")], target=ONE, mode="append", execution=5)
    made.statement([(f"{RAW}!x", "view_x", "IDENTITY")], target="recent", command="CreateViewCommand", execution=6)
    for row in made.rows["shown_datasets"]:
        row["kind"] = "temp_view" if row["dataset"] == "recent" else row["kind"]
    path = tmp_path_factory.mktemp("ring")
    made.harvest(path)
    return str(path)


def records(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    assert run([*words, "--json"]) == 0
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("", [LANDING, DAILY, LOYAL, CUSTOMERS, ORDERS]),
        ("ORDERS", [LANDING, ORDERS]),
        ("sales.*", [DAILY, LOYAL]),
        ("*.staging.*", [CUSTOMERS, ORDERS]),
        ("order?", [LANDING, ORDERS]),
        ("nothing", []),
    ],
)
def test_ls_lists_datasets_by_a_part_or_a_pattern(
    shop: str, pattern: str, expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert {row["dataset"] for row in records(capsys, "ls", pattern, "--store", shop)} == set(expected)


def test_ls_shows_last_writes_and_reads_and_temporary_views_if_asked(
    shop: str, ring: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (orders,) = records(capsys, "ls", "staging.orders", "--store", shop)
    known = ("kind", "columns", "last_written", "last_read", "writers", "readers")
    assert [orders[name] for name in known] == ["table", 4, "2026-11-20T01:01:00", "2026-11-20T01:04:00", 1, 1]
    assert records(capsys, "ls", "--temporary", "--store", ring)[-1]["kind"] == "temporary view"
    assert "temporary view" not in {row["kind"] for row in records(capsys, "ls", "--store", ring)}


def test_find_looks_into_names_jobs_and_expressions(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "find", "EMAIL", "--store", shop)
    assert [(row["kind"], row["name"]) for row in found] == [
        ("column", f"{CUSTOMERS}.email"),
        ("column", f"{LOYAL}.email_hash"),
        ("expression", f"{LOYAL}.email_hash"),
    ]
    assert found[-1]["detail"] == "sha2(customers.email, 256)"
    assert {row["kind"] for row in records(capsys, "find", "loyal", "--store", shop)} == {"dataset", "job"}


def test_path_shows_the_shortest_way_first(ring: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "path", "raw.x", "three.x", "--store", ring)
    ways = [[row["target_dataset"] for row in found if row["path"] == number] for number in (1, 2)]
    assert ways == [[ONE, THREE], [ONE, TWO, THREE]]
    assert records(capsys, "path", "three.x", "raw.x", "--store", ring) == []
    assert [row["step"] for row in records(capsys, "path", "db.raw", "db.two", "--store", ring)][:2] == [1, 2]


def test_path_says_if_there_are_more_ways(ring: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["path", "raw.x", "three.x", "--limit", "1", "--store", ring]) == 0
    assert "more than 1 paths" in capsys.readouterr().err


def test_cycles_show_the_shortest_circle_of_each_group(
    shop: str, ring: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (cycle,) = records(capsys, "cycles", "--store", ring)
    assert (cycle["datasets"], cycle["steps"], cycle["dependency"]) == (3, [ONE, THREE, ONE], "DIRECT")
    assert records(capsys, "cycles", "--store", shop) == []


def test_cycles_at_both_ends_of_a_chain_are_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"spark_catalog.work.t{number:02}" for number in range(30)]
    ways = [*pairwise(names), (names[2], names[0]), (names[29], names[28])]
    night = Night()
    night.app()
    for number, (source, target) in enumerate(ways):
        night.statement([(f"{source}!x", "x", "IDENTITY")], target=target, execution=number)
    night.harvest(tmp_path)
    found = records(capsys, "cycles", "--store", str(tmp_path))
    assert [(row["datasets"], row["steps"]) for row in found] == [
        (3, [names[0], names[1], names[2], names[0]]),
        (2, [names[28], names[29], names[28]]),
    ]


def test_udfs_are_calls_of_what_is_none_of_sparks_functions(ring: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "udfs", "--store", ring)
    assert [(row["function"], row["kind"], row["inputs"], row["results"]) for row in found] == [
        ("UDF", "scala or java", [f"{ONE}.x"], [f"{THREE}.x"]),
        ("my_mask", "scala or java", [f"{RAW}.x"], [f"{ONE}.x"]),
    ]


def test_upstream_at_a_time_goes_through_all_hops(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("upstream", "loyal_customers.region_revenue", "--direct-only", "--store", shop, "--at")
    before, after = records(capsys, *asked, "2026-11-19T12:00"), records(capsys, *asked, "2026-11-21")
    assert {row["source_column"] for row in before if row["depth"] == 3} == {"amount", "discount"}
    assert {row["source_column"] for row in after if row["depth"] == 3} == {"amount"}


def test_upstream_of_a_span_has_the_edges_of_all_runs_in_it(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("upstream", "loyal_customers.region_revenue", "--direct-only", "--store", shop)
    found = records(capsys, *asked, "--since", "2026-11-01", "--until", "2026-11-21")
    assert {row["source_column"] for row in found if row["depth"] == 3} == {"amount", "discount"}
    assert records(capsys, *asked, "--since", "2026-12-31") == []
    assert run([*asked, "--until", "2026-11-21"]) == 2
    assert "--until takes --since" in capsys.readouterr().err


def test_diff_between_two_times_lists_what_depends_on_each_change(
    shop: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = records(capsys, "diff", "2026-11-19T12:00", "2026-11-21", "--store", shop)
    assert [(row["kind"], row["change"], row["column_name"]) for row in found] == [
        ("column", "type_changed", "revenue"),
        ("edge", "expression_changed", "revenue"),
        ("edge", "removed", "revenue"),
    ]
    assert all(row["depends"] == [f"{LOYAL}.region_revenue"] for row in found)
    assert records(capsys, "diff", "--since", "2026-11-19T12:00", "--store", shop) == found


def test_diff_lists_what_depended_on_a_change_then(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for day, column, source in ((0, "x", ONE), (2, "y", RAW)):
        night = Night(day)
        night.app()
        night.statement([(f"{RAW}!{column}", "x", "IDENTITY")], target=ONE, execution=1)
        night.statement([(f"{source}!x", "x", "IDENTITY")], target=TWO, execution=2)
        night.harvest(tmp_path)
    at = (Night(1).start).isoformat()
    found = records(capsys, "diff", "--since", at, "--store", str(tmp_path))
    depends = {(row["change"], row["dataset"]): row["depends"] for row in found}
    assert depends["removed", ONE] == [f"{TWO}.x"]
    assert depends["removed", TWO] == []


def test_diff_between_two_stores_fails_on_what_depends(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Night()
    made.app()
    made.statement(STAGE, target=ORDERS, execution=1)
    made.statement(DAILY_EDGES, target=DAILY, mode="append", execution=2)
    made.statement(LOYAL_EDGES[1:], target=LOYAL, execution=3)
    made.harvest(tmp_path)
    assert run(["diff", shop, str(tmp_path), "--fail-on", "direct", "--format", "markdown"]) == 1
    printed = capsys.readouterr()
    assert "| edge | expression_changed | spark_catalog.sales.daily_sales | revenue |" in printed.out
    assert "| column |" not in printed.out  # the other store shows no schema: nothing is known to be missing
    assert "```mermaid" in printed.out
    assert "--fail-on direct: failed" in printed.err
    assert run(["diff", shop, shop, "--fail-on", "any"]) == 0


def test_diff_between_two_times_of_several_stores_names_the_store(
    shop: str, ring: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = records(capsys, "diff", "2026-11-19T12:00", "2026-11-21", "--store", shop, "--store", ring)
    assert {row["store"] for row in found} == {shop}
    assert [row["change"] for row in found] == ["type_changed", "expression_changed", "removed"]


def test_diff_wants_two_times_or_two_stores(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["2026-11-19"], ["--since", "7d", "a", "b"]):
        assert run(["diff", *words, "--store", shop]) == 2
        assert "Give either --since WHEN, or A and B, or a job" in capsys.readouterr().err


def test_unused_for_a_span_has_abandoned_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = Night(0)
    old.app()
    old.statement([(f"{RAW}!x", "x", "IDENTITY")], target=ONE, execution=1)
    old.statement([(f"{ONE}!x", "x", "IDENTITY")], target=TWO, execution=2)
    old.harvest(tmp_path)
    new = Night(60)
    new.app()
    new.statement([(f"{RAW}!x", "x", "IDENTITY")], target=THREE)
    new.harvest(tmp_path)
    found = records(capsys, "unused", "--for", "30d", "--store", str(tmp_path))
    assert [(row["kind"], row["dataset"], row["last_read"]) for row in found] == [
        ("dataset_unread", ONE, "2026-11-18T01:02:00"),
        ("dataset_never_read", TWO, None),
    ], "what was first written within the span is left out"
    assert ("dataset_unread", ONE) not in {
        (row["kind"], row["dataset"]) for row in records(capsys, "unused", "--for", "90d", "--store", str(tmp_path))
    }


def test_jobs_of_a_dataset_are_its_writers(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    (job,) = records(capsys, "jobs", "loyal_customers", "--store", shop)
    names = ("job_name", "runs", "failed", "last_status", "last_user", "last_success", "median_seconds")
    assert [job[name] for name in names] == [
        "nightly-sales: loyal customers",
        3,
        1,
        "failed",
        "etl",
        "2026-11-19T01:07:00",
        30.0,
    ]


def test_history_and_changes_can_be_limited(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    whole = records(capsys, "history", "daily_sales", "--store", shop)
    recent = records(capsys, "history", "daily_sales", "--since", "2026-11-20", "--store", shop)
    assert 0 < len(recent) < len(whole)
    assert {row["dataset"] for row in records(capsys, "changes", "daily_sales", "--store", shop)} == {DAILY}
    assert records(capsys, "changes", "loyal_customers", "--since", "2026-11-20", "--store", shop) == []


def test_answers_of_several_stores_name_the_store(shop: str, ring: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "ls", "--store", shop, "--store", ring)
    assert {row["store"] for row in found} == {shop, ring}
    (edge, *_) = records(capsys, "upstream", "db.one.x", "--store", shop, "--store", ring)
    assert (edge["store"], edge["source_dataset"]) == (ring, RAW)
    assert run(["upstream", "no.such.name", "--store", shop, "--store", ring]) == 2
    assert "no dataset or column of the store is called no.such.name" in capsys.readouterr().err


@pytest.mark.parametrize("position", ["before", "after"])
def test_options_may_come_before_or_after_the_command(
    shop: str, position: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--store", shop, "--log-level", "error", "--format", "jsonl"]
    assert run([*options, "ls", "daily"] if position == "before" else ["ls", "daily", *options]) == 0
    assert json.loads(capsys.readouterr().out)["dataset"] == DAILY


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "md", "parquet"])
def test_the_name_of_the_file_chooses_the_format(shop: str, ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"answer.{ending}"
    assert run(["unused", "--for", "1d", "--store", shop, "--output", str(file)]) == 0
    assert list(tmp_path.iterdir()) == [file]
    if ending == "parquet":
        table = pq.read_table(file)  # type: ignore[no-untyped-call]
        assert LOYAL in table.column("dataset").to_pylist()
        assert str(table.schema.field("last_read").type) == "timestamp[us]"
    else:
        assert LOYAL in file.read_text()


def test_an_answer_that_cannot_be_written_is_an_error(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ls", "--store", shop, "-o", "/no/such/folder/x.csv"]) == 2
    assert "cannot write the answer: No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("loy", {"loyal_customers"}),
        ("sales.", {"sales.daily_sales", "sales.loyal_customers"}),
        ("daily_sales.re", {"daily_sales.region", "daily_sales.revenue"}),
        ("zzz", set()),
    ],
)
def test_the_shell_completes_names_of_datasets_and_columns(shop: str, written: str, expected: set[str]) -> None:
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "COMP_WORDS": f"eventlog-lineage upstream {written}",
        "COMP_CWORD": "2",
        "_EVENTLOG_LINEAGE_COMPLETE": "bash_complete",
        "EVENTLOG_LINEAGE_STORE": shop,
    }
    module = [sys.executable, "-m", "eventlog_lineage"]
    printed = subprocess.run(module, env=environment, check=False, capture_output=True, text=True).stdout
    assert {line.partition(",")[2] for line in printed.splitlines() if line} == expected


def test_did_you_mean_considers_columns(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["upstream", "region_revenu", "--store", shop]) == 2
    assert f"did you mean {LOYAL}.region_revenue" in capsys.readouterr().err
