"""Which statements create the first version of a Delta table, and which list or change its columns."""

from __future__ import annotations

import pytest

from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef, SnapshotRole, TableColumns

PLAN = """== Physical Plan ==
{command} (1)


(1) {command}
Arguments: org.delta.catalog.DeltaCatalog@1f, {table}, [ColumnImpl(id,LongType,true,null)], \
TableSpec(Map(),Some(delta),Map(),{location},None,None,false), {if_not_exists}

"""
PATH = "file:/lake/crew"


def creates(command: str, table: str = "gold.crew", location: str = "None", if_not_exists: str = "false") -> bool:
    text = PLAN.format(command=command, table=table, location=location, if_not_exists=if_not_exists)
    return any(isinstance(fact, SnapshotRef) and fact.role is SnapshotRole.CREATED for fact in PlanText(text).facts)


def test_a_table_in_the_warehouse_is_new() -> None:
    assert creates("CreateTable")


@pytest.mark.parametrize("named", [{"location": f"Some({PATH})"}, {"table": f"delta.`{PATH}`"}])
def test_a_table_of_a_location_may_exist_unless_a_query_fills_it(named: dict[str, str]) -> None:
    assert not creates("CreateTable", **named)
    assert creates("AtomicCreateTableAsSelect", **named)


def test_if_not_exists_may_meet_a_table() -> None:
    assert not creates("CreateTable", if_not_exists="true")


UPDATE = """== Physical Plan ==
Execute UpdateCommand (1)
   +- UpdateCommand (2)
         +- SubqueryAlias (4)
            +- LogicalRelation (3)


(1) Execute UpdateCommand
Output [1]: [num_affected_rows#9L]

(2) UpdateCommand
Arguments: Delta[version=4, {location}], `spark_catalog`.`gold`.`crew`, {serde}[id#1L, upper(name#2)], (id#1L = 2)

(3) LogicalRelation
Arguments: parquet, [id#1L, {columns}], `spark_catalog`.`gold`.`crew`, {serde}false

(4) SubqueryAlias
Arguments: spark_catalog.gold.crew

"""


def listed(text: str) -> list[TableColumns]:
    return [fact for fact in PlanText(text).facts if isinstance(fact, TableColumns)]


@pytest.mark.parametrize("serde", ["", "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe, "])
def test_an_update_lists_all_columns_of_its_table(serde: str) -> None:
    text = UPDATE.format(location=PATH, serde=serde, columns="name#2, my rank#3")
    assert listed(text) == [TableColumns("file:///lake/crew", ("id", "name", "my rank"), is_complete=True)]
    text = UPDATE.format(location="... /crew", serde=serde, columns="name#2")
    assert listed(text) == [TableColumns("spark_catalog.gold.crew", ("id", "name"), is_complete=True)]


def test_an_update_of_a_wide_table_lists_some_columns() -> None:
    assert listed(UPDATE.format(location=PATH, serde="", columns="name#2, ... 41 more fields")) == []


@pytest.mark.parametrize(("change", "found"), [("AddColumn", 1), ("RenameColumn", 1), ("SetProperty", 0)])
def test_an_alter_of_columns_says_that_they_change(change: str, found: int) -> None:
    text = f"""== Physical Plan ==
AlterTable (1)


(1) AlterTable
Arguments: org.apache.spark.sql.delta.catalog.DeltaCatalog@1f, gold.crew, \
[org.apache.spark.sql.connector.catalog.TableChange${change}@6866e2c]

"""
    assert listed(text) == [TableColumns("gold.crew", ())] * found
