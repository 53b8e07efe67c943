"""Views over files: their definitions print no path, a scan of their readers does."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.statement import AttributeLink
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason

VIEW = """== Physical Plan ==
Execute CreateViewCommand (1)
   +- CreateViewCommand (2)
         +- LogicalRelation (3)


(1) Execute CreateViewCommand
Output: []

(2) CreateViewCommand
Arguments: `v`, false, true, LocalTempView, true

(3) LogicalRelation
Arguments: parquet, [id#1L, name#2, day#3], false

"""
CUT = VIEW.replace("day#3], false", "... 4 more fields], false")
SCAN = """== Physical Plan ==
* ColumnarToRow (2)
+- Scan parquet  (1)


(1) Scan parquet
Output [1]: [name#2]
Batched: true
Location: InMemoryFileIndex [s3://lake/raw/people]
ReadSchema: struct<name:string>

(2) ColumnarToRow
Input [1]: [name#2]

"""


def test_a_scan_of_one_column_shows_the_path_of_all() -> None:
    lineage = trace_texts(VIEW, SCAN, size=1, links=[AttributeLink(0, 1, 1, 0)])
    assert lineage.gaps == ()
    assert [(edge.source_dataset, edge.source_column, edge.target_column) for edge in lineage.edges] == [
        ("s3://lake/raw/people", name, name) for name in ("id", "name", "day")
    ]


@pytest.mark.parametrize(
    ("location", "missing"),
    [
        ("InMemoryFileIndex [s3://lake/raw/people, ... 3 entries]", True),
        ("InMemoryFileIndex(3 paths)[s3://lake/raw/people, s3://lake/raw/others, ...]", True),
        ("InMemoryFileIndex(2 paths)[s3://lake/raw/people, s3://lake/raw/others]", False),
    ],
)
def test_a_view_lacks_the_paths_that_the_scan_of_its_reader_lacks(location: str, missing: bool) -> None:
    scan = SCAN.replace("InMemoryFileIndex [s3://lake/raw/people]", location)
    lineage = trace_texts(VIEW, scan, size=1, links=[AttributeLink(0, 1, 1, 0)])
    assert [gap.reason for gap in lineage.gaps] == [GapReason.UNKNOWN_SOURCE] * missing


def test_a_view_that_nobody_reads_is_reported_once_and_not_as_an_unknown_source() -> None:
    for text in (VIEW, CUT):
        (gap,) = trace_texts(text).gaps
        assert gap.reason is GapReason.UNREAD_VIEW
        assert "parquet files" in gap.detail


def test_columns_that_spark_truncated_stay_a_gap_of_a_view_that_is_read() -> None:
    lineage = trace_texts(CUT, SCAN, size=1, links=[AttributeLink(0, 1, 1, 0)])
    assert [gap.reason for gap in lineage.gaps] == [GapReason.TRUNCATED_FIELDS]


FILES = """== Physical Plan ==
* Scan {format}  (1)


(1) Scan {format}
Output [1]: [v#1L]
Location: InMemoryFileIndex [{paths}]
ReadSchema: struct<v:bigint>

"""
PART = "part-00000-f3f1a7bc-cba2-4f8d-b136-fb78b6173639-c000.snappy.parquet"


@pytest.mark.parametrize(
    ("file_format", "paths", "expected", "missing"),
    [
        ("parquet", f"file:/lake/north/{PART}, ... 1 entries", {"file:///lake/north"}, True),
        ("orc", f"file:/lake/north/{PART}, ... 40 entries", {"file:///lake/north"}, True),
        (
            "json",
            f"file:/lake/north/{PART}, file:/lake/south/{PART}",
            {"file:///lake/north", "file:///lake/south"},
            False,
        ),
        ("csv", f"file:/lake/north/{PART}, file:/lake/north/{PART}", {"file:///lake/north"}, False),
        ("text", f"file:/lake/north/{PART}, ... 1 entries", {"file:///lake/north"}, False),
    ],
)
def test_files_that_are_not_printed_may_be_of_another_folder(
    file_format: str, paths: str, expected: set[str], missing: bool
) -> None:
    lineage = trace_texts(FILES.format(format=file_format, paths=paths))
    assert {each.source_dataset for each in lineage.edges} == expected
    assert bool(lineage.gaps) == missing
