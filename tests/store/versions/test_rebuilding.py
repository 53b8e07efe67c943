"""A store that was moved works, is reported, and is repaired for DuckDB shells."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.store.administration import rebuild
from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.versions.folder import version_numbers
from support.harvesting import small_night
from support.stores.content import check_parquet, content


def in_a_shell(store: Path) -> int:
    """Count executions and reads and writes as a DuckDB shell does, from another working directory."""
    with duckdb.connect(str(store / "lineage.duckdb"), read_only=True) as connection:
        rows = connection.execute("SELECT count(*), (SELECT count(*) FROM dataset_io) FROM executions").fetchone()
    assert rows is not None
    assert rows[1] == 2 * rows[0]
    return int(rows[0])


@pytest.fixture(scope="module")
def two_nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nights")
    for day in (0, 1):
        small_night(day).harvest(folder / "store")
    return (folder / "store").rename(folder / "moved")


@pytest.fixture
def moved(two_nights: Path, tmp_path: Path) -> Path:
    return shutil.copytree(two_nights, tmp_path / "moved", symlinks=True)


def test_a_shell_reads_a_store_from_any_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_night(0).harvest(tmp_path / "store")
    monkeypatch.chdir(os.sep)
    assert in_a_shell(tmp_path / "store") == 1


def test_a_moved_store_is_reported_and_rebuilt(moved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(duckdb.Error):
        in_a_shell(moved)
    before = content(moved)
    assert run(["check", "--store", str(moved)]) == 0
    assert f"run `eventlog-lineage rebuild --store {moved}`" in capsys.readouterr().out
    assert run(["rebuild", "--store", str(moved)]) == 0
    assert in_a_shell(moved) == 2
    capsys.readouterr()
    assert run(["check", "--store", str(moved)]) == 0
    assert "rebuild" not in capsys.readouterr().out
    assert content(moved) == before
    assert version_numbers(moved) == [1, 2, 3]
    check_parquet(moved)


def test_a_moved_store_is_repaired_by_the_next_harvest(moved: Path) -> None:
    small_night(2).harvest(moved)
    assert in_a_shell(moved) == 3
    check_parquet(moved)


def test_the_database_is_rebuilt_from_parquet_alone(moved: Path) -> None:
    before = content(moved)
    for number in version_numbers(moved):
        (moved / ".versions" / str(number) / "lineage.duckdb").unlink()
    assert run(["rebuild", "--store", str(moved)]) == 0
    assert content(moved) == before
    assert in_a_shell(moved) == 2
    check_parquet(moved)


def test_a_rebuilt_store_answers_and_goes_on_like_the_one_before(
    tmp_path: Path, small_stores: Callable[[Path, int], Path]
) -> None:
    """Edges in questions are rows of column_lineage by number: these must agree."""
    traces = {}
    for name, nights in (("plain", 3), ("rebuilt", 1)):
        store = small_stores(tmp_path / name, nights)
        for day in range(nights, 3):
            rebuild(store)
            small_night(day).harvest(store)
        with open_store(store) as opened:
            traces[name] = opened.ask("FROM upstream('sales.daily')").rows
    assert traces["plain"] == traces["rebuilt"] != []
    assert content(tmp_path / "plain") == content(tmp_path / "rebuilt")


def test_files_without_a_list_of_them_are_rebuilt_too(moved: Path) -> None:
    copy = moved.with_name("copy")
    shutil.copytree(moved, copy, ignore=shutil.ignore_patterns(".*", "lineage.duckdb"))
    before = content(moved)
    assert run(["rebuild", "--store", str(copy)]) == 0
    assert content(copy) == before
    check_parquet(copy)


def test_where_there_is_no_store_nothing_is_rebuilt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rebuild", "--store", str(tmp_path)]) == 1
    assert "there is no store" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
