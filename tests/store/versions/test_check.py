"""`check` finds what is wrong with a store, flipped bits included."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.administration import check_store, restore
from eventlog_lineage.store.schema.database import DamagedError, open_for_reading
from eventlog_lineage.store.versions import manifest
from eventlog_lineage.store.versions.folder import version_numbers
from eventlog_lineage.store.versions.manifest import write_manifest
from eventlog_lineage.store.writer import HarvestFacts, open_for_harvest
from support.harvesting import small_night
from support.stores.nights import START


@pytest.fixture
def store(small_stores: Callable[[Path, int], Path], tmp_path: Path) -> Path:
    return small_stores(tmp_path, 2)


def flip_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def change_database(store: Path, statement: str) -> None:
    """Change the current version's rows as a program with an error would: with a right list of files."""
    version = (store / ".current").resolve()
    with duckdb.connect(str(version / "lineage.duckdb")) as connection:
        connection.execute(statement)
    write_manifest(version)


def test_a_whole_store_is_told_in_one_line_of_what_is_in_it(
    small_stores: Callable[[Path, int], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small_night(1).harvest(small_stores(tmp_path, 1))  # a store that was moved has a line more
    assert run(["check", "--store", str(tmp_path)]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("The store is whole: version 2 has ")
    assert second == "Other whole versions: 1."


def test_the_versions_after_one_that_cannot_be_opened_are_checked(store: Path) -> None:
    for number in (1, 2):  # the store was moved: its views are made when it is opened
        shutil.rmtree(store / ".versions" / str(number) / "runs")
    found = [flaw for flaw in check_store(store).flaws if "lineage.duckdb" in flaw]
    assert [flaw.partition(" cannot be read")[0] for flaw in found] == [
        f"version {number}: runs next to lineage.duckdb" for number in (2, 1)
    ]


@pytest.mark.parametrize("name", ["lineage.duckdb", "column_lineage/part-2.parquet"])
def test_a_flipped_bit_is_found(store: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    flip_bit(store / ".current" / name)
    assert run(["check", "--store", str(store)]) == 1
    shown = capsys.readouterr()
    assert shown.out == f"version 2: {name} is damaged: its checksum differs\n"
    assert shown.err.startswith(f"Error: the store is damaged: 1 flaw, the first: version 2: {name} is damaged")
    assert f"run `eventlog-lineage restore --store {store}`" in shown.err


def test_a_flipped_bit_is_in_one_version_only_and_repaired_from_the_other(store: Path) -> None:
    (file,) = (store / "executions" / "started_on=2026-11-18").iterdir()
    flip_bit(file)
    assert check_store(store).flaws == (
        f"version 2: executions/started_on=2026-11-18/{file.name} is damaged: its checksum differs",
    )
    assert restore(store).number == 3
    assert check_store(store).flaws == ()


def test_a_table_that_both_versions_have_damaged_is_written_again_from_the_database(store: Path) -> None:
    name = Path("dataset_io", "started_on=2026-11-18")
    for number in (1, 2):
        flip_bit(next((store / ".versions" / str(number) / name).iterdir()))
    assert restore(store).number == 3
    assert check_store(store).flaws == ()


def test_a_harvest_on_a_database_with_a_flipped_bit_is_refused(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """DuckDB does not read all of it, and a copy of it would have a new checksum."""
    flip_bit((store / "lineage.duckdb").resolve())
    found = r"version 2: lineage.duckdb is damaged: .* add `--version 1` to go back to version 1, which is whole"
    with pytest.raises(Exception, match=found):
        small_night(2).harvest(store)
    assert run(["check", "--store", str(store)]) == 1
    assert capsys.readouterr().out.count("\n") == 1


def test_a_bit_that_flips_after_a_harvest_has_begun_is_found_in_the_copy(store: Path) -> None:
    with open_for_harvest(store) as writer:
        flip_bit((store / "lineage.duckdb").resolve())
        with pytest.raises(StoreError, match=r"version 2: lineage.duckdb is damaged: its checksum differs"):
            writer.publish(HarvestFacts(START))
    assert version_numbers(store) == [1, 2]


def test_a_harvest_that_publishes_nothing_reads_no_checksum(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    monkeypatch.setattr(manifest, "checksum", read.append)
    with open_for_harvest(store) as writer:
        assert list(writer.known_paths())
    assert read == []


@pytest.mark.parametrize("place", [".", "lineage.duckdb", "column_lineage"])
def test_older_versions_that_the_user_may_not_read_are_skipped(
    store: Path, place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = store / ".versions" / "1"
    unreadable = old / place
    shutil.rmtree(old / "executions")  # for a user that may read it, a flaw
    assert check_store(store).flaws
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != unreadable)
    found = check_store(store)
    assert (found.flaws, found.versions, found.skipped) == ((), (2,), (1,))
    assert run(["check", "--store", str(store)]) == 0
    assert "Not checked, for lack of permissions: 1.\n" in capsys.readouterr().out


def test_a_current_version_that_the_user_may_not_read_is_not_damaged(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    current = (store / ".current").resolve()
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).resolve() != current)
    for command in ("check", "ls"):
        assert run([command, "--store", str(store)]) == 1
        said = capsys.readouterr()
        assert "the version cannot be read: Permission denied" in said.out + said.err
        assert "damaged" not in said.out + said.err


def test_a_store_of_another_user_is_neither_damaged_nor_missing(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise duckdb.IOException('IO Error: Cannot open file "lineage.duckdb": Permission denied')

    monkeypatch.setattr(os, "access", lambda *_: False)
    assert run(["restore", "--store", str(store.parent)]) == 1
    assert "the folder cannot be read: Permission denied" in capsys.readouterr().err
    monkeypatch.setattr(duckdb, "connect", refused)
    with pytest.raises(StoreError, match=r"lineage.duckdb cannot be read: Permission denied") as raised:
        open_for_reading(store / "lineage.duckdb")
    assert not isinstance(raised.value, DamagedError)


def test_a_foreign_file_is_found_and_is_not_handed_on(store: Path) -> None:
    day = store / ".current" / "executions" / "started_on=2026-11-18"
    shutil.copy(next(day.iterdir()), day / "part-copy.parquet")
    (flaw,) = check_store(store).flaws
    assert flaw == "version 2: executions/started_on=2026-11-18/part-copy.parquet does not belong to the version"
    small_night(2).harvest(store)
    assert not (day / "part-copy.parquet").exists()
    assert check_store(store).flaws[0].startswith("version 2: ")


def test_row_counts_that_differ_are_found(store: Path) -> None:
    change_database(store, "DELETE FROM table_lineage")
    assert check_store(store).flaws == ("version 2: table_lineage has 1 rows in Parquet and 0 in lineage.duckdb",)


def test_a_reference_to_a_row_that_is_not_there_is_found(store: Path) -> None:
    change_database(store, "UPDATE column_lineage SET source_dataset = 'nowhere'")
    assert check_store(store).flaws == (
        "version 2: 1 values of column_lineage.source_dataset are not in datasets.dataset",
    )


def test_a_link_that_leads_elsewhere_is_found_and_repaired(store: Path) -> None:
    (store / "gaps").unlink()
    (store / "gaps").symlink_to("/nowhere")
    (store / "datasets").unlink()
    assert check_store(store).flaws == (
        "the link datasets is missing",
        "gaps is not a link to .current/gaps",
    )
    restore(store)
    assert check_store(store).flaws == ()


def test_a_damaged_older_version_is_set_aside_and_can_be_taken_back(store: Path) -> None:
    file = store / ".versions" / "1" / "column_lineage" / "part-1.parquet"
    flip_bit(file)
    found = check_store(store)
    assert len(found.flaws) == 1
    command = f"eventlog-lineage restore --store {store}"
    assert found.hint == f"version 2 is current and whole: run `{command}` to set the others aside"
    assert restore(store).number == 2
    assert check_store(store).versions == (2,)
    flip_bit(store / ".versions" / "1.damaged" / "column_lineage" / "part-1.parquet")
    assert restore(store, 1).number == 1
    assert check_store(store).versions == (1, 2)


def test_a_check_of_no_store_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--store", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("Error: there is no store ")
