"""The folders of days of removed versions go into later versions as they are."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from eventlog_lineage.store.administration import check_store, restore
from eventlog_lineage.store.versions import manifest as spares
from eventlog_lineage.store.versions.manifest import MANIFEST, read_manifest
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from support.harvesting import STEPS, elsewhere, harvest_with_spares_until, small_night
from support.stores.content import check_parquet, content
from support.stores.nights import START

NIGHTS = 4
DAY = "executions/started_on=2026-11-18"
"""A folder that no night after the first one changes."""


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of some nights whose removed versions left spares, moved away; its views name where it was made."""
    folder = tmp_path_factory.mktemp("spares")
    for day in range(NIGHTS + 1):
        harvest_with_spares_until(folder / "store", day)
    return (folder / "store").rename(folder / "made")


@pytest.fixture
def store(nights: Path) -> Iterator[Path]:
    """The same where it was made, for a test to change, with its hard links."""
    copy = nights.with_name("store")
    subprocess.run(["cp", "-a", str(nights), str(copy)], check=True)
    yield copy
    shutil.rmtree(copy)


def names(store: Path) -> list[str]:
    return sorted(path.name for path in (store / ".versions").iterdir())


def files(folder: Path) -> dict[str, int]:
    """The inodes of a folder's files of days, by path."""
    found = (path for path in folder.rglob("*.parquet") if {"runs", "executions"} & set(path.parts))
    return {str(path.relative_to(folder)): path.stat().st_ino for path in found}


def check_whole(store: Path) -> None:
    """Both versions are whole, have their own copy of each file, and all tables are in Parquet."""
    assert check_store(store).flaws == ()
    check_parquet(store)
    first, second = (set(files(store / ".versions" / name).values()) for name in names(store) if name.isdecimal())
    assert not first & second


def test_the_last_two_removed_versions_leave_the_files_of_days_that_the_current_version_has_too(store: Path) -> None:
    assert names(store) == ["2.spare", "3.spare", "4", "5"]
    current = read_manifest(store / ".versions" / "5") or {}
    for name in ("2.spare", "3.spare"):
        spare = store / ".versions" / name
        listed = read_manifest(spare) or {}
        found = {str(path.relative_to(spare)) for path in spare.rglob("*") if path.is_file()} - {MANIFEST}
        assert f"{DAY}/part-1-0.parquet" in found
        assert {path: listed[path] for path in found} == {path: current[path] for path in found}


def test_a_night_moves_the_days_that_did_not_change(store: Path) -> None:
    spare = store / ".versions" / "2.spare"
    folder, file = (spare / DAY).stat().st_ino, next((spare / "runs" / "executions").iterdir())
    inode = file.stat().st_ino
    harvest_with_spares_until(store, NIGHTS + 1)
    new = store / ".versions" / "6"
    assert (new / DAY).stat().st_ino == folder
    assert (new / "runs" / "executions" / file.name).stat().st_ino == inode
    assert names(store) == ["3.spare", "4.spare", "5", "6"]
    check_whole(store)


def test_a_store_with_spares_has_the_rows_of_one_without(store: Path, tmp_path: Path) -> None:
    for day in range(NIGHTS + 1):
        small_night(day).harvest(tmp_path / "plain")
    assert names(tmp_path / "plain") == ["4", "5"]
    assert content(store) == content(tmp_path / "plain")
    check_whole(store)


def test_a_day_that_changes_is_written_and_leaves_the_spares(store: Path) -> None:
    late = small_night(0)
    late.app("late")
    late.statement([("spark_catalog.raw.orders!amount", "other", "AGGREGATION")], app="late")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spares, "_FEW", 0)
        late.harvest(store)
    current = {path.name for path in (store / DAY).iterdir()}
    assert current == {"part-6-0.parquet"}
    assert [path for path in (store / ".versions").glob(f"*.spare/{DAY}/*") if path.name not in current] == []
    check_whole(store)


def test_days_that_expired_leave_the_spares_with_the_version(store: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spares, "_FEW", 0)
        small_night(NIGHTS + 1).harvest(store, keep_days=2)
    newest = store / ".versions" / "4.spare"
    assert not (newest / DAY).exists()
    assert [path for path in files(newest) if "2026-11-18" in path] == []
    check_whole(store)


def remove_file(spare: Path) -> None:
    (spare / DAY / "part-1-0.parquet").unlink()


def cut_file(spare: Path) -> None:
    file = spare / DAY / "part-1-0.parquet"
    content = file.read_bytes()
    file.unlink()  # version 4 has a link to it
    file.write_bytes(content[:-1])


def add_file(spare: Path) -> None:
    (spare / DAY / "part-9-0.parquet").write_text("?")


def remove_list(spare: Path) -> None:
    (spare / MANIFEST).unlink()


def damage_list(spare: Path) -> None:
    (spare / MANIFEST).write_text("{}")


def remove_folder(spare: Path) -> None:
    shutil.rmtree(spare / "executions")


def share_files(spare: Path) -> None:
    """Make the spare's copy the file that the current version has, too."""
    current = spare.parent / "5" / DAY / "part-1-0.parquet"
    (spare / DAY / "part-1-0.parquet").unlink()
    (spare / DAY / "part-1-0.parquet").hardlink_to(current)


@pytest.mark.parametrize(
    "damage", [remove_file, cut_file, add_file, remove_list, damage_list, remove_folder, share_files, shutil.rmtree]
)
def test_a_damaged_spare_costs_its_files_only(store: Path, damage: Callable[[Path], None]) -> None:
    damage(store / ".versions" / "2.spare")
    harvest_with_spares_until(store, NIGHTS + 1)
    check_whole(store)
    assert len(list(Path(f"{store}/executions").iterdir())) == NIGHTS + 2


@pytest.mark.parametrize("step", STEPS)
def test_a_killed_harvest_may_have_taken_from_a_spare(store: Path, step: str) -> None:
    before = content(store)
    assert elsewhere(harvest_with_spares_until, store, NIGHTS + 1, step) == -9
    if step != "clean":
        assert content(store) == before
    harvest_with_spares_until(store, NIGHTS + 1)
    harvest_with_spares_until(store, NIGHTS + 2)
    check_whole(store)
    assert len(list(Path(f"{store}/executions").iterdir())) == NIGHTS + 3


def test_a_restored_version_is_continued_with_files_of_its_own(store: Path) -> None:
    restore(store, 4)
    harvest_with_spares_until(store, NIGHTS + 1)
    check_whole(store)


def test_a_moved_folder_gets_the_mode_of_the_store(store: Path) -> None:
    with pytest.MonkeyPatch.context() as patch, open_for_harvest(store, mode=0o750) as writer:
        patch.setattr(spares, "_FEW", 0)
        small_night(NIGHTS + 1).write(writer.staging_dir)
        writer.publish(HarvestFacts(START))
    modes = {stat.S_IMODE(Path(folder).stat().st_mode) for folder, _, _ in os.walk(store / ".versions" / "6")}
    assert modes == {0o750}
