"""`impact`: names from the command line and from SQL, a comment for a pull request, and the exit code of a check."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from eventlog_lineage.cli.commands.impact import read_statements
from eventlog_lineage.cli.main import run
from support.stores.nights import Night
from support.stores.shop import open_shop

WORKFLOW = Path(__file__).resolve().parents[3] / "scripts" / "ci" / "lineage-impact.yml"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("impact")
    open_shop(path)
    return str(path)


def records(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> list[dict[str, object]]:
    assert run(["impact", *words, "--format", "json"]) == code
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return found


def test_several_names_are_one_answer_without_one_another(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = records(capsys, "staging.orders.amount", "daily_sales.revenue", "--store", store)
    assert [(row["changed"], row["dataset"], row["column_name"], row["depth"]) for row in found] == [
        ("spark_catalog.staging.orders.amount", "spark_catalog.sales.loyal_customers", "region_revenue", 2),
        ("spark_catalog.sales.daily_sales.revenue", "spark_catalog.sales.loyal_customers", "region_revenue", 1),
    ]


def test_consumers_are_listed_with_user_and_last_read(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    (reader,) = [row for row in records(capsys, "landing/orders", "--store", store) if row["kind"] == "consumer"]
    assert (reader["jobs"], reader["user_name"], reader["last_read"], reader["reads"]) == (
        ["nightly-sales: check"],
        "etl",
        "2026-11-20T01:09:00",
        "s3://lake/landing/orders",
    )


@pytest.mark.parametrize(
    ("name", "level", "code"),
    [
        ("staging.orders.amount", "direct", 1),
        ("staging.orders.customer_id", "direct", 0),
        ("staging.orders.customer_id", "any", 1),
        ("staging.customers.email", "direct", 1),
        ("staging.customers.email", "unmasked", 0),
        ("staging.customers.region", "unmasked", 1),
        ("sales.loyal_customers.email_hash", "any", 0),
    ],
)
def test_fail_on_sets_the_exit_code(
    store: str, name: str, level: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["impact", name, "--fail-on", level, "--store", store]) == code
    error = capsys.readouterr().err
    assert error.startswith(f"--fail-on {level}: failed") if code else error == ""


def test_names_come_from_the_statements_of_a_file(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "042.sql"
    file.write_text("ALTER TABLE staging.orders DROP COLUMN amount; DROP TABLE brand.new;")
    assert run(["impact", "--ddl", str(file), "--format", "jsonl", "--store", store]) == 0
    printed = capsys.readouterr()
    rows = [json.loads(line) for line in printed.out.splitlines()]
    assert {(row["changed"], row["change"]) for row in rows} == {("spark_catalog.staging.orders.amount", "dropped")}
    assert "brand.new is dropped: no dataset or column of the store is called brand.new" in printed.err


def test_columns_that_a_replacement_leaves_out_are_dropped(
    store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "replace.sql"
    file.write_text("ALTER TABLE staging.orders REPLACE COLUMNS (order_id BIGINT, amount DECIMAL(10,2), discount INT)")
    found = records(capsys, "--ddl", str(file), "--store", store)
    assert {row["changed"] for row in found} == {"spark_catalog.staging.orders.customer_id"}


def test_a_name_with_several_meanings_is_an_error_even_in_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Night()
    made.app()
    made.statement([("c.one.t!x", "x", "IDENTITY")], target="c.two.t")
    made.harvest(tmp_path / "store")
    (tmp_path / "drop.sql").write_text("drop table t")
    assert run(["impact", "--ddl", str(tmp_path / "drop.sql"), "--store", str(tmp_path / "store")]) == 2
    assert "t can mean 2 things: c.one.t, c.two.t" in capsys.readouterr().err


def test_the_comment_has_a_table_and_a_graph(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["impact", "staging.customers.email", "--format", "markdown", "--store", store]) == 0
    assert capsys.readouterr().out == (
        "### Impact on lineage\n"
        "\n"
        "**spark_catalog.staging.customers.email**: 1 column of 1 dataset and 0 consumers depend on it.\n"
        "\n"
        "| changed | affected | dependency | transformations | masked | depth | jobs | last_read |\n"
        "|---|---|---|---|---|---|---|---|\n"
        "| spark_catalog.staging.customers.email | spark_catalog.sales.loyal_customers.email_hash |"
        " DIRECT | TRANSFORMATION | yes | 1 | nightly-sales: loyal customers |  |\n"
        "\n"
        "```mermaid\n"
        "flowchart LR\n"
        '  subgraph d0["spark_catalog.staging.customers (parquet)"]\n'
        '    n0["email"]\n'
        "  end\n"
        '  subgraph d1["spark_catalog.sales.loyal_customers (parquet)"]\n'
        '    n1["email_hash"]\n'
        "  end\n"
        '  n0 -->|"TRANSFORMATION"| n1\n'
        "  classDef asked stroke-width:4px,font-weight:bold\n"
        "  class n0 asked\n"
        "```\n"
    )


def test_a_comment_on_many_dependants_stays_within_what_github_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Night()
    made.app()
    for number in range(400):
        made.statement([("c.raw.t!x", "y", "IDENTITY")], target=f"c.mart.t{number}", execution=number)
    made.harvest(tmp_path)
    assert run(["impact", "raw.t.x", "--format", "markdown", "--store", str(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "<details><summary>400 dependants</summary>" in text
    assert "The graph has 400 arrows" in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ALTER TABLE db.t DROP COLUMN a", [("dropped", "db.t.a")]),
        ("alter table `db`.`odd``t` drop columns (a, `b`.c)", [("dropped", "db.odd`t.a"), ("dropped", "db.odd`t.b.c")]),
        ("ALTER TABLE IF EXISTS t DROP COLUMN IF EXISTS a, DROP b", [("dropped", "t.a"), ("dropped", "t.b")]),
        ('alter table "t" rename column "a b" to c;', [("renamed", "t.a b")]),
        ("ALTER TABLE t RENAME TO u; ALTER VIEW v RENAME TO w", [("renamed", "t"), ("renamed", "v")]),
        ("ALTER TABLE t ALTER COLUMN a TYPE bigint", [("retyped", "t.a")]),
        (
            "ALTER TABLE t ALTER a SET DATA TYPE decimal(10, 2), ALTER b TYPE int",
            [("retyped", "t.a"), ("retyped", "t.b")],
        ),
        ("ALTER TABLE t CHANGE COLUMN a b int COMMENT 'x, y'", [("renamed", "t.a")]),
        ("ALTER TABLE t CHANGE a a bigint", [("retyped", "t.a")]),
        ("ALTER TABLE t ALTER COLUMN a SET NOT NULL", []),
        ("ALTER TABLE t ALTER COLUMN a COMMENT 'drop column b'", []),
        ("ALTER TABLE t DROP PARTITION (dt = '2026-01-01')", []),
        ("ALTER TABLE t PARTITION (dt=1) RENAME TO PARTITION (dt=2)", []),
        ("ALTER TABLE t ADD COLUMNS (a int); ALTER TABLE t SET TBLPROPERTIES ('x' = 'DROP TABLE y')", []),
        ("-- DROP TABLE a\n/* DROP TABLE b; */ DROP TABLE IF EXISTS c, d PURGE", [("dropped", "c"), ("dropped", "d")]),
        ("DROP VIEW v; DROP MATERIALIZED VIEW m; DROP SCHEMA s; DROP INDEX i", [("dropped", "v"), ("dropped", "m")]),
        ("USE DATABASE sales; DROP TABLE a; DROP TABLE other.b", [("dropped", "sales.a"), ("dropped", "other.b")]),
        ("INSERT INTO t SELECT 'DROP TABLE x' FROM y; SELECT 1", []),
        ("DROP TABLE a; DROP TABLE a", [("dropped", "a")]),
        ("ALTER TABLE s3.`x/y` DROP COLUMN z", [("dropped", "s3.x/y.z")]),
        ("'unclosed; DROP TABLE a", []),
        ("", []),
    ],
)
def test_statements_are_read_as_what_they_change(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(each.change, each.name) for each in read_statements(text)] == expected


def test_the_workflow_asks_for_the_migrations_of_the_pull_request(store: str, tmp_path: Path) -> None:
    """The step of scripts/ci, run by bash on a pull request that drops a column in use and tries to hide it."""
    block = re.search(r"id: impact\n.*?run: \|\n((?: {10}[^\n]*\n)+)", WORKFLOW.read_text(), re.DOTALL)
    assert block is not None
    script = re.sub(r"^ {10}", "", block[1], flags=re.MULTILINE)
    bin_folder, repository, runner, secret = (tmp_path / name for name in ("bin", "repository", "runner", "secret"))
    for folder in (bin_folder, repository / "migrations", runner):
        folder.mkdir(parents=True)
    entry = bin_folder / "eventlog-lineage"
    entry.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m eventlog_lineage "$@"\n')
    entry.chmod(0o755)
    (runner / "lineage").symlink_to(store)
    secret.write_text("secret")

    def git(*words: str) -> str:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
        done = subprocess.run(["git", *identity, *words], cwd=repository, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def asked() -> str:
        """Run the step; return its outputs."""
        output = tmp_path / "output"
        output.write_text("")
        environment = os.environ | {
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(sys.path),
            "BASE": base,
            "RUNNER_TEMP": str(runner),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        }
        subprocess.run(["bash", "-e", "-c", script], cwd=repository, env=environment, check=True, capture_output=True)
        return output.read_text()

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "base")
    base = git("rev-parse", "HEAD")
    for name in ("comment.md", "changed", "lineage"):  # what the step writes and reads, were it in the checkout
        (repository / name).symlink_to(secret)
    (repository / "eventlog-lineage.toml").write_text("depth = 0")
    git("add", ".")
    git("commit", "-q", "-m", "hide")
    assert asked() == "code=0\n"
    (repository / "migrations" / "001 drop.sql").write_text("ALTER TABLE staging.orders DROP COLUMN amount")
    git("add", "migrations")
    git("commit", "-q", "-m", "drop")
    assert asked() == f"code=1\ncomment={runner}/comment.md\n"
    assert "**spark_catalog.staging.orders.amount** (dropped)" in (tmp_path / "summary").read_text()
    assert secret.read_text() == "secret"
