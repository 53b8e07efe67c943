"""A damaged store is refused, never replaced, and goes back to a whole version."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.administration import check_store, restore
from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.versions import folder as versions
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from support.harvesting import small_night
from support.stores.content import check_parquet, content, rows
from support.stores.nights import START


def remove_link(store: Path) -> None:
    (store / ".current").unlink()


def remove_current_version(store: Path) -> None:
    shutil.rmtree(store / ".versions" / "2")


def overwrite_current_database(store: Path) -> None:
    (store / ".versions" / "2" / "lineage.duckdb").write_bytes(b"nonsense" * 1000)


def truncate_current_database(store: Path) -> None:
    path = store / ".versions" / "2" / "lineage.duckdb"
    path.write_bytes(path.read_bytes()[:5000])


DATABASE_DAMAGE = (overwrite_current_database, truncate_current_database)


def remove_parquet_table(store: Path) -> None:
    shutil.rmtree(store / ".versions" / "2" / "column_lineage")


def copy_over_link(store: Path) -> None:
    (store / "executions").unlink()
    shutil.copytree(store / ".versions" / "2" / "executions", store / "executions")


PARQUET_DAMAGE = (remove_parquet_table,)
LINK_DAMAGE = (remove_link, copy_over_link)


SmallStores = Callable[[Path, int], Path]


@pytest.fixture
def store(small_stores: SmallStores, tmp_path: Path) -> Path:
    """A store of two nights."""
    return small_stores(tmp_path, 2)


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory, small_stores: SmallStores) -> dict[str, list[str]]:
    """What the store has as long as nobody damages it."""
    return content(small_stores(tmp_path_factory.mktemp("intact"), 2))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, small_stores: SmallStores) -> dict[str, list[str]]:
    """What the store has after the third night."""
    return content(small_stores(tmp_path_factory.mktemp("undisturbed"), 3))


def newest_nights(damage: Callable[[Path], None]) -> int:
    return 1 if damage is remove_current_version else 2


def advice(store: Path, damage: Callable[[Path], None]) -> str:
    command = f"run `eventlog-lineage restore --store {store}`"
    back = "or add `--version 1` to go back to version 1, which is whole"
    if damage in PARQUET_DAMAGE:
        return f"the database of version 2 is intact: {command} to write its Parquet files again, {back}"
    if damage in DATABASE_DAMAGE:
        return f"the Parquet files of version 2 are intact: {command} to make its database again, {back}"
    return f"version {newest_nights(damage)} is whole: {command} to go back to it"


@pytest.mark.parametrize("damage", [remove_current_version, *DATABASE_DAMAGE, *PARQUET_DAMAGE, *LINK_DAMAGE])
def test_a_harvest_refuses_a_damaged_store_and_removes_nothing(store: Path, damage: Callable[[Path], None]) -> None:
    damage(store)
    before = sorted(store.rglob("*"))
    with pytest.raises(StoreError, match=f"the store is damaged: .*{advice(store, damage)}"):
        small_night(2).harvest(store)
    assert [path for path in sorted(store.rglob("*")) if path.name != ".lock"] == [
        path for path in before if path.name != ".lock"
    ]


@pytest.mark.parametrize("damage", [remove_link, remove_current_version, *DATABASE_DAMAGE])
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


@pytest.mark.parametrize(
    "damage", [remove_link, remove_current_version, truncate_current_database, remove_parquet_table]
)
def test_restoring_makes_the_newest_version_whole_that_is_left_and_the_next_harvest_goes_on_from_it(
    store: Path, damage: Callable[[Path], None], undisturbed: dict[str, list[str]]
) -> None:
    damage(store)
    harvests = newest_nights(damage)
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
    shutil.rmtree(store / ".versions" / "2" / "internal")
    with pytest.raises(StoreError, match=r"version 2 is not whole .*whole versions: 1"):
        restore(store, 2)
    shutil.rmtree(store / ".versions" / "1")
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


def copied(store: Path, copy: Path, part: str, *, hidden: bool) -> Path:
    """Copy a store with its links followed, as `cp -rL` does; the store is gone afterwards."""
    shutil.copytree(store / part, copy, ignore=None if hidden else shutil.ignore_patterns(".*"))
    shutil.rmtree(store)
    return copy


COPIES = [("", True), (".current", True), ("", False), (".current", False)]


@pytest.mark.parametrize(("part", "hidden"), COPIES)
def test_a_copy_with_links_followed_is_readable_and_restoring_makes_it_a_store(
    store: Path, tmp_path_factory: pytest.TempPathFactory, intact: dict[str, list[str]], part: str, hidden: bool
) -> None:
    copy = copied(store, tmp_path_factory.mktemp("copies") / "copy", part, hidden=hidden)
    with open_store(copy) as reader:
        assert reader.ask("SELECT count(*) FROM executions").rows == [(2,)]
    restore(copy)
    assert check_store(copy).flaws == ()
    assert content(copy) == intact


def test_a_harvest_goes_on_from_a_restored_copy(
    store: Path, tmp_path_factory: pytest.TempPathFactory, undisturbed: dict[str, list[str]]
) -> None:
    copy = copied(store, tmp_path_factory.mktemp("copies") / "copy", "", hidden=False)
    restore(copy)
    small_night(2).harvest(copy)
    assert content(copy) == undisturbed
    check_parquet(copy)


@pytest.mark.parametrize(("part", "hidden"), COPIES[1:])
def test_the_next_harvest_makes_a_store_of_a_copy(
    store: Path, tmp_path_factory: pytest.TempPathFactory, undisturbed: dict[str, list[str]], part: str, hidden: bool
) -> None:
    copy = copied(store, tmp_path_factory.mktemp("copies") / "copy", part, hidden=hidden)
    small_night(2).harvest(copy)
    assert content(copy) == undisturbed
    assert check_store(copy).flaws == ()


def test_a_harvest_that_was_killed_while_it_made_a_store_of_a_copy_is_finished_by_the_next_one(
    store: Path, tmp_path_factory: pytest.TempPathFactory, undisturbed: dict[str, list[str]]
) -> None:
    copy = copied(store, tmp_path_factory.mktemp("copies") / "copy", "", hidden=False)
    begun = copy / ".versions" / "2.draft"
    begun.mkdir(parents=True)
    (begun / "lineage.duckdb").hardlink_to(copy / "lineage.duckdb")
    small_night(2).harvest(copy)
    assert content(copy) == undisturbed


@pytest.mark.parametrize("hidden", [True, False])
def test_a_harvest_refuses_a_damaged_copy_and_changes_nothing(
    store: Path, tmp_path_factory: pytest.TempPathFactory, hidden: bool
) -> None:
    copy = copied(store, tmp_path_factory.mktemp("copies") / "copy", ".current", hidden=hidden)
    shutil.rmtree(copy / "runs" / "applications")
    before = sorted(copy.rglob("*"))
    with pytest.raises(StoreError, match=f"damaged copy.*eventlog-lineage restore --store {copy}"):
        small_night(2).harvest(copy)
    assert sorted(path for path in copy.rglob("*") if path.name != ".lock") == before


def test_a_copy_without_its_runs_is_not_answered_from_the_store_it_was_copied_from(
    store: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    copy = tmp_path_factory.mktemp("copies") / "copy"
    shutil.copytree(store, copy, ignore=shutil.ignore_patterns(".*", "runs"))
    with pytest.raises(StoreError, match=r"runs next to lineage\.duckdb cannot be read"), open_store(copy):
        pass


def runs_file(store: Path, version: int, day: str) -> Path:
    """The file with the executions of a day, as the views read it."""
    return next((store / ".versions" / str(version) / "runs" / "executions").glob(f"{day}.*"))


def overwrite(path: Path) -> None:
    path.write_bytes(b"x" * path.stat().st_size)


@pytest.mark.parametrize(("day", "damage"), [("2026-11-18", overwrite), ("2026-11-19", Path.unlink)])
def test_a_version_with_a_damaged_file_of_the_runs_is_made_again_with_its_copy(
    store: Path, day: str, damage: Callable[[Path], None], intact: dict[str, list[str]]
) -> None:
    damage(runs_file(store, 2, day))
    assert "the damaged files of version 2 have intact copies" in check_store(store).hint
    restored = restore(store)
    assert (restored.number, restored.source) == (3, 2)
    assert check_store(store).flaws == ()
    assert [path.name for path in (store / ".versions").glob("*.damaged")] == ["2.damaged"]
    assert content(store) == intact


def test_a_question_over_damaged_runs_is_answered_with_the_way_back(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overwrite(runs_file(store, 2, "2026-11-19"))
    assert run(["sql", "FROM executions", "--store", str(store)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("Error: the store is damaged: version 2: runs/executions/2026-11-19.part-2-0.parquet")
    assert error.count("\n") == 1


def test_a_file_of_the_runs_with_a_column_of_another_name_is_damaged(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (runs_file(store, 2, day) for day in ("2026-11-18", "2026-11-19")):
        path.write_bytes(path.read_bytes().replace(b"description", b"descriptqon"))
    assert run(["sql", "SELECT count(*) FROM executions", "--store", str(store)]) == 1
    assert capsys.readouterr().err.startswith("Error: the store is damaged: version 2: runs/executions/2026-11-1")
    for words in (["sql", "SELECT description FROM executions"], ["jobs"], ["sql", "SELECT none FROM datasets"]):
        assert run([*words, "--store", str(store)]) == 1
        assert "the store is damaged: version 2" in capsys.readouterr().err


def test_a_harvest_does_not_copy_a_damaged_file(store: Path) -> None:
    overwrite(runs_file(store, 2, "2026-11-19"))
    with pytest.raises(StoreError, match=r"version 2: runs/executions/.* is damaged: its checksum differs"):
        small_night(2).harvest(store)
    assert versions.version_numbers(store) == [1, 2]


def test_a_harvest_does_not_link_a_file_of_another_size(store: Path, undisturbed: dict[str, list[str]]) -> None:
    runs_file(store, 1, "2026-11-18").write_bytes(b"short")
    small_night(2).harvest(store)
    assert content(store) == undisturbed


def test_what_does_not_belong_to_a_version_is_not_in_the_restored_one(store: Path) -> None:
    (store / ".versions" / "2" / "executions" / "note.txt").write_text("of mine")
    assert restore(store).number == 3
    assert (store / ".versions" / "2.damaged" / "executions" / "note.txt").read_text() == "of mine"
    assert check_store(store).flaws == ()


def test_the_database_of_a_store_without_any_is_made_again(store: Path, undisturbed: dict[str, list[str]]) -> None:
    before = content(store)
    for number in (1, 2):
        (store / ".versions" / str(number) / "lineage.duckdb").unlink()
    assert run(["restore", "--store", str(store)]) == 0
    assert content(store) == before
    assert check_store(store).flaws == ()
    small_night(2).harvest(store)
    assert content(store) == undisturbed


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

    with open_for_harvest(store) as writer, pytest.raises(StoreError, match=r"gaps/.* is missing .*as it was"):
        writer.publish(HarvestFacts(START), on_step=damage)
    assert versions.version_numbers(store) == [1, 2]
    check_parquet(store)


def test_a_harvest_that_was_killed_between_the_renames_is_finished_by_the_next_one(store: Path) -> None:
    (store / ".current").rename(store / ".current.next")
    small_night(2).harvest(store)
    assert rows(store, "SELECT count(*) FROM executions") == [(3,)]


def test_foreign_files_among_the_versions_are_left_alone(store: Path) -> None:
    for name in ("notes.txt", "9.draft", "x.removed"):
        (store / ".versions" / name).write_text("of mine")
    small_night(2).harvest(store)
    assert {"notes.txt", "9.draft", "x.removed"} <= {path.name for path in (store / ".versions").iterdir()}
    check_parquet(store)
