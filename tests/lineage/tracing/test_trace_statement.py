"""A statement whatever its plans are like."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.tracing import statement_trace
from eventlog_lineage.lineage.tracing.trace_statement import trace_texts
from eventlog_lineage.plan.plan_text import PlanText
from support.goldens import FIXTURES


def test_an_error_of_the_program_is_a_gap_of_that_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise LookupError("no such thing")

    monkeypatch.setattr(statement_trace, "resolve", broken)
    lineage = trace_texts("== Physical Plan ==\nRange (1)\n\n\n(1) Range\n")
    (gap,) = lineage.gaps
    assert gap.reason == "internal_error"
    assert gap.detail.startswith("LookupError: no such thing (test_trace_statement.py:")
    assert lineage.edges == ()


def test_a_lineage_that_an_error_ends_has_a_name_without_the_programs_classes_and_modules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def name(error: Exception) -> str:
        def broken(*_: object) -> None:
            raise error

        monkeypatch.setattr(statement_trace, "resolve", broken)
        return trace_texts("== Physical Plan ==\nRange (1)\n\n\n(1) Range\n").fingerprint

    assert name(LookupError("no such thing")) == "5da7e9553475a2f0ef09f9799d1a5871"
    assert name(ValueError("no such thing")) == name(LookupError("no such thing")) != name(LookupError("another"))


def test_an_execution_without_a_plan_is_a_gap() -> None:
    (gap,) = trace_texts("").gaps
    assert gap.reason == "missing_plan"


def test_a_multi_insert_is_one_statement_with_several_targets() -> None:
    text = (FIXTURES / "union" / "multi_insert.4.3.plan").read_text()
    lineage = trace_texts(text)
    assert [(use.direction, use.mode, use.dataset.name, use.columns) for use in lineage.uses] == [
        ("read", "", "spark_catalog.default.orders", ("order_id", "amount", "status")),
        ("write", "append", "spark_catalog.default.target", ("order_id", "amount")),
        ("write", "overwrite", "spark_catalog.default.hive_orders", ("order_id", "status")),
    ]
    assert {each.dataset for each in lineage.observations} >= {use.dataset.name for use in lineage.uses}
    assert PlanText(text).summary.command == "InsertIntoHadoopFsRelationCommand"


def test_rows_that_no_plan_explains_are_a_gap_of_every_insert() -> None:
    text = (FIXTURES / "union" / "multi_insert.4.3.plan").read_text()
    opened = text.replace("Scan parquet spark_catalog.default.orders", "Scan ExistingRDD")
    lineage = trace_texts(opened)
    assert {(edge.target_dataset, edge.target_column, edge.source_dataset) for edge in lineage.edges} == {
        ("spark_catalog.default.target", "order_id", None),
        ("spark_catalog.default.target", "amount", None),
        ("spark_catalog.default.hive_orders", "order_id", None),
        ("spark_catalog.default.hive_orders", "status", None),
    }
    assert [gap.detail for gap in lineage.gaps] == ["no plan in the log produces amount, order_id, status"]


def test_a_write_whose_rows_no_execution_plans_keeps_its_columns_and_is_a_gap() -> None:
    lineage = trace_texts((FIXTURES / "v2_write" / "jdbc_append.3.3.plan").read_text())
    assert [(edge.target_column, edge.source_dataset) for edge in lineage.edges] == [
        ("customer_id", None),
        ("name", None),
    ]
    assert lineage.gaps[0].detail == "no execution in the log has a plan for the rows of customer_id, name"


def test_a_union_without_inputs_is_no_multi_insert() -> None:
    lineage = trace_texts("== Physical Plan ==\nUnion (1)\n\n\n(1) Union\n")
    assert (lineage.command, lineage.target, lineage.gaps) == ("query", None, ())
