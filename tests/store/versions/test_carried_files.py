"""A version has the files of days that did not change from the version before the last one, and a copy of its own."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from eventlog_lineage.store.administration import check_store, restore
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from support.harvesting import STEPS, elsewhere, harvest_until, small_night
from support.stores.content import check_parquet, content
from support.stores.nights import START

NIGHTS = 4
DAY = "executions/started_on=2026-11-18"
"""A folder that no night after the first one changes."""


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of some nights, moved away; its views name where it was made."""
    folder = tmp_path_factory.mktemp("nights")
    for day in range(NIGHTS + 1):
        harvest_until(folder / "store", day)
    return (folder / "store").rename(folder / "made")


@pytest.fixture
def store(nights: Path) -> Iterator[Path]:
    """The same where it was made, for a test to change, with its hard links."""
    copy = nights.with_name("store")
    subprocess.run(["cp", "-a", str(nights), str(copy)], check=True)
    yield copy
    shutil.rmtree(copy)


def files(folder: Path) -> dict[str, int]:
    """The inodes of a folder's files of days, by path."""
    found = (path for path in folder.rglob("*.parquet") if {"runs", "executions"} & set(path.parts))
    return {str(path.relative_to(folder)): path.stat().st_ino for path in found}


def check_whole(store: Path) -> None:
    """Both versions are whole, have their own copy of each file, and all tables are in Parquet."""
    assert check_store(store).flaws == ()
    check_parquet(store)
    names = sorted(path.name for path in (store / ".versions").iterdir())
    first, second = (set(files(store / ".versions" / name).values()) for name in names if name.isdecimal())
    assert not first & second


def test_a_night_links_the_days_that_did_not_change(store: Path) -> None:
    before = files(store / ".versions" / "4")
    harvest_until(store, NIGHTS + 1)
    after = files(store / ".versions" / "6")
    name = f"{DAY}/part-1-0.parquet"
    assert after[name] == before[name]
    check_whole(store)


def test_a_day_that_changes_is_written(store: Path) -> None:
    late = small_night(0)
    late.app("late")
    late.statement([("spark_catalog.raw.orders!amount", "other", "AGGREGATION")], app="late")
    late.harvest(store)
    assert {path.name for path in (store / DAY).iterdir()} == {"part-6-0.parquet"}
    check_whole(store)


def test_days_that_expired_are_not_carried(store: Path) -> None:
    small_night(NIGHTS + 1).harvest(store, keep_days=2)
    assert [path for path in files(store / ".versions" / "6") if "2026-11-18" in path] == []
    check_whole(store)


@pytest.mark.parametrize("step", STEPS)
def test_a_killed_harvest_leaves_what_the_next_one_links(store: Path, step: str) -> None:
    before = content(store)
    assert elsewhere(harvest_until, store, NIGHTS + 1, step) == -9
    if step != "clean":
        assert content(store) == before
    harvest_until(store, NIGHTS + 1)
    harvest_until(store, NIGHTS + 2)
    check_whole(store)
    assert len(list(Path(f"{store}/executions").iterdir())) == NIGHTS + 3


def test_a_restored_version_is_continued_with_files_of_its_own(store: Path) -> None:
    restore(store, 4)
    harvest_until(store, NIGHTS + 1)
    check_whole(store)


def test_a_linked_file_gets_the_mode_of_the_store(store: Path) -> None:
    with open_for_harvest(store, mode=0o750) as writer:
        small_night(NIGHTS + 1).write(writer.staging_dir)
        writer.publish(HarvestFacts(START))
    modes = {stat.S_IMODE(Path(folder).stat().st_mode) for folder, _, _ in os.walk(store / ".versions" / "6")}
    assert modes == {0o750}
