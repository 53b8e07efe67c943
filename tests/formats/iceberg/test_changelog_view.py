"""Views of tables' changes, where the plan of the CALL prints only a description, and of tables that a path names."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.results.lineage_names import render_lineage
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.lineage.tracing.resolve_plan import resolve
from eventlog_lineage.plan.plan_text import PlanText

CALL = "== Physical Plan ==\nCallExec[changelog_view#1499] CreateChangelogViewProcedure\n"
RESULT = """\
== Parsed Logical Plan ==
'CallStatement [lake, system, create_changelog_view], [{arguments}]

== Analyzed Logical Plan ==
changelog_view: string
Call[changelog_view#1484] CreateChangelogViewProcedure

== Optimized Logical Plan ==
CommandResult [changelog_view#1484], CallExec[changelog_view#1499] CreateChangelogViewProcedure, [[changes]]
   +- Call[changelog_view#1484] CreateChangelogViewProcedure

== Physical Plan ==
CommandResult [changelog_view#1484]
   +- CallExec[changelog_view#1499] CreateChangelogViewProcedure
"""


@pytest.mark.parametrize(
    ("arguments", "view"),
    [
        ("NamedArgument(table,shop.orders), NamedArgument(changelog_view,late)", "late"),
        ("NamedArgument(changelog_view,late), NamedArgument(table,shop.orders)", "late"),
        ("PositionalArgument(shop.orders), PositionalArgument(late)", "late"),
        ("NamedArgument(table,shop.orders)", "orders_changes"),
    ],
)
def test_the_view_of_a_parsed_call_is_of_its_table(arguments: str, view: str) -> None:
    lines = render_lineage(trace_texts(CALL, RESULT.format(arguments=arguments))).splitlines()
    assert lines == [f"write create {view}", "  reads lake.shop.orders, no column"]


VIEW = """\
== Physical Plan ==
Execute CreateViewCommand (1)
   +- CreateViewCommand (2)
         +- SubqueryAlias (4)
            +- DataSourceV2Relation (3)


(1) Execute CreateViewCommand
Output: []

(2) CreateViewCommand
Arguments: `late`, false, true, LocalTempView, UNSUPPORTED, true

(3) DataSourceV2Relation
Arguments: org.apache.iceberg.spark.source.SparkChangelogTable@36b2d6f9, [id#1L, _change_type#2], \
org.apache.iceberg.spark.SparkCatalog@5cf7dc97, shop.orders.changes, []

(4) SubqueryAlias
Arguments: lake.shop.orders.changes

"""


def test_the_view_that_a_call_makes_on_spark_4_is_of_the_table() -> None:
    found = trace_texts(VIEW)
    assert {(each.source_dataset or "").rpartition("shop.")[2] for each in found.edges} == {"orders"}
    assert [each.target_column for each in found.edges] == ["id", "_change_type"]
    assert [each.dataset.name.rpartition("shop.")[2] for each in found.accesses if each.direction == "read"] == [
        "orders"
    ]


def test_a_view_of_a_path_is_of_the_table_in_that_folder() -> None:
    relation = VIEW.partition("(3) DataSourceV2Relation\nArguments: ")[0]
    by_path = "/lake/shop/orders, [id#1L, day#2], org.apache.iceberg.spark.SparkCatalog@15cf3821, "
    by_path += "org.apache.iceberg.spark.PathIdentifier@1571667a, [path=/lake/shop/orders]"
    text = f"{relation}(3) DataSourceV2Relation\nArguments: {by_path}\n\n"
    found = trace_texts(text.replace("      +- SubqueryAlias (4)\n", "").replace("   +- DataSource", "+- DataSource"))
    edges = [(each.source_dataset, each.source_column, each.target_column) for each in found.edges]
    assert edges == [("file:///lake/shop/orders", name, name) for name in ("id", "day")]
    assert found.gaps == ()


CHANGES = """Project [id#11L]
+- SerializeFromObject [validateexternaltype(getexternalrowfield(input[0], 0, id), LongType, c).longValue AS id#11L]
   +- MapPartitions Dataset$$Lambda$5675@b0e105, obj#9: org.apache.spark.sql.Row
      +- DeserializeToObject createexternalrow(id#1L), obj#8: org.apache.spark.sql.Row
         +- Sort [id#1L ASC NULLS FIRST, _change_type#2 ASC NULLS FIRST], false
            +- SubqueryAlias lake.shop.orders.changes
               +- RelationV2[id#1L, _change_type#2, _commit_snapshot_id#4L] lake.shop.orders.changes lake.shop.orders
"""


def test_the_relation_of_changes_in_a_logical_plan_is_of_the_table() -> None:
    sections = ("Parsed Logical", "Analyzed Logical", "Optimized Logical", "Physical")
    plans = PlanText("\n".join(f"== {name} Plan ==\n{CHANGES}" for name in sections)).logical
    assert plans
    for plan in plans:
        flow = resolve(plan).flow
        assert [read.dataset.name for read in flow.reads] == ["lake.shop.orders"]
        assert [output.derivation.column and output.derivation.column.dataset for output in flow.outputs] == [
            "lake.shop.orders"
        ]


@pytest.mark.parametrize(
    "printed",
    [
        "default_iceberg.org.apache.iceberg.spark.PathIdentifier@57039284 /lake/shop/orders",
        "default_iceberg.`/lake/shop`.orders",
    ],
    ids=["3.5", "4.1"],
)
def test_a_relation_of_a_path_in_a_logical_plan_is_the_table_in_that_folder(printed: str) -> None:
    sections = ("Parsed Logical", "Analyzed Logical", "Optimized Logical")
    tree = f"Project [id#1L]\n+- RelationV2[id#1L, day#2] {printed}\n"
    physical = "== Physical Plan ==\nProject [id#1L]\n"
    text = "\n".join(f"== {name} Plan ==\n{tree}" for name in sections)
    for plan in PlanText(f"{text}\n{physical}").logical:
        assert [read.dataset.name for read in resolve(plan).flow.reads] == ["file:///lake/shop/orders"]
