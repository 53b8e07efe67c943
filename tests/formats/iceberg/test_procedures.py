"""Procedures of Iceberg: their results in plans of Spark 4, and the tables in the SQL of a description."""

from __future__ import annotations

import pytest

from eventlog_lineage.catalog.application_facts import NO_SETTINGS, ExecutionSummary
from eventlog_lineage.formats.iceberg.rules import is_call_result, maintained_table
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.trace_statement import trace, trace_texts
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import PlanText

LOOKUP = """== Physical Plan ==
BroadcastHashJoin Inner BuildRight (3)
:- Scan (1)
+- BatchScan lake.shop.orders.entries (2)


(1) Scan
Output [1]: [obj#11]
Arguments: obj#11: org.apache.iceberg.spark.SparkTableUtil$SparkPartition, ParallelCollectionRDD[3] at parallelize

(2) BatchScan lake.shop.orders.entries
Output [1]: [status#12]
IcebergScan(table=lake.shop.orders.entries, schemaId=0, snapshotId=null, branch=null, filters=, groupedBy=)

(3) BroadcastHashJoin
Left keys [1]: [obj#11]
Right keys [1]: [status#12]
Join type: Inner
Join condition: None
"""


def result(*columns: str) -> str:
    listed = ", ".join(f"{name}#{number}L" for number, name in enumerate(columns, 1))
    head = "== Physical Plan ==\nCommandResult (1)\n   +- LocalTableScan (2)\n\n\n(1) CommandResult\n"
    return f"{head}Output [{len(columns)}]: [{listed}]\nArguments: [{listed}]\n"


@pytest.mark.parametrize(
    ("columns", "is_call"),
    [
        (("previous_snapshot_id", "current_snapshot_id"), True),
        (("source_snapshot_id", "current_snapshot_id"), True),
        (("branch_updated", "previous_ref", "updated_ref"), True),
        (("rewritten_data_files_count", "added_data_files_count"), True),
        (("snapshot_id", "timestamp"), False),
        (("current_snapshot_id",), False),
        (("namespace", "tableName"), False),
    ],
)
def test_the_columns_of_a_result_show_a_procedure_that_changes_a_table(columns: tuple[str, ...], is_call: bool) -> None:
    assert is_call_result(result(*columns)) is is_call


@pytest.mark.parametrize(
    ("description", "table"),
    [
        ("CALL lake.system.rollback_to_snapshot('shop.orders', 12)", "lake.shop.orders"),
        ("call `lake`.system.set_current_snapshot(ref => 'b1', table => 'shop.orders')", "lake.shop.orders"),
        ("CALL lake.system.fast_forward('lake.shop.orders', 'main', 'dev')", "lake.shop.orders"),
        ("Rewriting 1 files (BIN-PACK) in lake.shop.orders", "lake.shop.orders"),
        ("Deleting orphan files (older_than=17,location=file:///lake/shop) from lake.shop.orders", "lake.shop.orders"),
        ("Computing table stats for lake.shop.orders (snapshot_id=1, columns=id)", "lake.shop.orders"),
        ("Deleting files reachable from file:/lake/shop/orders/metadata/v1.metadata.json", ""),
        ("CALL lake.system.remove_orphan_files(dry_run => true)", ""),
        ("CALL lake.system.create_changelog_view(table => 'shop.orders')", ""),
        ("CALL lake.other.rollback('shop.orders')", ""),
        ("nightly load of orders", ""),
    ],
)
def test_a_description_names_the_table_of_a_procedure(description: str, table: str) -> None:
    assert maintained_table(description) == table


