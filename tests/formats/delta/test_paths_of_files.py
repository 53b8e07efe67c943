"""Joins and filters that Delta adds to rewrite files and their deletion vectors are no conditions of the statement."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.trace_statement import trace_texts

LOG = Path(__file__).resolve().parents[2] / "medallion_logs" / "delta_features-4-1.zstd"


def test_no_command_depends_on_the_paths_of_its_target_s_files() -> None:
    (log,) = find_logs([str(LOG)])
    lineages = [each.lineage for each in trace_log(read_log(log))]

    changes = [each for each in lineages if each.mode in {"merge", "update", "delete"}]
    assert len(changes) > 3
    assert [edge for each in changes for edge in each.edges if "_metadata.file_path" in str(edge.source_column)] == []
    assert any(edge.transformation == "JOIN" for each in changes for edge in each.edges)


@pytest.mark.parametrize(
    ("target", "mode", "expected"),
    [
        ("air.cnt", "merge", set()),
        ("lake/parts", "merge", set()),
        ("air.tracked", "merge", set()),
        ("air.tracked", "update", {"id"}),
        ("air.tracked", "delete", {"x"}),
        ("air.best", "update", {"fid"}),
    ],
)
def test_a_command_is_filtered_by_what_its_author_wrote(target: str, mode: str, expected: set[str]) -> None:
    (log,) = find_logs([str(LOG)])
    found = [each.lineage for each in trace_log(read_log(log)) if each.lineage.mode == mode]
    (lineage,) = [each for each in found if each.target is not None and each.target.name.endswith(target)]
    assert {edge.source_column for edge in lineage.edges if edge.transformation == "FILTER"} == expected


MERGE = """== Physical Plan ==
Filter (6)
+- SortMergeJoin {kind} (5)
   :- Filter (3)
   :  +- Project (2)
   :     +- Scan parquet spark_catalog.s.new (1)
   +- Scan parquet spark_catalog.s.kept (4)


(1) Scan parquet spark_catalog.s.new
Output [2]: [k#1L, v#2L]
ReadSchema: struct<k:bigint,v:bigint>

(2) Project
Output [3]: [k#1L, v#2L, true AS _source_row_present_#9]
Input [2]: [k#1L, v#2L]

(3) Filter
Input [3]: [k#1L, v#2L, _source_row_present_#9]
Condition : {below}

(4) Scan parquet spark_catalog.s.kept
Output [2]: [k#3L, _target_row_present_#8]
ReadSchema: struct<k:bigint>

(5) SortMergeJoin
Left keys [1]: [k#1L]
Right keys [1]: [k#3L]
Join type: {kind}
Join condition: None

(6) Filter
Input [5]: [k#1L, v#2L, _source_row_present_#9, k#3L, _target_row_present_#8]
Condition : {above}

"""
PRESENT = "_source_row_present_#9"
ABSENT = "isnull(_target_row_present_#8)"


@pytest.mark.parametrize(
    ("below", "kind", "above", "expected"),
    [
        (f"({PRESENT} AND isnotnull(k#1L))", "Inner", PRESENT, set()),
        (PRESENT, "LeftOuter", f"((k#3L = k#1L) OR {ABSENT})", set()),
        (PRESENT, "LeftOuter", f"(((k#3L = k#1L) AND (v#2L > 3)) OR {ABSENT})", set()),
        (PRESENT, "LeftOuter", f"((k#3L = k#1L) OR ({ABSENT} AND (v#2L > 3)))", set()),
        (PRESENT, "FullOuter", f"(((k#3L = k#1L) OR {ABSENT}) OR isnull({PRESENT}))", set()),
        (f"({PRESENT} AND (v#2L > 3))", "Inner", PRESENT, {"v"}),
        (f"((v#2L > 3) AND {PRESENT})", "Inner", PRESENT, {"v"}),
        ("(v#2L > 3)", "Inner", PRESENT, {"v"}),
    ],
)
def test_a_filter_by_the_rows_that_delta_marks_is_none_of_the_user(
    below: str, kind: str, above: str, expected: set[str]
) -> None:
    edges = trace_texts(MERGE.format(below=below, kind=kind, above=above)).edges
    assert {each.source_column for each in edges if each.transformation == "FILTER"} == expected
    assert {each.source_column for each in edges if each.transformation == "JOIN"} == {"k"}


def test_the_changes_of_a_table_at_a_path_are_those_of_the_path() -> None:
    """`table_changes_by_path('/data/t', 0)` (Delta 3.3 and 4.3): the scan's name has the snapshot, and no table."""
    snapshot = "Snapshot(path=file:/data/t/_delta_log, version=0, metadata=Metadata(7,null,List(),Some(1)))"
    name = f"Scan DeltaCDFRelation(SnapshotWithSchemaMode({snapshot},Legacy),SQLContext@24,None,Some(0),None)"
    lineage = trace_texts(
        f"""== Physical Plan ==
* {name}  (1)


(1) {name}  [codegen id : 1]
Output [2]: [_change_type#4, id#3L]
ReadSchema: struct<_change_type:string,id:bigint>
"""
    )
    assert lineage.gaps == ()
    assert [(each.source_dataset, each.source_column) for each in lineage.edges] == [
        ("file:///data/t", "_change_type"),
        ("file:///data/t", "id"),
    ]


def test_a_filter_that_delta_repeats_for_a_generated_column_is_none() -> None:
    """`WHERE ts > …` over a table with `dt DATE GENERATED ALWAYS AS (CAST(ts AS DATE))` (Delta 3.3 and 4.3)."""
    lineage = trace_texts(
        """== Physical Plan ==
* Project (3)
+- * Filter (2)
   +- Scan parquet spark_catalog.d.g (1)


(1) Scan parquet spark_catalog.d.g
Output [3]: [id#3L, ts#4, dt#5]
Batched: true
Location: PreparedDeltaFileIndex [file:/data/g]
PartitionFilters: [((dt#5 >= 2026-01-01) OR isnull((dt#5 >= 2026-01-01)))]
ReadSchema: struct<id:bigint,ts:timestamp>

(2) Filter [codegen id : 1]
Input [3]: [id#3L, ts#4, dt#5]
Condition : (isnotnull(ts#4) AND (ts#4 > 2026-01-01 00:00:05))

(3) Project [codegen id : 1]
Output [1]: [id#3L]
Input [3]: [id#3L, ts#4, dt#5]
"""
    )
    assert [each.source_column for each in lineage.edges if each.target_column is None] == ["ts"]
