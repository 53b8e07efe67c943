"""The view `field_lineage` has the rows that flink-sql-lineage documents for its cases, in Spark's form."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import pytest

from support.stores.exports import LOGS
from support.stores.rows import rows
from support.stores.staged_logs import harvest_logs

TRUTH = Path(__file__).resolve().parent / "field_lineage.truth"


class Row(NamedTuple):
    """A row of the view, its tables without catalog and database."""

    source_table: str
    source_column: str
    target_table: str
    target_column: str
    transform: str


def read_truth() -> dict[str, list[Row]]:
    """Case to its rows."""
    found: dict[str, list[Row]] = {}
    target = ""
    for line in TRUTH.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            ends, _, transform = line.strip().partition(" : ")
            source, column = ends.split(" -> ")
            table, source_column = source.split(".")
            found[list(found)[-1]].append(Row(table, source_column, target, column, transform))
        elif line and not line.startswith("#"):
            case, target = line.split(": ")
            found[case] = []
    return found


CASES = read_truth()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("field_lineage")
    harvest_logs(path, [LOGS / "field_lineage.zstd"])
    return path


@pytest.mark.parametrize("case", CASES)
def test_a_documented_case_has_the_documented_rows(store: Path, case: str) -> None:
    found = [
        Row(*row)
        for row in rows(
            store,
            "SELECT str_split(source_table, '.')[-1], source_column, str_split(target_table, '.')[-1], target_column,"
            " coalesce(transform, '') FROM field_lineage WHERE job_name = ? ORDER BY ALL",
            f"field lineage: {case}: {CASES[case][0].target_table}",
        )
    ]
    expected = sorted(CASES[case])
    assert [row[:4] for row in found] == [row[:4] for row in expected]
    for row, wanted in zip(found, expected, strict=True):
        assert fnmatchcase(row.transform, wanted.transform.replace("[", "[[]")), row


def test_rows_have_catalog_and_database_of_both_ends(store: Path) -> None:
    found = rows(
        store,
        "SELECT DISTINCT source_catalog, source_database, target_catalog, target_database FROM field_lineage"
        " WHERE target_table LIKE '%dwd_hudi_users'",
    )
    assert found == [("spark_catalog", "flink_demo", "spark_catalog", "flink_demo")]


def test_the_columns_are_those_of_flink_sql_lineage_then_ours(store: Path) -> None:
    assert [name for name, *_ in rows(store, "DESCRIBE field_lineage")] == [
        *(f"{end}_{part}" for end in ("source", "target") for part in ("catalog", "database", "table", "column")),
        *("transform", "transformation", "job_name"),
    ]
