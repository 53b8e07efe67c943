"""OpenLineage events are a source: their runs, datasets and column edges join those of Spark's logs."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from eventlog_lineage.events.read_options import CpuBudget
from eventlog_lineage.events.reported_runs import holds_openlineage, read_runs
from eventlog_lineage.events.sources.discovery import find_logs
from support.stores.memory import MemoryStore
from support.stores.nights import Night
from support.stores.staged_logs import harvest_logs

ORDERS = {"namespace": "s3://lake", "name": "warehouse/shop.db/orders"}
DAILY = {"namespace": "postgres://db:5432", "name": "shop.public.daily"}
JOB = {"namespace": "airflow", "name": "nightly.load"}
PARENT = {"run": {"runId": "dag-1"}, "job": {"namespace": "airflow", "name": "nightly"}}


def event(kind: str, minute: int, run_id: str = "task-1", job: dict[str, str] = JOB, **parts: Any) -> str:
    run = {"runId": run_id, "facets": parts.pop("run_facets", {"parent": PARENT} if run_id != "dag-1" else {})}
    known = {"eventType": kind, "eventTime": f"2026-11-20T01:{minute:02}:00Z", "run": run, "job": job}
    return json.dumps({**known, "inputs": [], "outputs": [], **parts})


def loads() -> list[str]:
    """Events of a DAG with one task, which copies a column and filters by another."""
    source = {
        **ORDERS,
        "field": "amount",
        "transformations": [{"type": "DIRECT", "subtype": "AGGREGATION", "description": "sum(amount)"}],
    }
    condition = {**ORDERS, "field": "status", "transformations": [{"type": "INDIRECT", "subtype": "FILTER"}]}
    lineage = {"fields": {"total": {"inputFields": [source]}}, "dataset": [condition]}
    schema = {
        "fields": [
            {"name": "total", "type": "long"},
            {"name": "at", "type": "struct", "fields": [{"name": "day", "type": "date"}]},
        ]
    }
    written = {**DAILY, "facets": {"columnLineage": lineage, "schema": schema}}
    return [
        event("START", 0, "dag-1", {"namespace": "airflow", "name": "nightly"}),
        event("START", 1, inputs=[ORDERS]),
        event("COMPLETE", 2, inputs=[ORDERS], outputs=[written]),
        event("COMPLETE", 3, "dag-1", {"namespace": "airflow", "name": "nightly"}),
    ]


def file_of(folder: Path, *lines: str) -> Path:
    path = folder / "events.ndjson"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_runs_datasets_and_edges_of_events_are_in_the_store(new_store: MemoryStore, tmp_path: Path) -> None:
    harvest_logs(new_store, [file_of(tmp_path, *loads())])
    applications = new_store.rows("SELECT app_name, origin, complete FROM applications")
    assert applications == [("nightly", "openlineage", True)]
    assert new_store.rows("SELECT job_name, status, duration_ms FROM executions") == [
        ("nightly: load: shop.public.daily", "succeeded", 60_000)
    ]
    edges = new_store.rows(
        "SELECT source_dataset, source_column, target_dataset, target_column, transformation, expression "
        "FROM column_lineage ORDER BY target_column NULLS LAST"
    )
    source, target = "s3://lake/warehouse/shop.db/orders", "postgres://db:5432/shop.public.daily"
    assert edges == [
        (source, "amount", target, "total", "AGGREGATION", "sum(amount)"),
        (source, "status", target, None, "FILTER", ""),
    ]
    assert new_store.rows("SELECT column_name, data_type FROM schema_versions ORDER BY ordinal") == [
        ("total", "bigint"),
        ("at", "struct<day:date>"),
        ("at.day", "date"),
    ]
    assert new_store.rows(f"SELECT namespace, \"name\" FROM datasets WHERE dataset = '{target}'") == [
        (DAILY["namespace"], DAILY["name"])
    ]


def test_a_path_in_events_is_the_table_that_a_log_shows_there(new_store: MemoryStore, tmp_path: Path) -> None:
    night = Night()
    night.app()
    night.statement([("s3://lake/raw!a", "amount", "IDENTITY")], target="spark_catalog.shop.orders")
    night.show_place("spark_catalog.shop.orders", "s3://lake/warehouse/shop.db/orders")
    night.harvest(new_store)
    harvest_logs(new_store, [file_of(tmp_path, *loads())])
    upstream = new_store.rows("SELECT DISTINCT source_dataset FROM table_lineage WHERE target_dataset LIKE 'postgres%'")
    assert upstream == [("spark_catalog.shop.orders",)]


def test_events_again_and_in_another_order_change_nothing(new_store: MemoryStore, tmp_path: Path) -> None:
    harvest_logs(new_store, [file_of(tmp_path, *loads())])
    before = new_store.rows("SELECT * EXCLUDE (last_seen) FROM column_lineage ORDER BY ALL")
    harvest_logs(new_store, [file_of(tmp_path, *reversed(loads()), *loads())])
    assert new_store.rows("SELECT * EXCLUDE (last_seen) FROM column_lineage ORDER BY ALL") == before
    assert new_store.rows("SELECT count(*) FROM executions") == [(1,)]


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        "{}",
        '{"run": {"runId": 7}, "job": []}',
        '{"run": {"runId": "x"}}',
        "\x00",
        '{"eventTime": "' + "x" * 100,
    ],
)
def test_a_line_that_is_no_event_is_a_gap_and_costs_no_other_line(
    new_store: MemoryStore, tmp_path: Path, line: str
) -> None:
    first, *others = loads()
    harvest_logs(new_store, [file_of(tmp_path, first, line, *others)])
    assert new_store.rows("SELECT count(*) FROM executions") == [(1,)]
    ((reason, detail),) = new_store.rows("SELECT reason, detail FROM gaps")
    assert (reason, detail[:38]) == ("bad_event", "1 lines are no events of runs; line 2:")


def test_fields_of_other_types_are_empty(new_store: MemoryStore, tmp_path: Path) -> None:
    odd = {
        "columnLineage": {"fields": {"x": 7, "y": {"inputFields": [1, {"name": 2}]}}, "dataset": 3},
        "schema": {"fields": [{"name": 1}, 2]},
    }
    lines = [event("COMPLETE", 1, inputs=[7, {"name": None}], outputs=[{**DAILY, "facets": odd}], run_facets=4)]
    harvest_logs(new_store, [file_of(tmp_path, *lines)])
    assert new_store.rows("SELECT direction FROM dataset_io") == [("write",)]


def test_no_secret_of_an_event_reaches_the_store(new_store: MemoryStore, tmp_path: Path) -> None:
    failure = {"errorMessage": {"message": "cannot reach jdbc:postgresql://db/shop?password=hunter2pass"}}
    query = {"sql": {"query": "SELECT * FROM users WHERE password = 'hunter2pass'"}}
    job = {**JOB, "facets": query}
    described = {"type": "DIRECT", "description": "decrypt(card, secret_key => 'hunter2pass')"}
    lineage = {"fields": {"card": {"inputFields": [{**ORDERS, "field": "card", "transformations": [described]}]}}}
    written = {**DAILY, "facets": {"columnLineage": lineage}}
    harvest_logs(new_store, [file_of(tmp_path, event("FAIL", 1, job=job, outputs=[written], run_facets=failure))])
    tables = [name for (name,) in new_store.rows("SELECT table_name FROM duckdb_tables() WHERE NOT internal")]
    stored = [row for name in tables for row in new_store.rows(f'SELECT * FROM "{name}"')]
    assert "users WHERE password" in str(stored)
    assert "hunter2pass" not in str(stored)


def test_a_file_of_events_is_found_in_a_folder(tmp_path: Path) -> None:
    file_of(tmp_path, *loads())
    (tmp_path / "other.json").write_text('{"a": 1}\n')
    (log,) = find_logs([str(tmp_path)])
    assert holds_openlineage(log, CpuBudget(60))
    assert [run.status for run in read_runs(log, CpuBudget(60)).runs.values()] == ["succeeded", "succeeded"]


def test_a_file_that_stores_bytes_without_text_holds_no_events(tmp_path: Path) -> None:
    path = tmp_path / "lineage.json"
    path.write_bytes(gzip.compress(b""))
    os.truncate(path, 40 << 30)  # without space on the disk
    (log,) = find_logs([str(path)])
    assert not holds_openlineage(log, CpuBudget(0.2))


def test_a_file_of_events_ends_with_its_budget(tmp_path: Path) -> None:
    (log,) = find_logs([str(file_of(tmp_path, *loads()))])
    assert read_runs(log, CpuBudget(-1)).limit == "reading the log takes more than -1 s of CPU time"


LOGS = Path(__file__).resolve().parents[1] / "export" / "logs"


def agents_events(folder: Path) -> Path:
    """What the agent reports of the application of `agent.zstd`: its start and one of its statements."""
    details = {"applicationId": "local-1795343634904", "appName": "shop with agent"}
    job, start = {"namespace": "warehouse", "name": "shop_with_agent"}, "2026-11-22T10:33:55Z"
    parent = {"run": {"runId": "app-run"}, "job": job}
    lines = [
        event("START", 0, "app-run", job, run_facets={"spark_applicationDetails": details}, eventTime=start),
        event(
            "START",
            0,
            "sql-run",
            {**job, "name": "shop_with_agent.execute.landing"},
            run_facets={"spark_applicationDetails": details, "parent": parent},
            eventTime=start,
        ),
        event("START", 0, "rdd-run", job, run_facets={"parent": parent}, eventTime=start, outputs=[DAILY]),
        event("COMPLETE", 0, "sql-run", job, run_facets={"parent": parent}, eventTime=start, outputs=[DAILY]),
    ]
    return file_of(folder, *lines)


@pytest.mark.parametrize("order", ["log first", "events first", "together"])
def test_an_application_with_a_log_and_events_is_there_once_by_its_log(
    new_store: MemoryStore, tmp_path: Path, caplog: pytest.LogCaptureFixture, order: str
) -> None:
    log, reported = LOGS / "agent.zstd", agents_events(tmp_path)
    nights = {"log first": [[log], [reported]], "events first": [[reported], [log]], "together": [[reported, log]]}
    for night in nights[order]:
        harvest_logs(new_store, night)
    assert new_store.rows("SELECT app_id, origin FROM applications") == [("local-1795343634904", "spark")]
    assert new_store.rows("SELECT count(DISTINCT app_id) FROM executions") == [(1,)]
    assert new_store.rows(f"SELECT count(*) FROM table_lineage WHERE target_dataset LIKE '%{DAILY['name']}'") == [(0,)]
    assert "left out runs in OpenLineage events" in caplog.text
    if order != "events first":
        assert new_store.rows(f"SELECT count(*) FROM datasets WHERE dataset LIKE '%{DAILY['name']}'") == [(0,)]


def test_an_application_without_a_log_is_that_of_its_events(new_store: MemoryStore, tmp_path: Path) -> None:
    harvest_logs(new_store, [agents_events(tmp_path)])
    assert new_store.rows("SELECT app_id, app_name FROM applications") == [
        ("local-1795343634904@openlineage", "shop with agent")
    ]
    assert new_store.rows("SELECT count(*) FROM executions") == [(2,)]
