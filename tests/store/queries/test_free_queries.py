"""A user's SQL reads the store and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.queries.open_store import open_store
from support.harvesting import small_night


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("stores") / "store"
    small_night(0).harvest(store)
    return store


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*"))


@pytest.mark.parametrize(
    "query",
    [
        "COPY harvests TO '{folder}/x.csv'",
        "COPY harvests TO '{store}/x.csv'",
        "copy/**/(FROM harvests) TO '{store}/x.parquet' (FORMAT parquet)",
        "EXPLAIN ANALYZE COPY harvests TO '{store}/x.csv'",
        "EXPLAIN (ANALYZE) copy harvests TO '{store}/x.csv'",
        "PREPARE p AS COPY harvests TO '{store}/x.csv'; EXECUTE p",
        "COPY (PIVOT (FROM harvests) ON version USING count(*)) TO '{store}/x.csv'",
        "SELECT 1; COPY harvests TO '{store}/x.csv'",
        "EXPORT DATABASE '{store}/x'",
        "ATTACH '{store}/x.duckdb'",
        "ATTACH '{folder}/x.duckdb'",
        "IMPORT DATABASE '{store}'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "RESET allowed_directories",
        "SET temp_directory = '{folder}'",
        "PRAGMA profile_output = '{folder}/x.json'",
        "DELETE FROM executions",
        "CREATE TABLE x AS FROM executions",
        "FROM '{folder}/other.csv'",
        "FROM read_csv('{store}/../other.csv')",
        "FROM read_text('/etc/passwd')",
        "FROM glob('{folder}/*')",
        "FROM 'https://example.com/x.csv'",
    ],
)
def test_a_query_that_writes_or_reaches_out_is_refused(store: Path, query: str) -> None:
    folder = store.parent
    (folder / "other.csv").write_text("a\n1\n")
    before = files(folder)
    with open_store(store) as opened, pytest.raises(UsageError, match=r"the query (cannot run|fails): "):
        opened.ask_freely(query.format(folder=folder, store=store))
    assert files(folder) == before


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM executions",
        "FROM read_parquet('{version}/executions/*/*.parquet') SELECT count(*)",
        "CREATE TEMP TABLE x AS FROM executions; SELECT count(*) FROM x",
        "SELECT count(*) AS copy FROM executions WHERE description IS DISTINCT FROM 'COPY x TO y'",
        "SET VARIABLE x = 1; SELECT getvariable('x')",
    ],
)
def test_a_query_that_reads_the_store_is_answered(store: Path, query: str) -> None:
    with open_store(store) as opened:
        assert opened.ask_freely(query.format(version=opened.version)).rows == [(1,)]


def test_a_pivot_and_an_explanation_are_answered(store: Path) -> None:
    with open_store(store) as opened:
        assert opened.ask_freely("PIVOT (SELECT direction FROM dataset_io) ON direction USING count(*)").rows
        assert opened.ask_freely("EXPLAIN ANALYZE FROM executions").rows
        assert opened.ask_freely("DESCRIBE executions").rows


@pytest.mark.parametrize("query", ["", "  ", ";", "/* nothing */"])
def test_an_empty_query_is_answered_with_an_example(
    store: Path, query: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sql", query, "--store", str(store)]) == 2
    expected = 'Error: the query is empty; write SQL, such as `eventlog-lineage sql "FROM table_lineage"`\n'
    assert capsys.readouterr().err == expected


def test_an_error_shows_the_place_in_the_query(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sql", "SELECT app_id,\n       app_nam FROM applications", "--store", str(store)]) == 2
    first, line, caret = capsys.readouterr().err.splitlines()
    assert first.startswith("Error: the query fails: Binder Error: ")
    assert line.startswith("LINE 2:        app_nam FROM applications")
    assert caret.index("^") == line.index("app_nam")


def test_a_long_query_prints_no_progress_bar_between_the_lines_of_an_answer(store: Path) -> None:
    with open_store(store) as opened:
        assert opened.ask("SELECT current_setting('enable_progress_bar')").rows == [(False,)]
