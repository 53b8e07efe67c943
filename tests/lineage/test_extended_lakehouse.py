"""What extended text tells of lakehouse statements, and what not even extended text does."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import TracedStatement, trace_log
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.printed.sections import split_sections
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef, SnapshotRole, TableRef

LOGS = Path(__file__).resolve().parent.parent / "lakehouse_logs"
ROWS = """== Parsed Logical Plan ==
AppendData RelationV2[id#9L] cat.db.t, false
+- LogicalRDD [id#1L], false

== Analyzed Logical Plan ==
AppendData RelationV2[id#9L] cat.db.t, false
+- LogicalRDD [id#1L], false

== Optimized Logical Plan ==
AppendData RelationV2[id#9L] cat.db.t, false, x@1
+- LogicalRDD [id#1L], false

== Physical Plan ==
AppendData org.example.TheirWrite@1f
+- *(1) Scan ExistingRDD[id#1L]
"""
NAMED = ROWS.replace("LogicalRDD [id#1L], false", "RelationV2[id#1L] cat.db.s s").replace(
    "*(1) Scan ExistingRDD[id#1L]", "*(1) Scan ExistingRDD[id#1L]"
)


def statements(log: str, description: str) -> list[TracedStatement]:
    (found,) = find_logs([str(LOGS / f"{log}.zstd")])
    return [each for each in trace_log(read_log(found)) if each.root.description == description]


def test_rows_of_the_drivers_program_have_no_source_in_any_plan() -> None:
    (made,) = statements("paimon-extended-3-5", "table: made")
    assert made.lineage.target is not None
    assert made.lineage.target.name == "paimon.shop.keyed"
    assert {edge.source_dataset for edge in made.lineage.edges} == {None}
    assert [gap.reason for gap in made.lineage.gaps] == [GapReason.UNKNOWN_SOURCE]


@pytest.mark.parametrize("log", ["hudi-extended-3-5", "iceberg-extended-3-5"])
def test_a_merge_whose_result_nobody_collected_has_a_gap_that_says_what_to_do(log: str) -> None:
    (merge,) = statements(log, "merge: not collected")
    assert GapReason.UNKNOWN_SOURCE in {gap.reason for gap in merge.lineage.gaps}
    assert all("collect" in gap.hint for gap in merge.lineage.gaps)


def test_a_connectors_rdd_has_no_lineage_where_the_analyzed_plan_has_none() -> None:
    lineage = trace_texts(ROWS)
    assert {edge.source_dataset for edge in lineage.edges} == {None}
    assert {gap.reason for gap in lineage.gaps} >= {GapReason.UNKNOWN_SOURCE}


def test_an_analyzed_plan_names_the_target_and_the_source_that_the_physical_plan_hides() -> None:
    lineage = trace_texts(NAMED)
    assert lineage.target is not None
    assert (lineage.target.name, lineage.mode) == ("cat.db.t", "append")
    assert [(edge.source_dataset, edge.source_column, edge.target_column) for edge in lineage.edges] == [
        ("cat.db.s", "id", "id")
    ]
    assert lineage.gaps == ()
    assert [use.columns for use in lineage.accesses if use.direction == "read"] == [("id",)]


def test_the_result_of_a_command_is_a_part_of_its_statement() -> None:
    found = statements("iceberg-extended-3-5", "merge: all clauses")
    assert [len(each.members) for each in found] == [2]


def test_an_analyzed_plan_begins_with_its_columns_unless_it_is_a_commands() -> None:
    command = split_sections(ROWS)
    query = split_sections(ROWS.replace("== Analyzed Logical Plan ==\n", "== Analyzed Logical Plan ==\nid: bigint\n"))
    assert command is not None
    assert query is not None
    assert command.analyzed == query.analyzed
    assert command.analyzed.startswith("AppendData ")


def test_formatted_text_has_no_logical_plan() -> None:
    text = "== Physical Plan ==\nScan ExistingRDD (1)\n\n\n(1) Scan ExistingRDD\nOutput: []\n\n"
    assert PlanText(text).logical == ()


def test_a_text_of_one_line_an_operator_names_the_snapshots_that_formatted_text_does() -> None:
    scan = "+- *(1) Scan ExistingRDD Delta Table State #4 - file:/t/_delta_log[a#1]\n"
    text = f"== Physical Plan ==\n*(1) Project [a#1]\n{scan}"
    assert PlanText(text).facts == (SnapshotRef(SnapshotRole.LOADED, TableRef("file:///t", format="delta"), "4"),)


def test_an_answer_from_metadata_under_the_querys_own_name_is_a_gap() -> None:
    outer = """== Physical Plan ==
AtomicCreateTableAsSelect (1)


(1) AtomicCreateTableAsSelect
Arguments: org.apache.spark.sql.delta.catalog.DeltaCatalog@1f, db.t, Aggregate [max(id#3L) AS last#2L], \
TableSpec(Map(),Some(delta),Map(),None,None,None,None,false,List()), false

"""
    rows = """== Physical Plan ==
LocalTableScan (1)


(1) LocalTableScan
Output [1]: [last#2L]
Arguments: [last#2L]

"""
    lineage = trace_texts(outer, rows)
    assert [gap.reason for gap in lineage.gaps] == [GapReason.UNKNOWN_SOURCE]
    assert "explainMode=extended" in lineage.gaps[0].hint


def test_the_aggregate_of_a_count_is_no_answer_from_metadata() -> None:
    text = """== Physical Plan ==
Execute InsertIntoDataSourceDirCommand (1)
   +- InsertIntoDataSourceDirCommand (2)
         +- Aggregate (5)
            +- Aggregate (4)
               +- LogicalRelation (3)


(1) Execute InsertIntoDataSourceDirCommand
Output: []

(2) InsertIntoDataSourceDirCommand
Arguments: Storage(Location: /out), csv, true

(3) LogicalRelation
Arguments: parquet, [k#1, v#2L], `spark_catalog`.`db`.`t`, serde, false

(4) Aggregate
Arguments: [k#1], [k#1, count(1) AS n#3L]

(5) Aggregate
Arguments: [k#1], [k#1, max(n#3L) AS n#4L]

"""
    lineage = trace_texts(text)
    assert lineage.gaps == ()
    assert [(each.target_column, each.source_column) for each in lineage.edges if each.target_column] == [
        ("k", "k"),
        ("n", None),
    ]


def test_the_place_of_a_delete_is_that_of_the_state_it_loaded() -> None:
    command = """== Physical Plan ==
Execute DeleteCommand (1)
   +- DeleteCommand (2)
         +- LogicalRelation (3)


(1) Execute DeleteCommand
Output [1]: [num_affected_rows#9L]

(2) DeleteCommand
Arguments: org.apache.spark.sql.delta.DeltaLog@3b7eb94c, (amount#3 > 100.0)

(3) LogicalRelation
Arguments: parquet, [id#1L, amount#3], false

"""
    state = """== Physical Plan ==
* Scan ExistingRDD Delta Table State #1 - file:/lake/orders/_delta_log (1)


(1) Scan ExistingRDD Delta Table State #1 - file:/lake/orders/_delta_log [codegen id : 1]
Output [1]: [add#5]
Arguments: [add#5], Delta Table State #1 - file:/lake/orders/_delta_log MapPartitionsRDD[9]

"""
    lineage = trace_texts(command, state)
    assert lineage.target is not None
    assert (lineage.target.name, lineage.mode, lineage.gaps) == ("file:///lake/orders", "delete", ())
    assert [(edge.source_column, edge.transformation) for edge in lineage.edges] == [("amount", "FILTER")]
