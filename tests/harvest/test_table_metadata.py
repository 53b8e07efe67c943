"""What `--table-metadata` reads, and what the store makes of it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.harvest.table_metadata import metadata_rows
from support.stores.nights import Night

A, B = "spark_catalog.raw.a", "spark_catalog.sales.b"
PLACE = "s3://lake/sales/b"


def rows(store: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        return connection.execute(query).fetchall()


def test_the_commits_of_every_format_are_found_at_the_tables_place(tmp_path: Path) -> None:
    for name, content in {
        "delta/_delta_log/00000000000000000003.json": '{"commitInfo":{"timestamp":1000}}',
        "iceberg/metadata/v1.metadata.json": '{"snapshots":[]}',
        "iceberg/metadata/v2.metadata.json": '{"snapshots":[{"snapshot-id":5,"timestamp-ms":1000}]}',
        "hudi/.hoodie/timeline/20261121120626213_20261121120631000.commit": "",
        "paimon/snapshot/snapshot-7": '{"id":7,"timeMillis":1000}',
        "plain/part-0.parquet": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    names = ("delta", "iceberg", "hudi", "paimon", "plain", "nothing")
    found = {
        str(row[0]).rpartition("/")[2]: row[1]
        for _, row in metadata_rows(f"file://{tmp_path}/{each}" for each in names)
    }
    assert found == {"delta": "3", "iceberg": "5", "hudi": "20261121120626213", "paimon": "7"}


def test_a_commit_within_one_statements_time_makes_its_snapshot_exact(tmp_path: Path) -> None:
    made = Night()
    made.app()
    made.statement([(f"{A}!x", "x", "IDENTITY")], target=B)
    made.place(B, PLACE)
    begun = made.rows["executions"][0]["started_at"]
    commits = {"5": timedelta(milliseconds=1), "6": timedelta(days=3)}
    for version, later in commits.items():
        made.add("table_commits", location=PLACE, snapshot_id=version, committed_at=begun + later)
    made.add(
        "run_snapshots", app_id="app-0", attempt_id="", execution_id=1, dataset=PLACE, direction="write",
        snapshot_id="4", snapshot_confidence="inferred",
    )  # fmt: skip
    made.harvest(tmp_path)
    found = "SELECT snapshot_id, snapshot_confidence FROM dataset_io WHERE direction = 'write'"
    assert rows(tmp_path, found) == [("5", "exact")]


def test_two_commits_within_one_statements_time_tell_nothing(tmp_path: Path) -> None:
    made = Night()
    made.app()
    made.statement([(f"{A}!x", "x", "IDENTITY")], target=B)
    made.place(B, PLACE)
    begun = made.rows["executions"][0]["started_at"]
    for version in ("5", "6"):
        made.add("table_commits", location=PLACE, snapshot_id=version, committed_at=begun + timedelta(milliseconds=1))
    made.harvest(tmp_path)
    assert rows(tmp_path, "SELECT snapshot_id FROM dataset_io WHERE direction = 'write'") == [(None,)]


@pytest.mark.parametrize(
    ("commits", "told"),
    [
        ({"5": -1, "7": 86_400_000}, ("5", "inferred")),
        ({"4": -2000, "5": -1}, (None, None)),
        ({"5": -1, "6": 1}, (None, None)),
        ({"6": 86_400_000}, (None, None)),
    ],
    ids=[
        "the only one before it began",
        "it may be of an older one",
        "another one came while it ran",
        "none before it",
    ],
)
def test_a_read_is_of_the_only_commit_before_its_statement(
    tmp_path: Path, commits: dict[str, int], told: tuple[str | None, str | None]
) -> None:
    made = Night()
    made.app()
    made.statement([(f"{A}!x", "x", "IDENTITY")], target=B)
    made.place(A, PLACE)
    begun = made.rows["executions"][0]["started_at"]
    for version, later in commits.items():
        at = begun + timedelta(milliseconds=later)
        made.add("table_commits", location=PLACE, snapshot_id=version, committed_at=at)
    made.harvest(tmp_path)
    found = "SELECT snapshot_id, snapshot_confidence FROM dataset_io WHERE direction = 'read'"
    assert rows(tmp_path, found) == [told]


def reading(folder: Path, commits: list[dict[str, object]], **moved: int) -> list[tuple[object, ...]]:
    """The snapshot of a read of A; the times of commits are milliseconds from the statement's start."""
    made = Night()
    made.app()
    made.statement([(f"{A}!x", "x", "IDENTITY")], target=B)
    made.place(A, PLACE)
    begun = made.rows["executions"][0]["started_at"]
    for commit in commits:
        at = begun + timedelta(milliseconds=int(str(commit["at"])))
        rest = {key: value for key, value in commit.items() if key != "at"}
        made.add("table_commits", location=PLACE, committed_at=at, **rest)
    made.add("io_metrics", app_id="app-0", attempt_id="", execution_id=1, dataset=A, direction="read", **moved)
    made.harvest(folder)
    return rows(folder, "SELECT snapshot_id, snapshot_confidence FROM dataset_io WHERE direction = 'read'")