@pytest.mark.parametrize(
    ("columns", "mode"), [(("added_files_count", "changed_partition_count"), "append"), (("snapshot_id",), "")]
)
def test_the_lookup_of_files_names_the_table_that_imports_them(columns: tuple[str, ...], mode: str) -> None:
    plans = [PlanText(LOOKUP), PlanText(result(*columns))]
    runs = [ExecutionSummary(at, at, "", at, at, plan.summary, "", None) for at, plan in enumerate(plans)]
    found = group_executions(runs, NO_SETTINGS)[-1]
    lineage = trace(found, {plan.summary.fingerprint: plan for plan in plans})
    assert (lineage.mode, lineage.target.name if lineage.target else "") == (mode, "lake.shop.orders" if mode else "")
    assert [gap.reason for gap in lineage.gaps] == ([GapReason.UNKNOWN_SOURCE] if mode else [])


ANALYZED = """\
== Parsed Logical Plan ==
Call lake.system.{name}({arguments})
+- 'UnresolvedProcedure [lake, system, {name}]

== Analyzed Logical Plan ==
n: bigint
CommandResult [n#1L], LocalTableScan [n#1L], [[1]]
   +- Call lake.system.{name}({arguments})
      +- ResolvedProcedure org.apache.iceberg.spark.SparkCatalog@2, system.{name}, org.apache.iceberg.P@3

== Optimized Logical Plan ==
CommandResult [n#1L], LocalTableScan [n#1L], [[1]]

== Physical Plan ==
CommandResult [n#1L]
   +- LocalTableScan [n#1L]
"""
PARSED = """\
== Parsed Logical Plan ==
'CallStatement [lake, system, {name}], [{arguments}]

== Analyzed Logical Plan ==
n: bigint
Call[n#1L] AddFiles

== Optimized Logical Plan ==
CommandResult [n#1L], CallExec[n#2L] AddFiles, [[1]]
   +- Call[n#1L] AddFiles

== Physical Plan ==
CommandResult [n#1L]
   +- CallExec[n#2L] AddFiles
"""
CALLED = "== Physical Plan ==\nCallExec[n#2L] AddFiles\n"
FILES = "file:///raw/in"


def written(*texts: str) -> tuple[str, str, list[str], list[GapReason]]:
    lineage = trace_texts(*texts)
    assert lineage.target is not None
    reads = [use.dataset.name for use in lineage.accesses if use.direction == "read"]
    return lineage.target.name, lineage.mode, reads, [gap.reason for gap in lineage.gaps]


@pytest.mark.parametrize(
    ("name", "arguments", "found"),
    [
        ("fast_forward", "shop.orders, main, dev", ("lake.shop.orders", "maintenance", [], [])),
        ("add_files", "shop.orders, `parquet`.`/raw/in`, cast(null as int)", ("lake.shop.orders", "append", [FILES])),
        ("snapshot", "raw.orders, shop.orders", ("lake.shop.orders", "create", ["spark_catalog.raw.orders"])),
    ],
)
def test_the_analyzed_plan_of_spark_4_names_the_table_of_a_call(
    name: str, arguments: str, found: tuple[object, ...]
) -> None:
    unknown = [] if name == "fast_forward" else [GapReason.UNKNOWN_SOURCE]
    assert written(ANALYZED.format(name=name, arguments=arguments)) == (*found[:3], unknown)


@pytest.mark.parametrize(
    ("name", "arguments", "found"),
    [
        (
            "add_files",
            "NamedArgument(table,shop.orders), NamedArgument(source_table,`parquet`.`/raw/in`)",
            ("lake.shop.orders", "append", [FILES]),
        ),
        (
            "add_files",
            "PositionalArgument(shop.orders), PositionalArgument(raw.orders)",
            ("lake.shop.orders", "append", ["spark_catalog.raw.orders"]),
        ),
        (
            "snapshot",
            "PositionalArgument(raw.orders), PositionalArgument(shop.orders)",
            ("lake.shop.orders", "create", ["spark_catalog.raw.orders"]),
        ),
    ],
)
def test_a_parsed_call_names_what_it_imports(name: str, arguments: str, found: tuple[object, ...]) -> None:
    text = PARSED.format(name=name, arguments=arguments)
    assert written(CALLED, text) == (*found, [GapReason.UNKNOWN_SOURCE])
