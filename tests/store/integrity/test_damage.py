"""A damaged store is refused, never replaced, and goes back to a whole version."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.integrity.restoring import restore
from eventlog_lineage.store.publish import versions
from eventlog_lineage.store.publish.writer import HarvestFacts, open_for_harvest
from eventlog_lineage.store.queries.open_store import open_store
from support.harvesting import small_night
from support.nights import START
from support.store_content import check_parquet, content, rows


def remove_link(store: Path) -> None:
    (store / ".current").unlink()


def remove_current_version(store: Path) -> None:
    shutil.rmtree(store / ".versions" / "2")


def overwrite_current_database(store: Path) -> None:
    (store / ".versions" / "2" / "lineage.duckdb").write_bytes(b"nonsense" * 1000)


def truncate_current_database(store: Path) -> None:
    path = store / ".versions" / "2" / "lineage.duckdb"
    path.write_bytes(path.read_bytes()[:5000])


DATABASE_DAMAGE = (remove_current_version, overwrite_current_database, truncate_current_database)


def remove_parquet_table(store: Path) -> None:
    shutil.rmtree(store / ".versions" / "2" / "column_lineage")


def copy_over_link(store: Path) -> None:
    (store / "executions").unlink()
    shutil.copytree(store / ".versions" / "2" / "executions", store / "executions")


PARQUET_DAMAGE = (remove_parquet_table,)
LINK_DAMAGE = (remove_link, copy_over_link)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("whole")
    for day in (0, 1):
        small_night(day).harvest(store)
    return store


@pytest.fixture
def store(whole: Path, tmp_path: Path) -> Path:
    subprocess.run(["cp", "-a", f"{whole}/.", str(tmp_path)], check=True)
    return tmp_path


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    store = tmp_path_factory.mktemp("undisturbed")
    for day in (0, 1, 2):
        small_night(day).harvest(store)
    return content(store)


def newest_whole(damage: Callable[[Path], None]) -> int:
    return 2 if damage in LINK_DAMAGE else 1


def advice(store: Path, damage: Callable[[Path], None]) -> str:
    if damage in PARQUET_DAMAGE:
        return (
            f"the database of version 2 is intact: run `eventlog-lineage restore --store {store}` to write its Parquet "
            "files again, or add `--version 1` to go back to version 1, which is whole"
        )
    return f"version {newest_whole(damage)} is whole: run `eventlog-lineage restore --store {store}`"


@pytest.mark.parametrize("damage", [*DATABASE_DAMAGE, *PARQUET_DAMAGE, *LINK_DAMAGE])
def test_a_harvest_refuses_a_damaged_store_and_removes_nothing(store: Path, damage: Callable[[Path], None]) -> None:
    damage(store)
    before = sorted(store.rglob("*"))
    with pytest.raises(StoreError, match=f"the store is damaged: .*{advice(store, damage)}"):
        small_night(2).harvest(store)
    assert [path for path in sorted(store.rglob("*")) if path.name != ".lock"] == [
        path for path in before if path.name != ".lock"
    ]


@pytest.mark.parametrize("damage", [remove_link, *DATABASE_DAMAGE])
def test_a_question_to_a_damaged_store_is_answered_with_the_way_back(
    store: Path, damage: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    damage(store)
    assert run(["sql", "SELECT 1", "--store", str(store)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("Error: the store is damaged: ")
    assert error.count("\n") == 1
    assert "run `eventlog-lineage restore" in error
    assert "harvest" not in error


@pytest.mark.parametrize("damage", [remove_link, truncate_current_database, remove_parquet_table])
def test_restoring_goes_back_to_the_newest_whole_version_and_the_next_harvest_goes_on_from_it(
    store: Path, damage: Callable[[Path], None], undisturbed: dict[str, list[str]]
) -> None:
    damage(store)
    harvests = 2 if damage in PARQUET_DAMAGE else newest_whole(damage)
    assert run(["restore", "--store", str(store)]) == 0
    assert rows(store, "SELECT count(*) FROM harvests") == [(harvests,)]
    check_parquet(store)
    for day in range(harvests, 3):
        small_night(day).harvest(store)
    assert content(store) == undisturbed
    check_parquet(store)


def test_a_named_version_is_restored_and_the_others_stay(store: Path) -> None:
    assert restore(store, 1).number == 1
    assert rows(store, "SELECT count(*) FROM executions") == [(1,)]
    assert restore(store, 2).number == 2
    assert rows(store, "SELECT count(*) FROM executions") == [(2,)]


def test_a_version_that_is_not_whole_is_not_restored(store: Path) -> None:
    truncate_current_database(store)
    with pytest.raises(StoreError, match=r"version 2 is not whole .*whole versions: 1"):
        restore(store, 2)
    (store / ".versions" / "1" / "lineage.duckdb").unlink()
    with pytest.raises(StoreError, match="no version of the store is whole"):
        restore(store)


def test_what_stood_in_the_place_of_a_link_is_kept(store: Path) -> None:
    copy_over_link(store)
    (store / "executions" / "note.txt").write_text("of mine")
    aside = restore(store).aside
    assert aside is not None
    assert (aside / "executions" / "note.txt").read_text() == "of mine"


def test_where_there_is_no_store_nothing_is_restored(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        restore(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("part", ["", ".current"])
def test_a_copy_with_links_followed_is_readable_and_restoring_makes_it_a_store(
    store: Path, tmp_path_factory: pytest.TempPathFactory, part: str
) -> None:
    copy = tmp_path_factory.mktemp("copies") / "copy"
    shutil.copytree(store / part, copy)
    with open_store(copy) as reader:
        assert reader.ask("SELECT count(*) FROM executions").rows == [(2,)]
    with pytest.raises(StoreError, match=f"copy.*eventlog-lineage restore --store {copy}"):
        small_night(2).harvest(copy)
    assert restore(copy).number == 2
    for each in (store, copy):
        small_night(2).harvest(each)
    assert content(copy) == content(store)
    check_parquet(copy)


def test_versions_stay_until_the_next_one_is_published(store: Path) -> None:
    with open_for_harvest(store):
        assert versions.version_numbers(store) == [1, 2]
    small_night(2).harvest(store)
    assert versions.version_numbers(store) == [2, 3]


def test_a_restored_version_stays_when_the_next_one_is_published(store: Path) -> None:
    small_night(2).harvest(store)
    restore(store, 2)
    small_night(3).harvest(store)
    assert versions.version_numbers(store) == [2, 4]


def test_a_version_whose_files_are_damaged_while_it_is_made_is_not_published(store: Path) -> None:
    def damage(step: str) -> None:
        if step == "sync":
            shutil.rmtree(store / ".versions" / "3.draft" / "gaps")

    with open_for_harvest(store) as writer, pytest.raises(StoreError, match=r"gaps has no Parquet files .*as it was"):
        writer.publish(HarvestFacts(START), on_step=damage)
    assert versions.version_numbers(store) == [1, 2]
    check_parquet(store)


def test_a_harvest_that_was_killed_between_the_renames_is_finished_by_the_next_one(tmp_path: Path) -> None:
    small_night(0).harvest(tmp_path)
    (tmp_path / ".current").rename(tmp_path / ".current.next")
    small_night(1).harvest(tmp_path)
    assert rows(tmp_path, "SELECT count(*) FROM executions") == [(2,)]


def test_foreign_files_among_the_versions_are_left_alone(store: Path) -> None:
    for name in ("notes.txt", "9.draft", "x.removed"):
        (store / ".versions" / name).write_text("of mine")
    small_night(2).harvest(store)
    assert {"notes.txt", "9.draft", "x.removed"} <= {path.name for path in (store / ".versions").iterdir()}
    check_parquet(store)
