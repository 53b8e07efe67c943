"""A version is published whole or not at all, and readers go on."""

from __future__ import annotations

import errno
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import timezone
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.errors import StoreError
from eventlog_lineage.store.administration import rebuild, restore
from eventlog_lineage.store.queries.open_store import open_store
from eventlog_lineage.store.schema.internal_tables import KEPT_TABLES
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES
from eventlog_lineage.store.versions import folder as versions
from eventlog_lineage.store.versions.folder import version_numbers
from eventlog_lineage.store.writer import HarvestFacts, KnownLog, open_for_harvest
from support.harvesting import STEPS, elsewhere, harvest_until, small_night
from support.stores.content import check_parquet, content, rows
from support.stores.nights import START, Night

HARVESTING = str(Path(__file__).parents[1] / "support" / "harvesting.py")
Content = dict[str, list[str]]
SmallStores = Callable[[Path, int], Path]
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.fixture(scope="module")
def two_nights(tmp_path_factory: pytest.TempPathFactory, small_stores: SmallStores) -> tuple[Content, Content]:
    """What a store holds after the first night, and after the second."""
    first, second = (small_stores(tmp_path_factory.mktemp("two_nights"), nights) for nights in (1, 2))
    return content(first), content(second)


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_any_step_the_store_is_as_before_or_complete_and_the_next_harvest_clears_up(
    tmp_path: Path, two_nights: tuple[Content, Content], step: str, small_stores: SmallStores
) -> None:
    store, (before, complete) = tmp_path / "store", two_nights
    small_stores(store, 1)
    assert elsewhere(harvest_until, store, 1, step) == -9
    assert content(store) == (complete if step == "clean" else before)
    check_parquet(store)
    small_night(1).harvest(store)
    assert content(store) == complete
    check_parquet(store)
    assert len(list((store / ".versions").iterdir())) == 2
    assert not (store / ".staging").exists()


def test_killed_before_the_first_version_there_is_no_store(tmp_path: Path) -> None:
    """Each harvest but the last one is killed, one step later than the one before it."""
    for step in STEPS[:-1]:
        assert elsewhere(harvest_until, tmp_path, 0, step) == -9
        with pytest.raises(StoreError, match="there is no store"), open_store(tmp_path):
            pass
    small_night(0).harvest(tmp_path)
    check_parquet(tmp_path)


def test_all_names_switch_with_one_link(tmp_path: Path, small_stores: SmallStores) -> None:
    small_stores(tmp_path, 2)
    assert str((tmp_path / ".current").readlink()) == ".versions/2"
    for name in ("lineage.duckdb", "runs", "internal", *(table.name for table in PUBLIC_TABLES)):
        assert str((tmp_path / name).readlink()) == f".current/{name}"
        assert (tmp_path / name).exists()


def test_a_store_can_be_moved(tmp_path: Path, small_stores: SmallStores) -> None:
    small_stores(tmp_path / "here", 1)
    (tmp_path / "here").rename(tmp_path / "there")
    small_night(1).harvest(tmp_path / "there")
    check_parquet(tmp_path / "there")


def inodes(version: Path) -> dict[str, int]:
    """The files of a version that are not new in it, by path."""
    own = re.compile(rf"(.+\.)?part-{version.name}\b.*", re.ASCII)
    files = (path for path in version.rglob("*.parquet") if not own.fullmatch(path.name))
    return {str(path.relative_to(version)): path.stat().st_ino for path in files}


def test_days_that_did_not_change_are_on_the_disk_twice_and_written_once(tmp_path: Path) -> None:
    """A file is written in one version, copied in the next one, and linked from then on."""
    found = {}
    for number in (1, 2, 3, 4, 5):
        with open_for_harvest(tmp_path, keep_versions=9) as writer:
            small_night(number).write(writer.staging_dir)
            writer.publish(HarvestFacts(START))
        found[number] = inodes(tmp_path / ".versions" / str(number))
    for number in (2, 3, 4, 5):
        version = tmp_path / ".versions" / str(number)
        written = {
            str(path.relative_to(version.parent / str(number - 1))): path.stat().st_ino
            for path in (version.parent / str(number - 1)).rglob("*.parquet")
        }
        assert not set(found[number].values()) & set(written.values())
        copied = {name for name in found[number] if f"part-{number - 1}" in name}
        assert copied
        linked = {name: inode for name, inode in found[number].items() if name not in copied}
        older = version.parent / str(number - 2)
        assert linked == {name: (older / name).stat().st_ino for name in linked}
    assert len({name for name in found[5] if name.startswith("executions/")}) == 4


