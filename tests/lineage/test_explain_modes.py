"""A statement's lineage is the same, whatever the explain mode in which Spark logged its plan."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import Confidence, GapReason

PLANS = Path(__file__).parent / "explain_modes"
MODES = ("3.5-extended", "3.5-cost", "3.5-simple", "3.5-none", "3.0-extended")

CUT = {"take_ordered/wide", "window/wide"}
"""Wide lists, which these modes cut after 24 items and formatted text does not."""

OF_THE_VERSION = {
    "generate/explode",  # 3.5 filters out empty arrays before it explodes them
    "generate/exploded_struct",
    "generate/inline",
    "hive_scan/partition_filter",  # 3.0 does not print what it prunes Hive partitions by
}

AGGREGATES_WITHOUT_RESULTS = {
    "aggregate/count_distinct",
    "aggregate/count_distincts",
    "expand/rollup",
    "in_memory_scan/filled",
    "in_memory_scan/named",
    "reused_exchange/self_join",
}
"""Simple text and `sparkPlanInfo` print no results of aggregates, and no attributes of caches."""

HIDDEN = {"local_table_scan/empty", "relation_scan/pushed_aggregate"}
"""Statements whose physical plans do not name the table; extended text has the analyzed plan."""


@cache
def plans(name: str) -> Mapping[str, str]:
    pieces = re.split(r"^##### (\S+)\n", (PLANS / f"{name}.plans").read_text(), flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


@cache
def lineage(name: str, case: str) -> StatementLineage:
    return trace_texts(plans(name)[case].rstrip("\n") + "\n")


def edges(lineage: StatementLineage) -> set[tuple[object, ...]]:
    """The edges, with columns by place: an aggregate's own name for its result differs from the query's."""
    return {
        (edge.source_dataset, edge.source_column, edge.target_dataset, edge.target_ordinal, edge.transformation)
        for edge in lineage.edges
    }


def comparable() -> list[tuple[str, str]]:
    cases = []
    for mode in MODES:
        left_out = CUT | (OF_THE_VERSION if mode.startswith("3.0") else set())
        left_out = left_out | (AGGREGATES_WITHOUT_RESULTS if mode.endswith(("simple", "none")) else set())
        left_out = left_out | (HIDDEN if mode.endswith("extended") else set())
        known = plans("3.5-formatted")
        cases += [(mode, case) for case in plans(mode) if case not in left_out and case in known]
    return cases


@pytest.mark.parametrize(("mode", "case"), comparable())
def test_a_statement_has_the_edges_that_its_formatted_text_gives(mode: str, case: str) -> None:
    assert edges(lineage(mode, case)) == edges(lineage("3.5-formatted", case))


@pytest.mark.parametrize("case", sorted(HIDDEN))
def test_an_analyzed_plan_names_the_table_that_the_physical_one_does_not(case: str) -> None:
    formatted, extended = lineage("3.5-formatted", case), lineage("3.5-extended", case)
    assert {gap.reason for gap in formatted.gaps} <= {GapReason.UNKNOWN_SOURCE}
    assert extended.gaps == ()
    assert {edge.source_dataset for edge in extended.edges} <= {"spark_catalog.default.orders", "derby.APP.PEOPLE"}
    assert {edge.confidence for edge in extended.edges} == {Confidence.EXACT}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", sorted(CUT))
def test_what_a_mode_cuts_off_is_a_gap_and_no_wrong_edge(mode: str, case: str) -> None:
    found = lineage(mode, case)
    assert edges(found) < edges(lineage("3.5-formatted", case))
    assert GapReason.TRUNCATED_FIELDS in {gap.reason for gap in found.gaps}


def test_the_results_of_aggregates_are_exact_where_a_logical_plan_tells_them() -> None:
    told = lineage("3.5-extended", "aggregate/group_by")
    assert {edge.confidence for edge in told.edges} == {Confidence.EXACT}
    assert "sum(orders.amount)" in {edge.expression for edge in told.edges}


def test_the_results_of_aggregates_are_inferred_where_nothing_prints_them() -> None:
    told = lineage("3.5-simple", "aggregate/group_by")
    made = {edge.confidence for edge in told.edges if edge.target_ordinal and edge.source_column == "amount"}
    assert made == {Confidence.INFERRED}


PIVOTED = """== Physical Plan ==
*(3) Project [k#1L, __pivot_sum(spark_catalog.d.t.v) AS `sum(spark_catalog.d.t.v)`#9[0] AS eu#10]
+- HashAggregate(keys=[k#1L], functions=[pivotfirst(r#2, sum(spark_catalog.d.t.v)#8, eu, us, 0, 0)])
   +- Exchange hashpartitioning(k#1L, 2), ENSURE_REQUIREMENTS, [plan_id=7]
      +- HashAggregate(keys=[k#1L], functions=[partial_pivotfirst(r#2, sum(spark_catalog.d.t.v)#8, eu, us, 0, 0)])
         +- *(2) HashAggregate(keys=[k#1L, r#2], functions=[sum(v#3)])
            +- Exchange hashpartitioning(k#1L, r#2, 2), ENSURE_REQUIREMENTS, [plan_id=5]
               +- *(1) HashAggregate(keys=[k#1L, r#2], functions=[partial_sum(v#3)])
                  +- *(1) ColumnarToRow
                     +- FileScan parquet spark_catalog.d.t[k#1L,v#3,r#2] Batched: true, DataFilters: [], \
Format: Parquet, Location: InMemoryFileIndex(1 paths)[file:/lake/t], PartitionFilters: [], PushedFilters: [], \
ReadSchema: struct<k:bigint,v:double,r:string>
"""
"""The results of the aggregates, `pivotfirst(…)#8 AS __pivot_sum(…)#9`, are only in other modes."""


def test_an_expression_over_a_result_that_simple_text_does_not_print_is_a_gap() -> None:
    assert [gap.detail for gap in trace_texts(PIVOTED).gaps] == ["eu: the text does not print what makes them"]
