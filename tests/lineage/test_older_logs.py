"""Logs of Spark 2.4 to 4.1 at default limits: caches, views, wide tables, long filters, brackets in literals, Hive."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
BENCHMARKS = TESTS.parent / "benchmarks"
LOGS = sorted((TESTS / "older_logs").glob("*.zstd"))
RAILED = {
    "railed: a cached wide table, one column replaced",
    "railed: a list of folders of ORC, cached",
    "railed: a wide Hive table of Parquet",
    "railed: a wide file with numbers of strings",
    "railed: a wide table filled",
    "railed: a wide table joined, all of its columns",
    "railed: a wide table with a column replaced and one added",
    "railed: a wide table with other names",
    "railed: a wide table without three columns",
    "railed: averages of thirty columns of a table",
    "railed: distinct rows of a wide table",
    "railed: forty computed columns",
    "railed: grouped by thirty keys",
    "railed: sums of sixty columns of a cached table",
    "railed: the greatest of fifty columns",
    "railed: thirty columns as rows",
    "railed: thirty windows",
}
LODGED = {
    "lodged: a ledger appended by position",
    "lodged: a wide table cast in bulk",
    "lodged: a wide table renamed in bulk",
    "lodged: ledger deduplicated",
    "lodged: sensors cleaned of nulls",
    "lodged: sums of the whole ledger",
    "lodged: survey with a computed column",
}
"""Statements of Spark 3.0 on wide tables: it prints 24 items of a list, and no plan of the log has the others."""
GAPS = {
    "older: a cached wide file, written",  # Spark cuts the projection that computes the column
    "older: a folder written from a wide view",  # and the view's
    "insured: a wide Hive table filled",  # Spark prints 24 of its 35 expressions
    "insured: a wide table with all of its columns doubled",
    "insured: a wide table, written to its kind",
    "insured: a partitioned folder by wildcard",  # and of the paths only those in the first 100 characters
    "insured: alternatives in a path",
    "insured: several paths by load",
    "insured: several paths inserted",
    "insured: three folders of CSV, cached",
    "insured: three folders of JSON",
    "insured: two folders of Parquet",
    "insured: wide files of two folders",
    "lodged: three paths of csv",
    "lodged: two paths of parquet",
    *RAILED,
    *LODGED,
}
"""Statements with a gap in some versions."""


@pytest.fixture(scope="module", autouse=True)
def _benchmarks() -> None:
    if str(BENCHMARKS) not in sys.path:
        sys.path.append(str(BENCHMARKS))


@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.stem)
def test_older_sparks_have_the_lineage_of_later_ones(log: Path) -> None:
    from everyday_sql import chosen, differences, traced_log  # noqa: PLC0415 - programs of benchmarks
    from everyday_truth import load  # noqa: PLC0415

    known = traced_log(log)
    wrong: dict[str, object] = {}
    compared = 0
    for truth in load(BENCHMARKS / "everyday", "e[0-35]_*"):
        found = chosen(known.get(truth.name, []), truth)
        if not truth.has_truth or found is None:
            continue
        compared += 1
        errors = [error for _, error in differences(found[0], truth)]
        gaps = [f"{gap.reason} {gap.detail}" for gap in found[0].gaps]
        if (errors or gaps) and not (gaps and truth.name in GAPS):
            wrong[truth.name] = (errors, gaps)
    assert wrong == {}
    assert compared >= 29


@pytest.mark.parametrize("log", [log for log in LOGS if log.stem < "3.1"], ids=lambda path: path.stem)
def test_the_hint_of_a_truncated_list_names_the_setting_of_2_4(log: Path) -> None:
    from everyday_sql import traced_log  # noqa: PLC0415 - a program of benchmarks

    gaps = [gap for lineages in traced_log(log).values() for lineage, _ in lineages for gap in lineage.gaps]
    hints = {gap.hint for gap in gaps if gap.reason == "truncated_fields"}
    assert all("spark.sql.debug.maxToStringFields (2.4: spark.debug.maxToStringFields)" in hint for hint in hints)
    assert hints
