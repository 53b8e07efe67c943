"""Rows of executions have the statement's SQL, the scheduler's task and the cost, from real logs; without Spark."""

from __future__ import annotations

from typing import Any

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.records import AssembledLog, RunCost
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest.log_rows import execution_rows
from eventlog_lineage.lineage.application import statements_of
from eventlog_lineage.plan.plan_text import summary_of
from eventlog_lineage.store.schema.tables import EXECUTIONS
from support.event_logs import LOGS

CREATED = "CREATE TABLE totals AS SELECT id % 3 AS k, sum(id) AS total FROM range(100) GROUP BY 1"
ASKED = "SELECT k, total FROM totals WHERE k > 0 ORDER BY total"
RUN = "0000202-170613162811875-oozie-oozi-W"


def read(name: str) -> AssembledLog:
    (log,) = find_logs([str(LOGS / name)])
    return read_log(log)


def statements(log: AssembledLog) -> list[dict[str, Any]]:
    """The rows of the roots, by the columns' names."""
    found = statements_of(log)
    roots = {member: statement.root for statement in found for member in statement.members}
    summaries = {each.execution_id: summary_of(each.plan) for each in log.executions}
    rows = execution_rows(log, summaries, found, roots)
    named = [dict(zip(EXECUTIONS.column_names, row, strict=True)) for row in rows]
    return [row for row in named if row["execution_id"] == row["root_execution_id"]]


def test_the_shells_statements_have_their_sql_and_their_task() -> None:
    first, second = statements(read("spark-sql-4.1.4"))
    assert first["sql_text"].endswith(CREATED)
    assert second["sql_text"].strip() == ASKED
    named = ("scheduler", "scheduler_task", "scheduler_run")
    assert [first[name] for name in named] == ["dbt", "model.shop.totals", "prod"]
    assert [second[name] for name in named] == ["oozie", "load", RUN]


def test_servers_statements_have_their_sql() -> None:
    for name in ("thrift-3.5.9", "connect-4.1.4"):
        texts = [row["sql_text"] for row in statements(read(name))]
        assert "SELECT n FROM v WHERE k = 1" in texts, name
        assert "CREATE VIEW v AS SELECT k, count(*) AS n FROM t GROUP BY k" in texts, name


def test_a_call_site_is_no_sql_and_names_no_task() -> None:
    rows = statements(read("zstd-3.5.9"))
    assert {(row["sql_text"], row["scheduler"], row["scheduler_task"], row["scheduler_run"]) for row in rows} == {
        (None, None, None, None)
    }


def test_a_statement_costs_what_all_of_its_executions_cost() -> None:
    log = read("spark-sql-4.1.4")
    first, second = statements(log)
    known = [each.cost for each in log.executions if each.cost is not None]
    total = RunCost().plus(known[0])
    for cost in known[1:]:
        total = total.plus(cost)
    assert first["executor_run_ms"] > second["executor_run_ms"] > 0
    for name in ("executor_run_ms", "input_bytes", "shuffle_read_bytes", "shuffle_write_bytes", "disk_spilled_bytes"):
        assert first[name] + second[name] == getattr(total, name)


def test_an_execution_without_a_stage_has_an_unknown_cost() -> None:
    rows = [row for row in statements(read("thrift-3.5.9")) if row["sql_text"] is None]
    assert [(row["executor_run_ms"], row["input_bytes"], row["disk_spilled_bytes"]) for row in rows] == [
        (None, None, None)
    ]
