"""The pages of docs/, as a reader follows them: their commands, SQL and Python run over a store of the sample logs."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import sys
from pathlib import Path
from types import ModuleType

import duckdb
import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from eventlog_lineage.cli.main import run
from eventlog_lineage.harvest.run import HarvestResult
from support.docs.blocks import (
    NOT_RUN,
    NOT_RUN_CODE,
    PAGES,
    READ_ELSEWHERE,
    ROOT,
    Block,
    blocks,
    blocks_of_page,
    calls,
    commands,
    is_run,
    placed,
    reason,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PAGE = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
NEWCOMER = (ROOT / "docs" / "newcomer.md").read_text(encoding="utf-8")
SHELL = {name: os.environ[name] for name in ("HOME", "LANG", "PATH") if name in os.environ}
"""The variables of a clean shell: no settings."""


@pytest.fixture(scope="module")
def store(sample_store: tuple[Path, HarvestResult]) -> Path:
    folder, result = sample_store
    assert result.unreadable == ()
    return folder


@pytest.fixture
def folder(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A reader's folder: a copy of the store, a place for backups; and no settings in the environment."""
    (tmp_path / "backup").mkdir()
    (tmp_path / "names.txt").write_text("@default\n")
    shutil.copytree(store, tmp_path / "data" / "lineage", symlinks=True)
    for name in [name for name in os.environ if name.startswith("EVENTLOG_LINEAGE_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def make_docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.spark
def test_every_answer_is_that_of_a_store_of_the_sample_logs(make_docs: ModuleType, store: Path) -> None:
    """Else run `./scripts/demo` and `scripts/make_docs.py --store .demo`, and read the difference."""
    assert make_docs.questions_page(str(store)) == PAGE
    assert make_docs.newcomer_page(str(store)) == NEWCOMER


def test_each_question_takes_one_command() -> None:
    questions = re.split(r"^##+ \d+\. ", PAGE.partition("\n## What a trace means")[0], flags=re.MULTILINE)[1:]
    assert len(questions) > 25
    queries = [question for question in questions if "$ eventlog-lineage sql " in question]
    assert {question.count("$ eventlog-lineage ") for question in questions} == {1}
    assert len(queries) <= 3


@pytest.mark.spark
@pytest.mark.parametrize(
    ("command", "answer"),
    [
        (["ls", "--never-written", "--columns", "dataset,readers"], "file:///tmp/sample_warehouse/landing/orders,1"),
        (["ls", "--never-read", "--columns", "dataset"], "spark_catalog.web.page_speed"),
        (["late", "--columns", "dataset,writes"], "spark_catalog.sales.daily_sales,4"),
        (["jobs", "mart: order_quality", "--runs", "--failed", "--columns", "targets,reads,error"], "amount too small"),
        (["diff", "mart: order_quality", "--failed"], "reads spark_catalog.staging.orders,,18402 bytes,True"),
        (["jobs", "sales.daily_sales", "--runs", "--columns", "status,rows"], "succeeded,7"),
        (["sql", "SELECT count(*) AS runs FROM runs WHERE rows_written = 0"], "runs\n0\n"),
        (["changes", "sales.daily_sales", "--columns", "dataset,change,user_name"], "daily_sales,table_created,etl"),
    ],
)
def test_a_question_beyond_the_page_takes_one_command(
    command: list[str], answer: str, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sources, orphans, stale tables, what a failed run tried, runs without rows: asked with what the page shows."""
    assert run([*command, "--format", "csv", "--store", str(store)]) == 0
    printed = capsys.readouterr()
    assert answer in printed.out.replace("\r\n", "\n")
    assert ("has no good run to compare with" in printed.err) == (command[0] == "diff")


def pages_with(*languages: str) -> list[str]:
    """The pages with blocks of some languages that are run here."""
    return sorted({page for page in PAGES if blocks_of(page, *languages)})


def blocks_of(page: str, *languages: str) -> list[Block]:
    """The blocks of a page that are run here, at least in part."""
    found = [block for block in blocks_of_page(page) if block.language in languages]
    return [block for block in found if (page, block.language) not in READ_ELSEWHERE and is_run(block)]


@pytest.mark.spark
@pytest.mark.parametrize("page", pages_with("sh", "console"))
def test_the_commands_of_a_page_run_in_a_shell_without_settings(
    page: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for block in blocks_of(page, "sh", "console"):
        for call in calls(block, folder, SHELL):
            words = list(call.words)
            monkeypatch.setenv("EVENTLOG_LINEAGE_STORE", call.store)
            assert call.store or "--store" in words or words[0] == "explain", f"{page} names no store for {words}"
            assert run(words) == 0, (page, block.line, words, capsys.readouterr().err)


@pytest.mark.spark
@pytest.mark.parametrize("page", pages_with("sql"))
def test_the_sql_of_a_page_runs_in_a_shell_of_duckdb(page: str, folder: Path) -> None:
    for block in blocks_of(page, "sql"):
        database = "" if "ATTACH" in block.text else str(folder / "data" / "lineage" / "lineage.duckdb")
        with duckdb.connect(database, read_only=bool(database)) as shell:
            shell.execute(placed(block.text))


@pytest.mark.spark
@pytest.mark.parametrize("page", pages_with("python"))
def test_the_python_of_a_page_runs(
    page: str, folder: Path, spark: SparkContext, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, object] = {"spark": SparkSession(spark)}
    for block in blocks_of(page, "python"):
        exec(compile(placed(block.text), f"{page}:{block.line}", "exec"), names)


def test_a_block_has_a_language_and_its_syntax() -> None:
    known = {"sh", "console", "sql", "python", "text", "mermaid", "json", "toml", "yaml"}
    assert [block for block in blocks() if block.language not in known] == []
    assert all(json.loads(block.text) for block in blocks("json"))
    assert all(tomllib.loads(block.text) for block in blocks("toml"))


def test_a_program_of_the_repository_that_a_page_shows_is_there() -> None:
    """With the options that the page shows: these are the commands that take too long for a test."""
    for block in blocks("sh", "console"):
        for command in commands(block):
            found = re.match(r"(?:PYTHONPATH=src )?python ((?:benchmarks|scripts)/\w+\.py)(.*)", command)
            text = (ROOT / found[1]).read_text(encoding="utf-8") if found else ""
            assert [each for each in re.findall(r"--[a-z-]+", found[2] if found else "") if each not in text] == []


def test_every_reason_not_to_run_something_is_one_of_a_block() -> None:
    shown = [command for block in blocks("sh", "console") for command in commands(block)]
    assert [pattern for pattern in NOT_RUN if not any(re.search(pattern, command) for command in shown)] == []
    text = "".join(block.text for block in blocks("python", "sql"))
    assert [word for word in NOT_RUN_CODE if word not in text] == []
    assert all(reason(command) is None for command in ("eventlog-lineage gaps", "eventlog-lineage harvest logs"))