def test_a_version_after_a_restored_one_copies_what_no_other_version_has_a_copy_of(tmp_path: Path) -> None:
    for number in (0, 1, 2):
        with open_for_harvest(tmp_path, keep_versions=3) as writer:
            small_night(number).write(writer.staging_dir)
            writer.publish(HarvestFacts(START))
    restore(tmp_path, 1)  # version 3 shares its files
    with open_for_harvest(tmp_path, keep_versions=4) as writer:
        small_night(3).write(writer.staging_dir)
        writer.publish(HarvestFacts(START))
    first, second, fourth = (inodes(tmp_path / ".versions" / name) for name in ("1", "2", "4"))
    (name,) = (name for name in fourth if name.startswith("executions/"))
    assert fourth[name] == second[name]
    assert not set(fourth.values()) & {path.stat().st_ino for path in (tmp_path / ".versions" / "1").rglob("*")}
    assert not first


def test_a_harvest_of_nothing_writes_its_own_row_and_links_the_rest(tmp_path: Path, small_stores: SmallStores) -> None:
    small_stores(tmp_path, 1)
    Night(1).harvest(tmp_path)
    for table in PUBLIC_TABLES:
        newest = [path.name[: len("part-1")] for path in (tmp_path / table.name).rglob("*.parquet")]
        assert newest == ["part-2" if table.name in {"harvests", "harvested_logs"} else "part-1"], table.name
    internal = {path.parent.name: path.name for path in (tmp_path / "internal").rglob("*.parquet")}
    assert internal == dict.fromkeys((table.name for table in KEPT_TABLES), "part-1.parquet")
    check_parquet(tmp_path)


def log_files(store: Path) -> list[str]:
    return sorted(path.name for path in (store / "harvested_logs").iterdir())


def test_a_night_writes_the_logs_of_its_own_harvests_and_those_that_it_replaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_stores: SmallStores
) -> None:
    monkeypatch.setattr("eventlog_lineage.store.versions.parquet._HARVESTS", 2)
    small_stores(tmp_path, 1)
    for day in range(1, 4):  # harvests 2 and 3, then 4
        small_night(day).harvest(tmp_path)
        check_parquet(tmp_path)
    assert log_files(tmp_path) == ["part-1-0.parquet", "part-3-1.parquet", "part-4-2.parquet"]
    again = Night(4)
    again.log("/logs/1")  # of harvest 2, which it leaves
    again.harvest(tmp_path)
    assert log_files(tmp_path) == ["part-1-0.parquet", "part-5-1.parquet", "part-5-2.parquet"]
    check_parquet(tmp_path)
    rebuild(tmp_path)
    check_parquet(tmp_path)
    small_night(5).harvest(tmp_path)
    check_parquet(tmp_path)
    assert rows(tmp_path, "SELECT log_path, harvest_id FROM harvested_logs ORDER BY ALL") == [
        ("/logs/0", 1),
        ("/logs/1", 5),
        ("/logs/2", 3),
        ("/logs/3", 4),
        ("/logs/5", 6),
    ]


def test_a_day_without_gaps_can_be_read_all_the_same(tmp_path: Path, small_stores: SmallStores) -> None:
    small_stores(tmp_path, 1)
    with duckdb.connect() as connection:
        found = connection.execute(f"DESCRIBE SELECT * FROM read_parquet('{tmp_path}/gaps/*/*.parquet')").fetchall()
    assert [row[0] for row in found][:4] == ["app_id", "attempt_id", "execution_id", "reason"]


