"""`why`, `why-late`, `failures`, joins and runs: the commands that explain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from support.stores.nights import Night
from support.stores.shop import CUSTOMERS, DAILY, LANDING, LOYAL, ORDERS, open_shop

RAW, MID, END = "spark_catalog.raw.a", "spark_catalog.mid.b", "spark_catalog.mart.c"
STACK = "Job aborted.\n\tat a.B.c(B.java:1)\nCaused by: java.io.IOException: disk is full\n\tat d.E.f(E.java:2)"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("explanations") / "store"
    open_shop(folder)
    return str(folder)


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Give what a call prints; it must end well."""
    code = run(words)
    printed = capsys.readouterr()
    assert (code, printed.err) == (0, "")
    return printed.out


def records(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    """Give the rows of an answer."""
    found: list[dict[str, object]] = json.loads(answer(capsys, *words, "--format", "json"))
    return found


def test_why_says_in_sentences_what_a_column_is(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "why", "daily_sales.revenue", "--store", shop)
    text = " ".join(said.split())
    for sentence in (
        f"revenue is a column of type decimal(18,2) of {DAILY}.",
        f"It aggregates {ORDERS}.amount: sum(orders.amount).",
        "Rows are joined by (orders.customer_id = customers.id).",
        "There is one row for each customers.region.",
        f"Over 2 steps its values come from {LANDING}.amount.",
        "Its values are not masked.",
        f"The job nightly-sales: daily_sales InsertInto wrote {DAILY} 3 times (append)",
        "type changed revenue: decimal(20,2) → decimal(18,2)",
    ):
        assert sentence in text


def test_why_says_which_of_several_jobs_has_a_condition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    night = Night()
    night.app()
    copied = (f"{RAW}!x", "x", "IDENTITY", "a.x")
    night.statement([copied, (f"{RAW}!y", "", "FILTER", "(a.y > 3)")], target=END, execution=1, description="large")
    night.statement([copied], target=END, execution=2, description="all")
    night.harvest(tmp_path)
    lines = answer(capsys, "why", f"{END}.x", "--store", str(tmp_path)).splitlines()
    assert "Only rows count for which (a.y > 3) (job nightly sales: large: c)." in lines
    assert lines.count(f"  {END}.x is a copy of {RAW}.x") == 1


def test_why_as_of_a_time_has_the_expression_of_that_time(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    then = answer(capsys, "why", "daily_sales.revenue", "--at", "2026-11-19T12:00", "--store", shop)
    assert "sum((orders.amount - orders.discount))" in then
    assert "decimal(20,2)" in then
    assert "2026-11-20" not in then


def test_an_evidence_sheet_has_run_and_log_of_each_step(
    shop: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = answer(capsys, "why", "daily_sales.revenue", "--store", shop, "--format", "markdown")
    step = next(line for line in sheet.splitlines() if line.startswith("|") and "aggregates" in line)
    assert "app-2" in step
    page = tmp_path / "sheet.html"
    answer(capsys, "why", "daily_sales.revenue", "--store", shop, "-o", str(page))
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert "Derivation" in html
    assert "app-2" in html
    assert "<script" not in html


def test_why_of_a_masked_column_a_dataset_and_a_job(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is applied on every path" in answer(capsys, "why", "loyal_customers.email_hash", "--store", shop)
    dataset = " ".join(answer(capsys, "why", "daily_sales", "--store", shop).split())
    assert f"made of {CUSTOMERS} and {ORDERS}." in dataset
    job = answer(capsys, "why", "nightly-sales: stage orders", "--store", shop)
    assert f"It writes {ORDERS}." in job


def chain(store: Path, *, failed: bool) -> None:
    """Harvest four nights of a chain of three tables whose first step fails or is missing on the last night."""
    for day in range(4):
        night = Night(day)
        night.app()
        last = day == 3
        if not last or failed:
            night.statement(
                [(f"{RAW}!x", "x", "IDENTITY")],
                target=MID,
                execution=1,
                status="failed" if last else "succeeded",
                error=STACK if last else None,
                description="load",
            )
        if not last:
            night.statement([(f"{MID}!x", "x", "IDENTITY")], target=END, execution=2, description="mart")
        night.statement([], reads=[RAW], execution=3, minute=120, description="check")
        night.harvest(store)


@pytest.mark.parametrize("failed", [True, False])
def test_why_late_names_the_first_run_that_failed_or_did_not_come(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], failed: bool
) -> None:
    chain(tmp_path, failed=failed)
    rows = records(capsys, "why-late", END, "--store", str(tmp_path))
    assert (rows[0]["cause"], rows[0]["dataset"], rows[0]["state"]) == (True, MID, "failed" if failed else "missing")
    assert rows[0]["error"] == ("IOException: disk is full" if failed else None)
    assert rows[0]["last_good_run"] == "2026-11-20T01:01:00"
    assert rows[0]["waiting"] == [END]
    assert [row["cause"] for row in rows[1:]] == [False, False]
    said = answer(capsys, "why-late", END, "--store", str(tmp_path))
    assert ("disk is full" if failed else "did not run") in said
    assert "is not late" in answer(capsys, "why-late", RAW, "--store", str(tmp_path))


def test_why_late_names_the_statement_that_failed_before_a_missing_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for day in range(4):
        night = Night(day)
        night.app()
        last = day == 3
        status = {"status": "failed", "error": STACK, "minute": 120} if last else {}
        night.statement([], reads=["spark_catalog.db.config"], execution=1, description="check", **status)
        if not last:
            night.statement([(f"{RAW}!x", "x", "IDENTITY")], target=MID, execution=2, description="load")
        night.harvest(tmp_path)
    (row, *_) = records(capsys, "why-late", MID, "--store", str(tmp_path))
    assert (row["state"], row["earlier_error"]) == ("missing", "IOException: disk is full")
    assert row["earlier_failed_at"] == "2026-11-21T03:00:00"
    said = " ".join(answer(capsys, "why-late", MID, "--store", str(tmp_path)).split())
    assert f"{row['earlier_job']} failed at 2026-11-21 03:00:00 UTC: IOException: disk is full." in said


def test_a_rule_states_how_often_a_dataset_is_due(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chain(tmp_path, failed=False)
    usual = records(capsys, "late", "--store", str(tmp_path))
    assert {row["dataset"]: row["usual_gap_seconds"] for row in usual} == {MID: 86_400, END: 86_400}
    ruled = records(capsys, "late", "--due", "nowhere=1h", "--due", f"{END}=6h", "--store", str(tmp_path))
    assert [(row["dataset"], row["usual_gap_seconds"]) for row in ruled] == [(END, 21_600), (MID, 86_400)]
    settings = tmp_path / "settings.toml"
    settings.write_text(f'[due]\n"{END}" = "6h"\n', encoding="utf-8")
    assert records(capsys, "late", "--config", str(settings), "--store", str(tmp_path)) == ruled
    assert run(["late", "--due", "x=soon", "--store", str(tmp_path)]) == 2


def test_the_first_harvest_creates_no_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for day in range(2):
        night = Night(day)
        night.log(f"/logs/{day}", app_id=night.app(code_version=f"sales:1.{day}"))
        target = (MID, END)[day]
        shape = night.statement([(f"{RAW}!x", "x", "IDENTITY")], target=target, mode="create")
        night.show(shape, target, "x:int", evidence="create")
        night.harvest(tmp_path)
    found = records(capsys, "changes", "--since", "2000-01-01", "--store", str(tmp_path))
    (change,) = found
    assert (change["change"], change["dataset"], change["code_version"]) == ("table_created", END, "sales:1.1")
    (first,) = records(capsys, "changes", MID, "--store", str(tmp_path))
    assert (first["change"], first["code_version"]) == ("table_created", "sales:1.0")
    every = records(capsys, "changes", "--since", "2000-01-01", "--kind", "table_created", "--store", str(tmp_path))
    assert len(every) == 2


def test_erasure_of_an_ending_means_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    night = Night()
    night.app()
    table = "spark_catalog.staging.customers"
    night.statement([("file:///landing/customers!id", "id", "IDENTITY")], target=table, execution=1)
    night.statement([(f"{table}!id", "id", "IDENTITY")], target="file:///exports/customers", execution=2)
    night.harvest(tmp_path)
    places = records(capsys, "erasure", "customers.id", "--store", str(tmp_path))
    assert [(row["holds"], row["dataset"]) for row in places] == [
        ("origin", table),
        ("source", "file:///landing/customers"),
        ("copy", "file:///exports/customers"),
    ]
    assert run(["upstream", "customers.id", "--store", str(tmp_path)]) == 2


def test_failures_and_runs_have_one_line_of_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chain(tmp_path, failed=True)
    (row,) = records(capsys, "failures", "--store", str(tmp_path))
    assert (row["error"], row["last_succeeded"]) == ("IOException: disk is full", "2026-11-20T01:01:00")
    (failed,) = records(capsys, "jobs", "--runs", "--failed", "--store", str(tmp_path))
    assert (failed["error"], failed["stack_trace"]) == ("IOException: disk is full", STACK)
    assert "stack_trace" not in answer(capsys, "jobs", "--runs", "--failed", "--store", str(tmp_path))


def test_keys_have_the_asked_name_on_the_left(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("dataset", "column_name", "operator", "joined_dataset", "joined_column", "runs")
    (row,) = records(capsys, "keys", "staging.orders", "--store", shop)
    assert [row[name] for name in names] == [ORDERS, "customer_id", "=", CUSTOMERS, "id", 3]
    (row,) = records(capsys, "keys", "staging.customers.id", "--store", shop)
    assert [row[name] for name in names] == [CUSTOMERS, "id", "=", ORDERS, "customer_id", 3]
    assert len(records(capsys, "keys", "--store", shop)) == 2
    assert len(records(capsys, "keys", "nightly-sales: loyal customers", "--store", shop)) == 1


def test_erd_draws_datasets_with_their_keys(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = answer(capsys, "erd", "--store", shop, "--format", "mermaid").splitlines()
    assert lines[0] == "erDiagram"
    assert f'    "{CUSTOMERS}"["{CUSTOMERS} (parquet)"] {{' in lines
    assert "        string region" in lines
    assert f'    "{CUSTOMERS}" }}o--o{{ "{ORDERS}" : "id = customer_id"' in lines


def test_erasure_lists_sources_copies_joined_and_related_places(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "erasure", "staging.customers.id", "--store", shop)
    places = {(row["dataset"], row["column_name"]): (row["holds"], row["place"]) for row in found}
    assert places == {
        (CUSTOMERS, "id"): ("origin", "catalog"),
        (ORDERS, "customer_id"): ("joined", "catalog"),
        (LANDING, "customer_id"): ("source", "path"),
        (DAILY, "region"): ("related", "catalog"),
    }
    masked = records(capsys, "erasure", "staging.customers.email", "--store", shop)
    assert {(row["dataset"], row["holds"], row["masked"]) for row in masked} >= {(LOYAL, "derived", True)}


def test_a_job_is_a_name(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    up = records(capsys, "upstream", "nightly-sales: loyal customers", "--store", shop)
    assert {row["target_dataset"] for row in up} == {LOYAL, DAILY, ORDERS}
    (job,) = records(capsys, "jobs", "loyal customers", "--store", shop)
    assert (job["job_name"], job["runs"], job["failed"]) == ("nightly-sales: loyal customers", 3, 1)
    tree = answer(capsys, "upstream", "loyal customers", "--format", "tree", "--store", shop)
    assert tree.startswith("sales.loyal_customers\n")


def test_two_runs_of_a_job_are_compared(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["what"]: row for row in records(capsys, "diff", "nightly-sales: loyal customers", "--store", shop)}
    assert (rows["status"]["good_run"], rows["status"]["last_run"], rows["status"]["differs"]) == (
        "succeeded",
        "failed",
        True,
    )
    assert rows["user_name"]["differs"] is False
    edges = [row for row in records(capsys, "diff", "daily_sales InsertInto", "--store", shop) if row["what"] == "edge"]
    assert any("discount" in str(row["good_run"]) and row["last_run"] is None for row in edges)


def test_rows_and_columns_of_an_answer_are_chosen(shop: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("jobs", "--store", shop, "--sort", "-job_name", "--columns", "job_name,runs", "--limit", "2")
    assert answer(capsys, *words, "--format", "csv") == (
        "job_name,runs\nnightly-sales: stage orders,3\nnightly-sales: loyal customers,3\n"
    )
    assert run(["jobs", "--store", shop, "--sort", "size"]) == 2
    assert "the answer has no column size; it has job_name" in capsys.readouterr().err
