"""Tables of a store, for an application that writes tables whose columns only earlier applications list."""

from __future__ import annotations

from eventlog_lineage.catalog.application_facts import CatalogSettings, ExecutionSummary
from eventlog_lineage.formats.paimon.object_tables import stored_layouts, tables_of_objects
from eventlog_lineage.observed_schemas import StoredTable
from eventlog_lineage.plan.summary.plan_facts import PlanFact, QualifiedTable, TableColumns, TableLayout
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

SETTINGS = CatalogSettings(catalogs=(("org.apache.paimon.spark.SparkCatalog", "pai"),))
WRITTEN = TableLayout("", "1f", ("id", "amount"), kind="append")
ORDERS = StoredTable("pai.shop.orders", ("id", "amount"))
READ = (QualifiedTable("shop.orders"), TableColumns("shop.orders", ("amount",)))


def ran(*facts: PlanFact) -> list[ExecutionSummary]:
    return [ExecutionSummary(1, 1, "", 0, None, PlanSummary("plan", facts=facts))]


def found(*stored: StoredTable, facts: tuple[PlanFact, ...] = (*READ, WRITTEN)) -> dict[str, str]:
    ordered = ran(*facts)
    return tables_of_objects(ordered, stored_layouts(stored, ordered, SETTINGS))


def test_an_object_is_the_only_stored_table_with_its_columns() -> None:
    assert found() == {}
    assert found(ORDERS, StoredTable("pai.shop.customers", ("id", "name"))) == {"1f": "shop.orders"}


def test_two_stored_tables_with_the_columns_leave_the_object_unknown() -> None:
    assert found(ORDERS, StoredTable("pai.shop.returns", ("id", "amount"))) == {}


def test_a_stored_table_of_which_only_some_columns_are_known_may_be_the_object() -> None:
    assert found(ORDERS, StoredTable("pai.shop.returns", ("amount",), is_complete=False)) == {}
    assert found(ORDERS, StoredTable("pai.shop.returns", ("code",), is_complete=False)) == {"1f": "shop.orders"}


def test_tables_of_catalogs_that_the_application_does_not_have_are_left_out() -> None:
    assert found(ORDERS, StoredTable("other.shop.returns", ("id", "amount"))) == {"1f": "shop.orders"}


def test_the_columns_that_the_application_lists_itself_are_newer() -> None:
    defined = TableLayout("shop.orders", "", ("id", "amount", "note"), kind="append")
    listed = list(stored_layouts([ORDERS], ran(defined, WRITTEN), SETTINGS))
    assert listed == []


def test_an_application_without_such_objects_needs_no_stored_tables() -> None:
    assert list(stored_layouts([ORDERS], ran(*READ), SETTINGS)) == []