SMALL = {"snapshot_id": "4", "at": -3000, "files": 1, "bytes": 100}
LARGE = {"snapshot_id": "5", "at": -2000, "files": 2, "bytes": 250}


def test_a_read_of_all_files_of_the_current_snapshot_is_of_that(tmp_path: Path) -> None:
    assert reading(tmp_path, [SMALL, LARGE], files=2, bytes=250) == [("5", "inferred")]


def test_a_read_that_may_be_of_an_older_snapshot_has_none(tmp_path: Path) -> None:
    assert reading(tmp_path, [SMALL, LARGE], files=1, bytes=100) == [(None, None)]


def test_a_read_after_a_rollback_is_of_what_is_current_again(tmp_path: Path) -> None:
    commits = [
        {**SMALL, "is_current": False},
        {**LARGE, "is_current": False},
        {"snapshot_id": "4", "at": -3000, "is_commit": False},
        {"snapshot_id": "5", "at": -2000, "is_commit": False},
        {"snapshot_id": "4", "at": -1000, "is_commit": False},
    ]
    assert reading(tmp_path, commits, files=1, bytes=100) == [("4", "inferred")]


def test_a_commit_to_a_branch_is_not_what_a_table_is_read_at(tmp_path: Path) -> None:
    commits = [{**SMALL, "is_current": False}, {**LARGE, "is_current": False}, {**SMALL, "is_commit": False}]
    assert reading(tmp_path, commits, files=1, bytes=100) == [("4", "inferred")]


def test_a_commit_that_no_statement_shows_is_a_gap(tmp_path: Path) -> None:
    made = Night()
    made.app()
    made.statement([(f"{A}!x", "x", "IDENTITY")], target=B)
    made.place(A, PLACE)
    begun = made.rows["executions"][0]["started_at"]
    made.add("table_commits", location=PLACE, snapshot_id="5", committed_at=begun + timedelta(milliseconds=1))
    made.add("table_commits", location=PLACE, snapshot_id="6", committed_at=begun + timedelta(days=3))
    made.harvest(tmp_path)
    found = rows(tmp_path, "SELECT reason, detail FROM gaps WHERE operator = 'table metadata'")
    assert [(reason, str(detail).partition(" at ")[0]) for reason, detail in found] == [
        ("unknown_target", f"no statement of the log writes {A}")
    ]


def test_a_commit_before_a_procedure_with_a_name_is_its_own(tmp_path: Path) -> None:
    made = Night()
    made.app()
    made.statement([(f"{A}!x", "x", "IDENTITY")], target=B)
    made.statement(target=A, mode="maintenance", execution=2)
    made.statement([(f"{B}!x", "x", "IDENTITY")], target=A, execution=3)
    made.place(A, PLACE)
    starts = [each["started_at"] for each in made.rows["executions"]]
    made.add("table_commits", location=PLACE, snapshot_id="5", committed_at=starts[1] - timedelta(milliseconds=1))
    made.add("table_commits", location=PLACE, snapshot_id="6", committed_at=starts[2] - timedelta(milliseconds=1))
    made.harvest(tmp_path)
    found = rows(tmp_path, "SELECT detail FROM gaps WHERE operator = 'table metadata'")
    assert [str(detail).rpartition(" ")[2] for (detail,) in found] == ["6"]


def test_schemas_in_metadata_explain_an_alter_of_an_earlier_harvest_and_stay_for_later_ones(tmp_path: Path) -> None:
    first, second, third = Night(), Night(1), Night(2)
    first.app()
    first.show(first.statement(target=B, command="Create"), B, "a:int", evidence="create")
    altered = first.statement(target=B, mode="alter", execution=2, command="AlterTable")
    first.show(altered, B, evidence="alter", extent="codes", words=["AddColumn@1234567"])
    first.place(B, PLACE)
    first.harvest(tmp_path)
    unknown = "SELECT count(*) FROM gaps WHERE reason = 'unknown_change'"
    assert rows(tmp_path, unknown) == [(1,)]

    a, z = ({"name": name, "data_type": kind, "derivation": ""} for name, kind in (("a", "int"), ("z", "date")))
    second.add("seen_schemas", location=PLACE, schema_id="0", columns=[a], comments=[])
    second.add("seen_schemas", location=PLACE, schema_id="1", columns=[a, z], comments=[])
    second.harvest(tmp_path)
    added = "SELECT column_name, new_value, confidence FROM schema_changes WHERE change = 'column_added'"
    assert rows(tmp_path, unknown) == [(0,)]
    assert rows(tmp_path, added) == [("z", "date", "exact")]

    third.app()
    third.show(third.statement(target=B, reads=[A]), B, "a:int", "z:date", "y:int")
    third.harvest(tmp_path)
    assert sorted(rows(tmp_path, added)) == [("y", "int", "exact"), ("z", "date", "exact")]
