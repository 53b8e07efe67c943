"""Views over all columns of a wide Delta table, of which the plan prints the first ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from eventlog_lineage.catalog.application_facts import ExecutionSummary, ScannedTable, catalog_settings_of
from eventlog_lineage.catalog.session_catalog import SessionCatalog
from eventlog_lineage.lineage.results.lineage_names import render_lineage
from eventlog_lineage.lineage.statement import HiddenTables, StatementContext
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_facts import PlanFact, SnapshotRef, SnapshotRole, TableColumns, TableRef
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

VIEW = """== Physical Plan ==
Execute CreateViewCommand (1)
   +- CreateViewCommand (2)
         +- Project (5)
            +- SubqueryAlias (4)
               +- LogicalRelation (3)


(1) Execute CreateViewCommand
Output: []

(2) CreateViewCommand
Arguments: `spark_catalog`.`mart`.`v`, {sql}, false, false, PersistedView, COMPENSATION, true

(3) LogicalRelation
Arguments: parquet, [d1#1L, d2#2L, ... 2 more fields], `spark_catalog`.`stage`.`w`, false

(4) SubqueryAlias
Arguments: spark_catalog.stage.w

(5) Project
Arguments: [d1#1L, d2#2L, ... 2 more fields]

"""
ALL = ("d1", "d2", "d3", "d4")
STAR = "SELECT * FROM stage.w"


def resolved(sql: str, columns: tuple[str, ...] = ALL) -> list[str]:
    context = StatementContext(
        hidden=HiddenTables(scanned=(ScannedTable("file:///stage.db/w", "", columns, (columns,)),))
    )
    lines = render_lineage(trace_texts(VIEW.format(sql=sql), context=context)).splitlines()[1:]
    return [" ".join(line.split()[:3]) for line in lines]


@pytest.mark.parametrize("sql", [STAR, f"{STAR} AS x", "select * from `stage`.`w` t WHERE t.d1 > 1"])
def test_all_columns_of_a_table_are_the_views(sql: str) -> None:
    assert resolved(sql) == [f"{name} <- spark_catalog.stage.w.{name}" for name in ALL]


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        (STAR, (*ALL, "d5")),
        (STAR, ("other", "d2", "d3", "d4")),
        ("SELECT *, d1 FROM stage.w", ALL),
        (f"{STAR} LEFT JOIN stage.x", ALL),
        (f"{STAR} WHERE d1 > 1 UNION SELECT * FROM stage.x", ALL),
    ],
)
def test_other_views_keep_their_gap(sql: str, columns: tuple[str, ...]) -> None:
    assert "gap truncated_fields at" in resolved(sql, columns)


@pytest.mark.parametrize(("listed", "is_found"), [(True, True), (False, False)])
def test_the_columns_are_those_of_earlier_plans(listed: bool, is_found: bool) -> None:
    facts = (TableColumns("file:///wh/stage.db/w", ALL, is_complete=listed),)
    executions = [
        ExecutionSummary(1, None, "", 0, 1, PlanSummary("insert", facts=facts)),
        ExecutionSummary(2, None, "", 2, 3, PlanText(VIEW.format(sql=STAR)).summary),
    ]
    catalog = replayed(executions, {"spark.sql.warehouse.dir": "/wh"})
    table = ScannedTable("file:///wh/stage.db/w", "", ALL, (ALL,))
    assert catalog.copied_tables(executions[1:]) == ((table,) if is_found else ())
    assert catalog.copied_tables(executions[:1]) == ()


def replayed(executions: Sequence[ExecutionSummary], settings: Mapping[str, str]) -> SessionCatalog:
    catalog = SessionCatalog(catalog_settings_of(settings))
    for execution in executions:
        catalog.apply(execution)
    return catalog


def clone_of(*listed: tuple[tuple[str, ...], bool], version: str = "", newest: str = "") -> ScannedTable:
    """The source of a clone after plans that list its columns: some of them, or all."""
    location = "file:///wh/stage.db/w"
    facts: list[PlanFact] = [TableColumns(location, columns, is_complete=complete) for columns, complete in listed]
    loaded = SnapshotRef(SnapshotRole.LOADED, TableRef(location=location), version)
    facts += [replace(loaded, version=newest)] if newest else []
    executions = [
        *(ExecutionSummary(at, None, "", at, at, PlanSummary("x", facts=(fact,))) for at, fact in enumerate(facts)),
        ExecutionSummary(9, None, "", 9, 9, PlanSummary("y", command="CreateDeltaTableCommand")),
        ExecutionSummary(10, 9, "", 9, 9, PlanSummary("z", facts=(loaded,))),
    ]
    (table,) = replayed(executions, {}).copied_tables(executions[-2:])
    return table


def test_a_clone_has_no_column_that_only_an_old_version_of_its_source_has() -> None:
    before, now = ("d1", "d2", "old"), ("d1", "d2", "new")
    assert clone_of((before, True), (now, True)).column_lists == (now,)
    assert clone_of((before, True), (now, True), (("d1", "added"), False)).column_lists == ((*now, "added"),)
    old_read = clone_of((before, True), (now, True), (("d1", "old"), False))
    assert (old_read.columns, old_read.column_lists) == (now, ())


def test_a_clone_of_an_old_version_has_the_columns_of_today_only_if_they_never_changed() -> None:
    before, now = ("d1", "d2"), ("d1", "d2", "new")
    assert clone_of((before, True), version="2", newest="5").column_lists == (before,)
    assert clone_of((before, True), (now, True), version="5", newest="5").column_lists == (now,)
    for later in ((now, True), (("new",), False), ((), False)):
        assert clone_of((before, True), later, version="2", newest="5").columns == ()


def test_after_a_change_of_columns_a_clone_has_those_of_the_next_complete_list() -> None:
    before, after = ("d1", "d2"), ("d1", "d2", "d3", "d4")
    changed = clone_of((before, True), ((), False), (("d3",), False))
    assert (changed.columns, changed.column_lists) == (("d3",), ())
    assert clone_of((before, True), ((), False), (("d3",), False), (after, True)).column_lists == (after,)
