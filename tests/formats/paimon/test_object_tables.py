"""Tables that writes print only as objects, by the columns of the tables that the application names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.catalog.application_facts import NO_SETTINGS, ExecutionSummary
from eventlog_lineage.catalog.session_catalog import SessionCatalog
from eventlog_lineage.formats.paimon.object_tables import filled_layouts, filled_tables, tables_of_objects
from eventlog_lineage.plan.summary.plan_facts import (
    CatalogObject,
    PlanFact,
    QualifiedTable,
    SnapshotRef,
    SnapshotRole,
    TableColumns,
    TableLayout,
    TableRef,
    UnqualifiedTable,
    pack_fact,
    unpack_fact,
)
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

ORDERS = TableLayout("shop.orders", "", ("id", "amount"), kind="append")


def found(*facts: PlanFact) -> dict[str, str]:
    named = [QualifiedTable(each.name) for each in facts if isinstance(each, TableLayout) and each.name]
    return tables_of_objects(ran([(*named, *facts)]))


def ran(plans: Sequence[Sequence[PlanFact]], seconds: int = 90, run: str = "") -> list[ExecutionSummary]:
    """Return executions with the facts of their plans, one after the other in this distance."""
    return [
        ExecutionSummary(at, at, "", at * seconds * 1000, None, PlanSummary(f"plan {at}", facts=tuple(facts)), run)
        for at, facts in enumerate(plans)
    ]


def written(object_hash: str, *columns: str, hidden: int = 0, kind: str = "append") -> TableLayout:
    return TableLayout("", object_hash, columns, hidden, kind)


CREATED = (QualifiedTable("shop.orders"), ORDERS)
ONE, TWO, THREE = ((written(number, "id", "amount"),) for number in ("1f", "2e", "3d"))


def test_an_object_is_the_only_table_with_its_columns() -> None:
    other = TableLayout("shop.customers", "", ("id", "name"), kind="append")
    assert found(ORDERS, other, written("1f", "id", "amount")) == {"1f": "shop.orders"}


def test_an_object_with_the_columns_of_two_tables_stays_unknown() -> None:
    other = TableLayout("shop.returns", "", ("id", "amount"), kind="append")
    assert found(ORDERS, other, written("1f", "id", "amount")) == {}


def test_a_primary_key_distinguishes_tables_with_the_same_columns() -> None:
    keyed = TableLayout("shop.latest", "", ("id", "amount"), kind="keyed")
    assert found(ORDERS, keyed, written("1f", "id", "amount", kind="keyed")) == {"1f": "shop.latest"}


def test_a_table_whose_columns_no_plan_lists_may_be_the_object() -> None:
    assert found(ORDERS, QualifiedTable("shop.secret"), written("1f", "id", "amount")) == {}


def test_a_system_table_is_never_the_object() -> None:
    assert found(ORDERS, QualifiedTable("shop.orders$snapshots"), written("1f", "id", "amount")) == {
        "1f": "shop.orders"
    }


def test_a_table_that_is_read_with_other_columns_is_not_the_object() -> None:
    read = (QualifiedTable("shop.secret"), TableColumns("shop.secret", ("code",)))
    assert found(ORDERS, *read, written("1f", "id", "amount")) == {"1f": "shop.orders"}


def test_a_table_has_several_objects() -> None:
    assert tables_of_objects(ran([CREATED, ONE, TWO])) == {"1f": "shop.orders", "2e": "shop.orders"}


def test_objects_that_are_written_alternately_are_not_one_table() -> None:
    plans = [CREATED, ONE, TWO, ONE, THREE]
    assert tables_of_objects(ran(plans)) == {"3d": "shop.orders"}
    assert tables_of_objects(ran(plans[:3])) == {"1f": "shop.orders", "2e": "shop.orders"}


def test_a_second_object_within_the_minute_for_which_the_catalog_keeps_the_first_is_another_table() -> None:
    plans = [CREATED, ONE, TWO]
    assert tables_of_objects(ran(plans, seconds=59)) == {}
    assert tables_of_objects(ran(plans, seconds=60)) == {"1f": "shop.orders", "2e": "shop.orders"}


def test_a_changed_table_is_loaded_again_at_once() -> None:
    altered = (QualifiedTable("shop.orders"), TableLayout("shop.orders", "", changes=("SetProperty",)))
    assert tables_of_objects(ran([CREATED, ONE, altered, TWO], seconds=1)) == {
        "1f": "shop.orders",
        "2e": "shop.orders",
    }


def test_the_batches_of_a_stream_load_their_tables_in_their_own_session() -> None:
    batch = ran([CREATED, ONE, TWO], seconds=1, run="f00d")[2]
    assert tables_of_objects([*ran([CREATED, ONE], seconds=1), batch]) == {"1f": "shop.orders", "2e": "shop.orders"}


def test_an_object_that_is_written_before_the_table_is_created_is_another_table() -> None:
    dropped = (QualifiedTable("shop.orders"), TableLayout("shop.orders", "", changes=("DropTable",)))
    assert tables_of_objects(ran([ONE, CREATED, TWO])) == {"2e": "shop.orders"}
    assert tables_of_objects(ran([ONE, dropped, CREATED, TWO])) == {"1f": "shop.orders", "2e": "shop.orders"}
    first, replaced = ran([ONE, CREATED])
    replaced = replaced._replace(summary=replace(replaced.summary, command="ReplaceTableAsSelect"))
    assert tables_of_objects([first, replaced]) == {"1f": "shop.orders"}


def test_equal_columns_prove_nothing_where_the_application_writes_tables_that_it_never_names() -> None:
    assert found(ORDERS, written("1f", "id", "amount"), written("2e", "code")) == {}


def test_an_object_that_is_written_before_a_table_is_altered_has_the_columns_before_the_change() -> None:
    altered = (QualifiedTable("shop.orders"), TableLayout("shop.orders", "", changes=("AddColumn",)))
    changed = (written("1f", "id", "amount", "note"),)
    assert tables_of_objects(ran([CREATED, altered, changed])) == {"1f": "shop.orders"}
    assert tables_of_objects(ran([CREATED, changed, altered])) == {}


def test_an_altered_table_whose_columns_are_unclear_is_one_that_the_application_names() -> None:
    wide = TableLayout("shop.wide", "", ("a", "b", "c"), hidden=27, kind="append")
    altered = TableLayout("shop.wide", "", changes=("AddColumn",))
    facts = (ORDERS, wide, written("1f", "id", "amount"), written("2e", "a", "b", "c", hidden=28))
    assert found(*facts, altered) == {"1f": "shop.orders"}
    assert found(*facts) == {}


def test_an_altered_table_has_the_columns_that_its_changes_allow() -> None:
    before = TableLayout("shop.days", "", ("id", "day", "note"), kind="append")
    altered = TableLayout("shop.days", "", changes=("AddColumn", "RenameColumn", "SetProperty"))
    facts = (ORDERS, before, altered)
    assert found(*facts, written("2e", "id", "day", "remark", "seen")) == {"2e": "shop.days"}
    assert found(*facts, written("2e", "id", "other", "remark", "seen")) == {}
    assert found(*facts, written("2e", "day", "id", "remark")) == {}


def test_truncated_columns_match_by_their_beginning_and_their_number() -> None:
    wide = TableLayout("shop.wide", "", ("a", "b", "c", "d"), kind="append")
    assert found(wide, written("1f", "a", "b", hidden=2)) == {"1f": "shop.wide"}
    assert found(wide, written("1f", "a", "b", hidden=3)) == {}


def test_an_object_that_a_plan_names_needs_no_columns() -> None:
    named = TableLayout("shop.orders", "1f", ("id", "amount"), kind="append")
    assert found(named, written("1f", "id", "amount")) == {}


def test_the_target_is_an_object_of_the_statement_and_not_of_the_view_that_it_reads() -> None:
    write = PlanSummary("write", facts=(UnqualifiedTable("", "64d09337"),))
    view = PlanSummary("view", facts=(UnqualifiedTable("", "5ffc7bdd"), QualifiedTable("air.flight", "5ffc7bdd")))
    plans = [ExecutionSummary(at, None, "", at, at, summary) for at, summary in enumerate((write, view))]
    for assumed in ("air.cnt", ""):
        catalog = SessionCatalog(NO_SETTINGS)
        catalog.apply(plans[1])
        catalog.__dict__["_objects"] = {"64d09337": assumed} if assumed else {}
        assert catalog.table_names(plans, 1).unnamed == assumed


def test_a_call_names_its_table_with_the_catalog() -> None:
    assert found(ORDERS, QualifiedTable("lake.shop.orders"), written("1f", "id", "amount")) == {"1f": "shop.orders"}


def test_the_object_that_a_statement_fills_is_the_table_that_it_creates() -> None:
    other = TableLayout("shop.returns", "", ("id", "amount"), kind="append")
    unnamed = SnapshotRef(SnapshotRole.WRITTEN, TableRef(format="paimon"))
    plans = (
        PlanSummary("ctas", command="CreateTableAsSelect", facts=(QualifiedTable("shop.orders"), ORDERS)),
        PlanSummary("write", command="AppendDataExecV1", facts=(unnamed, written("1f", "id", "amount"))),
        PlanSummary("later", command="AppendDataExecV1", facts=(unnamed, written("2e", "id", "amount"))),
    )
    executions = [
        ExecutionSummary(number, root, "", 0, 1, plan)
        for number, root, plan in zip((1, 2, 3), (1, 1, 3), plans, strict=True)
    ]
    assert filled_tables(executions) == {"1f": "shop.orders"}
    assert found(ORDERS, other, written("1f", "id", "amount")) == {}


def test_a_table_whose_creation_prints_no_columns_has_those_of_the_rows_that_fill_it() -> None:
    rows = TableLayout("", "rows id,amount", ("id", "amount"))
    plans = (
        PlanSummary("ctas", command="CreateTableAsSelect", facts=(QualifiedTable("shop.orders"),)),
        PlanSummary("write", command="AppendDataExecV1", facts=(UnqualifiedTable("", "1f"),)),
        PlanSummary("query", facts=(rows,)),
        PlanSummary("later", command="AppendDataExecV1", facts=(written("2e", "id", "amount"),)),
        PlanSummary("union", command="AppendDataExecV1", facts=(UnqualifiedTable("", "3d"),)),
        PlanSummary("its query", facts=(rows,)),
    )
    roots = (1, 1, 1, 4, 5, 5)
    executions = [
        ExecutionSummary(number, root, "", number * 60_000, None, plan)
        for number, (root, plan) in enumerate(zip(roots, plans, strict=True), 1)
    ]
    layouts = filled_layouts(executions)
    assert [(each.name, each.object_hash, each.columns) for each in layouts] == [
        ("", "1f", ("id", "amount")),
        ("shop.orders", "", ("id", "amount")),
        ("", "3d", ("id", "amount")),
    ]
    found = tables_of_objects(executions, layouts)
    assert {found["2e"], found["3d"]} == {"shop.orders"}
    assert "2e" not in tables_of_objects(executions)


RENAMED = (
    TableLayout("shop.orders", "", changes=("RenameTable",)),
    TableLayout("shop.sales", "", old_name="shop.orders"),
)


def test_an_object_that_is_written_after_a_rename_is_the_table_of_the_new_name() -> None:
    plans = [CREATED, ONE, RENAMED, TWO]
    assert tables_of_objects(ran(plans)) == {"1f": "shop.orders", "2e": "shop.sales"}


def test_a_name_that_is_given_again_after_a_rename_can_be_either_table() -> None:
    assert tables_of_objects(ran([CREATED, RENAMED, CREATED, TWO])) == {}


def test_a_rename_is_kept_with_the_facts_of_a_plan() -> None:
    assert [unpack_fact(pack_fact(each)) for each in RENAMED] == list(RENAMED)


def test_a_table_that_is_created_later_is_not_the_object_of_an_earlier_write() -> None:
    made = CatalogObject("org.apache.paimon.spark.SparkCatalog", "9c", "shop.copy", creates=True)
    copy = (QualifiedTable("shop.copy"), TableLayout("shop.copy", "", ("id", "amount"), kind="append"))
    assert tables_of_objects(ran([CREATED, ONE, (*copy, made)])) == {"1f": "shop.orders"}
    assert tables_of_objects(ran([CREATED, ONE, (*copy, replace(made, creates=False))])) == {}
    assert tables_of_objects(ran([CREATED, copy, ONE, (*copy, made)])) == {}
    assert tables_of_objects(ran([CREATED, (*copy, made), ONE])) == {}