def test_a_reader_that_has_a_version_open_goes_on_while_two_more_are_published(
    tmp_path: Path, small_stores: SmallStores
) -> None:
    small_stores(tmp_path, 1)
    with open_store(tmp_path) as reader:
        small_night(1).harvest(tmp_path)
        assert reader.ask("SELECT count(*) FROM column_lineage").rows == [(1,)]
        assert (reader.version / "executions").is_dir()
        small_night(2).harvest(tmp_path)
        assert reader.ask("SELECT count(*), max(run_count) FROM column_lineage").rows == [(1, 1)]
    assert rows(tmp_path, "SELECT count(*) FROM column_lineage") == [(3,)]


def test_kept_versions_stay_readable(tmp_path: Path, small_stores: SmallStores) -> None:
    small_stores(tmp_path, 1)
    with open_store(tmp_path) as reader:
        for _ in range(3):
            with open_for_harvest(tmp_path, keep_versions=4) as writer:
                writer.publish(HarvestFacts(START))
        assert version_numbers(tmp_path) == [1, 2, 3, 4]
        assert reader.ask("SELECT count(*) FROM executions").rows == [(1,)]
    with open_for_harvest(tmp_path, keep_versions=3) as writer:
        writer.publish(HarvestFacts(START))
    assert version_numbers(tmp_path) == [3, 4, 5]


