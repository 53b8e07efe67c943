"""`export duckdb`: one file that depends on no other file."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES
from support.harvesting import small_night

VIEWS = (
    "system_access_table_lineage",
    "system_access_column_lineage",
    "source_job_lineage",
    "sink_snapshot_lineage",
    "field_lineage",
    "consumers",
)
MACROS = ("upstream('sales.daily')", "downstream('raw.orders.amount')", "lineage_at(TIMESTAMP '2026-11-30 00:00:00')")
ASKED = (*(table.name for table in PUBLIC_TABLES), *VIEWS, *MACROS)


def answers(connection: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    return {asked: sorted(map(repr, connection.execute(f"FROM {asked}").fetchall())) for asked in ASKED}


@pytest.fixture(scope="module")
def two_nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that is not where it was made: there is nothing for what leads there."""
    folder = tmp_path_factory.mktemp("nights")
    for day in (0, 1):
        small_night(day).harvest(folder / "store")
    return (folder / "store").rename(folder / "moved")


@pytest.fixture
def store(two_nights: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(two_nights, tmp_path / "store", symlinks=True))


@pytest.mark.parametrize("name", ["lineage.duckdb", "of the 20th?.db"])
def test_the_file_answers_like_the_store_when_the_store_is_gone(store: Path, tmp_path: Path, name: str) -> None:
    with open_store(store) as opened:
        expected = answers(opened.connection)
    (tmp_path / "elsewhere").mkdir()
    out = tmp_path / "elsewhere" / name
    assert run(["export", "duckdb", "--store", str(store), "--out", str(out)]) == 0
    assert list(out.parent.iterdir()) == [out]
    shutil.rmtree(store)
    with duckdb.connect(str(out), read_only=True) as connection:
        assert answers(connection) == expected
        assert connection.execute("SELECT comment FROM duckdb_tables() WHERE table_name = 'executions'").fetchone() == (
            "One row is a SQL execution.",
        )
    assert all(expected[table] for table in ("applications", "executions", "dataset_io", "upstream('sales.daily')"))


def test_the_attached_file_answers_under_another_name(store: Path, tmp_path: Path) -> None:
    assert run(["export", "duckdb", "--store", str(store), "--out", str(tmp_path / "a.db")]) == 0
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{tmp_path / 'a.db'}' AS other (READ_ONLY); USE other")
        assert connection.execute("SELECT count(*) FROM dataset_io").fetchone() == (4,)


def test_a_file_that_cannot_be_written_leaves_the_older_one_as_it_was(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.duckdb"
    out.write_text("before")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("eventlog_lineage.export.dashboards.copy_file", refuse)
    assert run(["export", "duckdb", "--store", str(store), "--out", str(out)]) == 1
    assert capsys.readouterr().err == f"Error: cannot write: No space left on device ({out})\n"
    assert out.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.duckdb", "store"]
