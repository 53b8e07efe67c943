"""Which statements create the first version of a Delta table."""

from __future__ import annotations

import pytest

from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef, SnapshotRole

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