def test_readers_in_other_processes_only_ever_see_whole_versions(tmp_path: Path, small_stores: SmallStores) -> None:
    """Each night adds an application, an execution and an edge: a reader must see the same number of each."""
    store = tmp_path / "store"
    small_stores(store, 1)
    script = (
        "import time, duckdb\n"
        "seen = set()\n"
        "print('ready', flush=True)\n"
        "while not (seen and max(seen) == 4):\n"
        f"    with duckdb.connect('{store}/lineage.duckdb', read_only=True) as c:\n"
        "        row = c.execute('SELECT (SELECT count(*) FROM applications), (SELECT count(*) FROM executions),"
        " (SELECT count(*) FROM column_lineage)').fetchone()\n"
        "    assert len(set(row)) == 1, row\n"
        "    seen.add(row[0])\n"
        "    time.sleep(0.01)\n"
        "print(sorted(seen))\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "ready\n"
        for day in (1, 2, 3):
            small_night(day).harvest(store)
        seen = reader.stdout.read()
        assert reader.wait(timeout=60) == 0
    assert seen.strip().endswith("4]")


def test_a_second_harvest_is_refused_and_told_who_holds_the_store(tmp_path: Path) -> None:
    with open_for_harvest(tmp_path), pytest.raises(StoreError, match=f"another harvest .*process {os.getpid()} on "):
        small_night(0).harvest(tmp_path)


def test_a_harvest_of_another_process_is_respected_until_it_dies(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with subprocess.Popen(
        [sys.executable, HARVESTING, str(tmp_path), "hold"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match=f"process {holder.pid} on"), open_for_harvest(tmp_path):
            pass
        holder.kill()
        holder.wait(timeout=60)
    assert str(holder.pid) in (tmp_path / ".lock").read_text()
    with caplog.at_level("WARNING"):
        small_night(0).harvest(tmp_path)
    (told,) = caplog.records
    assert told.message == "an earlier harvest was killed; this one does its work"
    assert f"process {holder.pid} on " in told.facts["harvest"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("host", ["another-host", socket.gethostname()])
def test_what_a_lock_says_that_nobody_holds_keeps_nobody_out(
    tmp_path: Path, host: str, small_stores: SmallStores
) -> None:
    """Of another host, or of a process whose number a living one has now: only the kernel's lock counts."""
    small_stores(tmp_path, 1)
    left = {"pid": os.getpid(), "host": host, "since": "2026-11-19T02:30:00+00:00"}
    (tmp_path / ".lock").write_text(json.dumps(left))
    small_night(1).harvest(tmp_path)
    assert (tmp_path / ".lock").read_text() == ""


def test_a_file_system_without_locks_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(StoreError, match=r"has no locks \(flock\): No locks available"), open_for_harvest(tmp_path):
        pass


def test_a_version_is_on_the_disk_before_it_is_switched_to_and_the_switch_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_stores: SmallStores
) -> None:
    small_stores(tmp_path, 1)
    flushed: list[tuple[str, Path]] = []
    monkeypatch.setattr(
        versions, "sync_path", lambda path: flushed.append(((tmp_path / ".current").readlink().name, path))
    )
    small_night(1).harvest(tmp_path)

    version = tmp_path / ".versions" / "2"
    own = {path for path in version.rglob("*") if path.is_dir() or path.stat().st_nlink == 1}
    before = {path for current, path in flushed if current == "1"}
    draft = version.with_suffix(".draft")
    assert before == {version.parent, *(draft / path.relative_to(version) for path in (version, *own))}
    assert [path for current, path in flushed if current == "2"] == [tmp_path]


def test_a_version_that_is_there_counts_even_if_the_old_ones_cannot_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, small_stores: SmallStores
) -> None:
    small_stores(tmp_path, 2)

    def refuse(path: Path, **_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    with open_for_harvest(tmp_path) as writer:
        small_night(2).write(writer.staging_dir)
        with monkeypatch.context() as patch, caplog.at_level("WARNING"):
            patch.setattr("eventlog_lineage.store.versions.folder.shutil.rmtree", refuse)
            assert writer.publish(HarvestFacts(START)).harvest_id == 3
    assert [record.message for record in caplog.records] == ["old versions cannot be removed"]
    check_parquet(tmp_path)
    small_night(3).harvest(tmp_path)
    assert sorted(path.name for path in (tmp_path / ".versions").iterdir()) == ["3", "4"]


def test_a_harvest_that_fails_leaves_the_store_as_it_was_and_free(tmp_path: Path, small_stores: SmallStores) -> None:
    small_stores(tmp_path, 1)
    before = content(tmp_path)

    def die(step: str) -> None:
        raise RuntimeError(f"died at {step}")

    with open_for_harvest(tmp_path) as writer, pytest.raises(RuntimeError, match="died at copy"):
        writer.publish(HarvestFacts(START), on_step=die)
    assert content(tmp_path) == before
    small_night(1).harvest(tmp_path)


def test_a_version_that_cannot_be_built_is_removed_at_once_and_said_in_one_line(
    tmp_path: Path, small_stores: SmallStores
) -> None:
    small_stores(tmp_path, 1)
    for step in STEPS[1:-1]:

        def fill_the_disk(now: str, full: str = step) -> None:
            if now == full:
                raise OSError(28, "No space left on device")

        with (
            open_for_harvest(tmp_path) as writer,
            pytest.raises(StoreError, match=r"cannot be updated: .*No space left .*; it is as it was before"),
        ):
            writer.publish(HarvestFacts(START), on_step=fill_the_disk)
        assert [path.name for path in (tmp_path / ".versions").iterdir()] == ["1"]
    check_parquet(tmp_path)


def test_a_version_that_cannot_be_begun_is_said_when_it_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr("eventlog_lineage.store.writer.begin_version", refuse)
    with open_for_harvest(tmp_path) as writer, pytest.raises(StoreError, match=r"cannot be updated: .*No space left"):
        writer.publish(HarvestFacts(START))


def test_the_database_does_not_grow_with_harvests_that_bring_nothing(tmp_path: Path) -> None:
    sizes = []
    for _ in range(10):
        small_night(0).harvest(tmp_path)
        sizes.append((tmp_path / "lineage.duckdb").stat().st_size)
    # DuckDB uses free blocks again in an order of its own: the sizes repeat after some seven harvests.
    assert max(sizes[5:]) < max(sizes[:5]) * 1.08


def test_the_harvest_learns_what_the_store_knows(tmp_path: Path, small_stores: SmallStores) -> None:
    made = small_night(0)
    small_stores(tmp_path, 1)
    with open_for_harvest(tmp_path) as writer:
        (known,) = made.rows["lineages"]
        traced_at = known["traced_at"].replace(tzinfo=timezone.utc).timestamp() * 1000
        assert list(writer.known_lineages()) == [(known["lineage_id"], traced_at)]
        assert set(writer.known_paths()) == {"/logs/0"}
        assert writer.known_logs(["/logs/0", "/logs/9"]) == {"/logs/0": KnownLog(10, START, "complete", "", "")}
        assert writer.known_logs(["/logs/9"]) == {}
        assert list(writer.staging_dir.iterdir()) == []


def test_a_new_store_knows_nothing(tmp_path: Path) -> None:
    with open_for_harvest(tmp_path / "a" / "b") as writer:
        assert list(writer.known_lineages()) == []
        assert writer.known_logs(["/logs/0"]) == {}


def test_a_folder_with_something_else_of_that_name_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "executions").mkdir()
    with pytest.raises(StoreError, match="executions is in the way"), open_for_harvest(tmp_path):
        pass


def test_a_store_of_another_version_is_refused_for_reading_and_writing(
    tmp_path: Path, small_stores: SmallStores
) -> None:
    small_stores(tmp_path, 1)
    with duckdb.connect(str(tmp_path / "lineage.duckdb")) as connection:
        connection.execute("UPDATE internal.store_facts SET value = '99' WHERE fact = 'schema_version'")
    for use in (open_store, open_for_harvest):
        with pytest.raises(StoreError, match="tables of version 99, this program reads version"), use(tmp_path):
            pass


def test_a_damaged_database_is_said_so(tmp_path: Path, small_stores: SmallStores) -> None:
    small_stores(tmp_path, 1)
    (tmp_path / "lineage.duckdb").write_bytes(b"nonsense" * 1000)
    with pytest.raises(StoreError, match="cannot be opened"), open_store(tmp_path):
        pass
    (tmp_path / "lineage.duckdb").resolve().unlink()
    with pytest.raises(StoreError, match="the store is damaged"), open_store(tmp_path):
        pass


def test_the_database_of_a_few_runs_has_a_few_megabytes(tmp_path: Path, small_stores: SmallStores) -> None:
    small_stores(tmp_path, 1)
    assert (tmp_path / "lineage.duckdb").stat().st_size < 5_000_000


def test_the_database_is_of_the_stated_storage_version(tmp_path: Path, small_stores: SmallStores) -> None:
    """Older DuckDBs than the one that wrote it must be able to read it (the file's header has the version)."""
    small_stores(tmp_path, 1)
    with duckdb.connect(str(tmp_path / "lineage.duckdb"), read_only=True) as connection:
        (tags,) = connection.execute("SELECT tags FROM duckdb_databases() WHERE NOT internal").fetchone() or ({},)
    assert str(tags["storage_version"]).startswith("v1.2.0")


def test_steps_of_publishing_come_in_order(tmp_path: Path) -> None:
    steps: list[str] = []
    with open_for_harvest(tmp_path) as writer:
        writer.publish(HarvestFacts(START), on_step=steps.append)
    assert tuple(steps) == STEPS


def test_threads_may_read_while_a_harvest_writes(tmp_path: Path, small_stores: SmallStores) -> None:
    small_stores(tmp_path, 1)
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.append(rows(tmp_path, "SELECT count(*) FROM executions")[0][0]))
    with open_for_harvest(tmp_path) as writer:
        small_night(1).write(writer.staging_dir)
        thread.start()
        writer.publish(HarvestFacts(START))
        thread.join()
    assert counts[0] in {1, 2}


def run_files(store: Path, table: str) -> list[Path]:
    """The files of a table that the views of the database read."""
    return list((store / "runs" / table).rglob("*.parquet"))


def test_a_night_makes_folders_only_for_tables_with_rows(tmp_path: Path, small_stores: SmallStores) -> None:
    small_stores(tmp_path, 2)
    folders = {table.name: len(list((tmp_path / table.name).iterdir())) for table in PUBLIC_TABLES if table.per_run}
    assert folders == {"applications": 2, "executions": 2, "dataset_io": 2, "stream_batches": 1, "gaps": 1}
    assert not [path for path in (tmp_path / "runs").glob("*/*") if path.is_dir()]


def test_the_logs_of_many_nights_are_compressed_in_a_small_database(tmp_path: Path, small_stores: SmallStores) -> None:
    small_stores(tmp_path, 1)
    night = small_night(1)
    for number in range(400):
        night.log(f"/logs/application_1700000000000_{number:06}.zstd")
    night.harvest(tmp_path)
    found = rows(
        tmp_path,
        "SELECT DISTINCT compression FROM pragma_storage_info('harvested_logs') WHERE column_name = 'log_path' "
        "AND segment_type = 'VARCHAR'",
    )
    assert found != []
    assert ("Uncompressed",) not in found
