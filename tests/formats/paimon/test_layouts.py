"""Columns of Paimon's tables, and of the objects that writes print instead of a table."""

from __future__ import annotations

import pytest

from eventlog_lineage.formats.paimon.facts import scan_layouts
from eventlog_lineage.plan.printed.operator_lines import PrintedOperator
from eventlog_lineage.plan.summary.plan_facts import TableLayout, UnqualifiedTable

CATALOG = "org.apache.paimon.spark.SparkCatalog@297b67ea"
TABLE = "SparkTable(org.apache.paimon.table.PrimaryKeyFileStoreTable@64e9ddb1)"
SPEC = "TableSpec(Map({}),None,Map(),None,None,None,false), false"


CREATE = (
    f"{CATALOG}, shop.orders, [ColumnImpl(id,LongType,true,null,null,null,null),"
    f" ColumnImpl(day,StringType,true,null,null,null,null)], [identity(day)], {SPEC.format('primary-key -> id')}"
)
SPACED = f"{CATALOG}, shop.bills, [ColumnImpl(first at,DecimalType(10,2),true,null,null,null,null)], [], {SPEC}"
CTAS = f"{CATALOG}, shop.daily, Aggregate [day#1], [day#1, sum(v#2) AS n#3, ... 2 more fields], {SPEC.format('')}"
APPEND = f"{TABLE}, Project [id#1L, upper(name#2) AS name#3], org.apache.paimon.spark.SparkWrite@2e"
UPDATE = (
    "RelationV2[id#1L, day#2] pai.shop.orders shop.orders,"
    " org.apache.paimon.table.AppendOnlyFileStoreTable@926933d, (id#1L = 3), [assignment(day#2, x)]"
)
MERGE = (
    f"{TABLE}, SubqueryAlias t, SubqueryAlias s, (id#20L = id#10L), [updateaction(None,"
    " assignment(v#21, v#11), assignment(id#20L, id#20L))], []"
)
READ = f"{TABLE}, [id#1L, day#2], {CATALOG}, shop.orders, []"
CHANGE = "org.apache.spark.sql.connector.catalog.TableChange$"
ALTER = f"{CATALOG}, shop.orders, [{CHANGE}AddColumn@4bc48d95, {CHANGE}RenameColumn@57a230b5]"


@pytest.mark.parametrize(
    ("name", "arguments", "layout"),
    [
        ("CreateTable", CREATE, TableLayout("shop.orders", "", ("id", "day"), kind="keyed")),
        ("CreateTable", SPACED, TableLayout("shop.bills", "", ("first at",), kind="append")),
        ("CreateTableAsSelect", CTAS, TableLayout("shop.daily", "", ("day", "n"), 2, "append")),
        ("AppendDataExecV1", APPEND, TableLayout("", "64e9ddb1", ("id", "name"), kind="keyed")),
        (
            "UpdatePaimonTableCommand",
            UPDATE,
            TableLayout("shop.orders", "926933d", ("id", "day"), kind="append"),
        ),
        ("DataSourceV2Relation", READ, TableLayout("shop.orders", "64e9ddb1", ("id", "day"), kind="keyed")),
        ("MergeIntoPaimonTable", MERGE, TableLayout("", "64e9ddb1", ("id", "v"), kind="keyed")),
        ("DropTable", f"{CATALOG}, shop.orders, false, false", TableLayout("shop.orders", "", changes=("DropTable",))),
        ("AlterTable", ALTER, TableLayout("shop.orders", "", changes=("AddColumn", "RenameColumn"))),
    ],
)
def test_a_command_shows_the_columns_of_its_table(name: str, arguments: str, layout: TableLayout) -> None:
    assert scan_layouts([PrintedOperator(name, "", arguments, f"{name}\nArguments: {arguments}")]) == [layout]


@pytest.mark.parametrize("new_name", ["sales", "shop.sales"])
def test_a_rename_keeps_the_database(new_name: str) -> None:
    rename = PrintedOperator(
        "RenameTable", "", f"{CATALOG}, shop.orders, {new_name}, Lambda$1/0x00007f8049bc1808@7464", ""
    )
    assert scan_layouts([rename]) == [
        TableLayout("shop.orders", "", changes=("RenameTable",)),
        TableLayout("shop.sales", "", old_name="shop.orders"),
    ]


def test_the_rows_of_the_writer_have_the_columns_of_the_table() -> None:
    rows = PrintedOperator("Scan ExistingRDD", "id#1L, name#2, _bucket_#3", "", "")
    writer = PrintedOperator("MapPartitions", "", "org.apache.paimon.spark.commands.PaimonSparkWriter$$Lambda$1", "")
    assert scan_layouts([rows]) == []
    assert scan_layouts([rows, writer]) == [
        UnqualifiedTable("", "rows id,name"),
        TableLayout("", "rows id,name", ("id", "name")),
    ]


def test_a_relation_that_is_scanned_has_another_object() -> None:
    arguments = (
        "RelationV2[id#1L] pai.shop.orders shop.orders, PaimonScan(org.apache.paimon.table.AppendOnlyFileStoreTable@1f)"
    )
    assert scan_layouts([PrintedOperator("Relation", "", arguments, arguments)]) == []
