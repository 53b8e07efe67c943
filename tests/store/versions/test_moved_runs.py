"""A store that was copied or moved reads its own runs, not those of the folder that it comes from."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.schema.database import DATABASE_NAME, DamagedError, open_for_reading
from eventlog_lineage.store.versions.folder import readable_version
from support.stores.nights import Night

COUNT = "SELECT count(*) FROM executions"


def night(number: int) -> Night:
    """A night with a statement."""
    made = Night(number)
    made.app()
    made.statement([("spark_catalog.raw.orders!amount", "total", "AGGREGATION")], target="spark_catalog.sales.daily")
    return made


@pytest.fixture(scope="module")
def first_night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy of a store before the store had another night."""
    folder = tmp_path_factory.mktemp("nights")
    night(1).harvest(folder / "store")
    shutil.copytree(folder / "store", folder / "first", symlinks=True)
    night(2).harvest(folder / "store")
    return folder / "first"


@pytest.fixture
def copied(first_night: Path, tmp_path: Path) -> Path:
    """The copy of a store that has another night since; its folder has characters of globs and SQL."""
    return Path(shutil.copytree(first_night, tmp_path / "a[b]*'c", symlinks=True))


def test_a_copys_commands_and_free_queries_read_its_own_runs(copied: Path) -> None:
    with open_store(copied) as opened:
        assert opened.ask(COUNT).rows == [(1,)]
        assert opened.ask_freely(COUNT).rows == [(1,)]


def test_a_copy_is_opened_without_making_its_views_again(copied: Path) -> None:
    with open_store(copied) as opened:
        assert opened.ask("SELECT view_name FROM duckdb_views() WHERE temporary AND NOT internal").rows == []


def test_a_copy_whose_views_an_older_program_made_reads_its_own_runs(copied: Path) -> None:
    """It names the folder that its views lead to, and no variable that they look at."""
    database = (readable_version(copied) or copied) / DATABASE_NAME
    with open_for_reading(database) as connection:
        followed = connection.execute("SELECT sql FROM duckdb_views() WHERE view_name = 'executions'").fetchone()
    assert followed is not None
    assert "getvariable('eventlog_lineage_version')" in followed[0]
    database.chmod(0o600)
    with_duckdb(
        database, "UPDATE internal.store_facts SET value = '/elsewhere' WHERE fact = 'eventlog_lineage_version'"
    )
    with open_store(copied) as opened:
        assert opened.ask(COUNT).rows == opened.ask_freely(COUNT).rows == [(1,)]


def with_duckdb(database: Path, statement: str) -> None:
    """Change a database as another program does."""
    with duckdb.connect(str(database)) as connection:
        connection.execute(statement)


def test_a_copy_without_runs_is_damaged(copied: Path) -> None:
    version = readable_version(copied)
    assert version is not None
    for file in (version / "runs" / "applications").glob("*.parquet"):
        file.unlink()
    with pytest.raises(DamagedError, match="no file of applications is there"):
        open_for_reading(version / DATABASE_NAME)
