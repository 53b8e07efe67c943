"""Hudi's MERGE: which attributes are the table's, and which the source's."""

from __future__ import annotations

from eventlog_lineage.catalog.application_facts import NO_SETTINGS, ExecutionSummary
from eventlog_lineage.formats.hudi.rules import COMMAND, committed
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.trace_statement import trace
from eventlog_lineage.lineage.tracing.command_flows import MergeEvidence
from eventlog_lineage.model import Transformation, merge
from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Condition, Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.scans import source
from eventlog_lineage.plan.plan_text import PlanText

PLACE = "file:///shop/m"
OPEN = Operation.unbound_value
ON = Condition(
    Derivation(merge([OPEN("id", 1).sources, OPEN("id", 11).sources]), ("id = id",)),
    Transformation.JOIN,
)
INSERTED = Flow((Output("id", 1, OPEN("id", 11)),), conditions=(ON,), command=COMMAND)
UPDATED = Flow((Output("name", 2, OPEN("label", 12)),), conditions=(ON,), command=COMMAND)


def nowhere(_: str) -> str:
    return ""


def keys(flow: Flow) -> set[tuple[str, str]]:
    return {(origin.dataset, origin.column) for each in flow.conditions for origin, _ in each.derivation.sources}


def test_an_assigned_attribute_is_the_tables_though_another_plan_scans_it() -> None:
    outside = {1: Output("id", 1, source("spark_catalog.shop.m", "id"))}
    flow, unexplained = committed(INSERTED, PLACE, MergeEvidence(outside), {}, nowhere)
    assert keys(flow) == {(PLACE, "id")}
    assert unexplained == ("id",)


def test_the_attribute_that_stands_against_a_known_one_is_the_tables() -> None:
    outside = {11: Output("id", 11, source("spark_catalog.shop.u", "id"))}
    flow, unexplained = committed(UPDATED, PLACE, MergeEvidence(outside), {}, nowhere)
    assert keys(flow) == {(PLACE, "id"), ("spark_catalog.shop.u", "id")}
    assert unexplained == ("label",)


def test_attributes_of_a_relation_that_another_statement_read_too_are_the_tables() -> None:
    outside = {
        number: Output(name, number, source("spark_catalog.shop.m", name)) for number, name in ((1, "id"), (2, "name"))
    }
    flow, unexplained = committed(UPDATED, PLACE, MergeEvidence(outside), {}, nowhere)
    assert keys(flow) == {(PLACE, "id")}
    assert unexplained == ("id", "label")


def test_an_attribute_of_the_table_that_lies_at_the_place_is_the_tables() -> None:
    outside = {1: Output("id", 1, source("spark_catalog.shop.m", "id"))}
    flow, unexplained = committed(
        UPDATED, PLACE, MergeEvidence(outside), {}, {"spark_catalog.shop.m": PLACE}.__getitem__
    )
    assert keys(flow) == {(PLACE, "id")}
    assert unexplained == ("id", "label")


RELATION = "HudiFileGroup, [id#1L, who#2, amount#3], false"
VIEW = f"""== Physical Plan ==
Execute CreateViewCommand (1)
   +- CreateViewCommand (2)
         +- LogicalRelation (3)


(1) Execute CreateViewCommand
Output: []

(2) CreateViewCommand
Arguments: `v`, false, true, LocalTempView, true

(3) LogicalRelation
Arguments: {RELATION}
"""
READ = """== Physical Plan ==
Scan HudiFileGroup  (1)


(1) Scan HudiFileGroup
Output [1]: [amount#3]
Location: HoodieIncrementalFileIndex [/lake/mor]
ReadSchema: struct<amount:double>
"""
MERGED = """== Physical Plan ==
Execute MergeIntoHoodieTableCommand (1)
   +- MergeIntoHoodieTableCommand (2)


(1) Execute MergeIntoHoodieTableCommand
Output: []

(2) MergeIntoHoodieTableCommand
Arguments: MergeIntoTable (id#11L = id#1L), [updateaction(None, assignment(id#11L, 1), assignment(who#12, who#2))], []
"""


def test_an_attribute_of_a_views_relation_is_bound_where_a_scan_reads_another_one() -> None:
    plans = [PlanText(text) for text in (VIEW, READ, MERGED)]
    runs = [ExecutionSummary(at, None, "", at, at, plan.summary, "", None) for at, plan in enumerate(plans)]
    (found,) = [each for each in group_executions(runs, NO_SETTINGS) if each.root == 2]
    lineage = trace(found, {plan.summary.fingerprint: plan for plan in plans})
    unbound = [gap.detail for gap in lineage.gaps if gap.detail.startswith("no plan")]
    assert unbound == ["no plan in the log produces id"], "the target's: no job of the log names the target"
