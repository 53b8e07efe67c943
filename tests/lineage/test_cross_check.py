"""Kyuubi's answers beside ours: agreement is silent, a disagreement is a gap of its own kind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import ExternalLineage
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import trace_log
from eventlog_lineage.lineage.cross_check import with_differences, with_external
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason

LOGS = Path(__file__).resolve().parent.parent / "events" / "logs"

PLAN = """== Physical Plan ==
Execute InsertIntoHadoopFsRelationCommand (4)
+- * Project (3)
   +- * Filter (2)
      +- Scan parquet spark_catalog.db.t (1)


(1) Scan parquet spark_catalog.db.t
Output [3]: [a#1, b#2, c#3]
Batched: true
Location: InMemoryFileIndex [file:/w/t]
ReadSchema: struct<a:int,b:int,c:int>

(2) Filter
Input [3]: [a#1, b#2, c#3]
Condition : (c#3 > 1)

(3) Project
Output [2]: [a#1 AS x#4, CASE WHEN (b#2 > 1) THEN a#1 END AS y#5]
Input [3]: [a#1, b#2, c#3]

(4) Execute InsertIntoHadoopFsRelationCommand
Input [2]: [x#4, y#5]
Arguments: file:/w/u, false, Parquet, [path=file:/w/u], Append, `spark_catalog`.`db`.`u`, Serde, InMemory@1, [x, y]

"""


def ours() -> StatementLineage:
    return trace_texts(PLAN)


def answer(**columns: list[str]) -> ExternalLineage:
    told = tuple((f"spark_catalog.db.u.{name}", tuple(origins)) for name, origins in columns.items())
    return ExternalLineage(("spark_catalog.db.t",), ("spark_catalog.db.u",), told, "")


def disagreement(lineage: StatementLineage) -> str:
    return next((gap.detail for gap in lineage.gaps if gap.reason is GapReason.DISAGREEMENT), "")


def test_an_answer_that_agrees_changes_nothing() -> None:
    agreeing = answer(x=["spark_catalog.db.t.a"], y=["spark_catalog.db.t.a", "spark_catalog.db.t.b"])
    assert with_differences(ours(), agreeing) == ours()


def test_names_without_the_session_catalog_and_in_other_case_agree() -> None:
    columns = (("db.u.X", ("db.t.A",)), ("db.u.y", ("db.t.a", "db.t.B")))
    assert with_differences(ours(), ExternalLineage(("db.T",), ("db.u",), columns, "")) == ours()


def test_columns_that_one_of_us_has_alone_are_told() -> None:
    told = disagreement(with_differences(ours(), answer(x=["spark_catalog.db.t.c"], y=["spark_catalog.db.t.a"])))
    assert "only Kyuubi derives x from db.t.c" in told
    assert "only eventlog-lineage derives x from db.t.a" in told
    assert "only eventlog-lineage derives y from db.t.b" in told


def test_tables_that_kyuubi_has_alone_are_told() -> None:
    other = ExternalLineage(("spark_catalog.db.v",), ("spark_catalog.db.w",), (), "")
    assert disagreement(with_differences(ours(), other)) == (
        "only Kyuubi reports a read of spark_catalog.db.v; only Kyuubi reports a write of spark_catalog.db.w"
    )


def test_a_column_that_we_do_not_have_is_told() -> None:
    assert disagreement(with_differences(ours(), answer(z=[]))) == "only Kyuubi reports a column z"


def test_a_disagreement_is_a_lineage_of_its_own() -> None:
    assert with_differences(ours(), answer(z=[])).fingerprint != ours().fingerprint


def test_an_answer_that_is_an_error_is_no_disagreement() -> None:
    assert with_differences(ours(), ExternalLineage((), (), (), "it failed")) == ours()


def test_rows_that_are_counted_are_no_columns() -> None:
    counting = answer(x=["spark_catalog.db.t.a", "spark_catalog.db.t.__count__"])
    assert disagreement(with_differences(ours(), counting)) == ""


def test_rows_of_literals_and_files_read_by_path_are_nothing_that_kyuubi_tells() -> None:
    literals = answer(x=["spark_catalog.db.t.a", "__local__.col1"])
    assert disagreement(with_differences(ours(), replace(literals, input_tables=("__local__", "db.t")))) == ""
    by_path = trace_texts(
        PLAN.replace("parquet spark_catalog.db.t (1)", "parquet  (1)").replace(
            "(1) Scan parquet spark_catalog.db.t", "(1) Scan parquet "
        )
    )
    assert disagreement(with_differences(by_path, replace(answer(x=[], y=[]), input_tables=()))) == ""


def test_a_directory_that_is_written_agrees_with_or_without_its_scheme() -> None:
    into_files = trace_texts(PLAN.replace("`spark_catalog`.`db`.`u`, Serde, ", ""))
    columns = (("`/w/u`.x", ("db.t.a",)),)
    assert disagreement(with_differences(into_files, ExternalLineage(("db.t",), ("`/w/u`",), columns, ""))) == ""


def test_an_answer_that_may_be_about_another_statement_is_no_disagreement() -> None:
    other = ExternalLineage(("spark_catalog.db.v",), ("spark_catalog.db.w",), (), "", certain=False)
    assert disagreement(with_differences(ours(), other)) == ""
    same = replace(answer(x=["spark_catalog.db.t.c"]), certain=False)
    assert "only Kyuubi derives x" in disagreement(with_differences(ours(), same))


def test_a_real_log_with_kyuubis_events_disagrees_where_the_plugin_is_wrong() -> None:
    """Made with the plugin on Spark 3.5.9: its rows of `mapInPandas` have its input's columns, not its output's."""
    (log,) = find_logs([str(LOGS / "kyuubi-3.5.9")])
    read = read_log(log)
    told = {each.root.description: disagreement(each.lineage) for each in trace_log(read)}
    assert len(read.external_lineages) == len(read.executions)
    assert {name: detail for name, detail in told.items() if detail} == {
        "mart: customer_best": "only Kyuubi derives best_order from staging.customers.customer_id",
        "mart: basket_scores": (
            "only eventlog-lineage derives order_id from staging.orders.amount, staging.orders.customer_id; "
            "only Kyuubi reports a column customer_id; only Kyuubi reports a column amount"
        ),
    }


def test_a_statement_that_another_tool_tells_of_has_a_name_of_its_own() -> None:
    """Else one log's disagreement would be told of every other log with the same plans."""
    group = Statement((0,), ("plan",), lineage_id="name")
    told = {0: replace(answer(x=["db.t.a"]), execution_id=0, reported_at=1)}
    tomorrow = {0: replace(told[0], reported_at=2)}
    assert with_external(group, {}) == group
    assert with_external(group, told).lineage_id != group.lineage_id
    assert with_external(group, told).lineage_id == with_external(group, tomorrow).lineage_id
