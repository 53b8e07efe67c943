"""Sources become logs: each once, with its parts in order, and without opening files that Spark named."""

from __future__ import annotations

import builtins
import gzip
import os
import sys
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import fsspec
import pytest

from eventlog_lineage.errors import LogError, UsageError
from eventlog_lineage.events.sources import files
from eventlog_lineage.events.sources.discovery import find_logs, open_part
from eventlog_lineage.events.sources.files import LocalFiles
from eventlog_lineage.events.sources.layouts import EventLog, Layout, LogPart
from eventlog_lineage.model import GapReason
from support.event_logs import LOGS, line, log_text

LOG = log_text(line("SparkListenerLogStart", Spark_Version="3.5.9"))


def write(path: Path, content: bytes = LOG) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def found(*sources: object) -> list[EventLog]:
    return list(find_logs([str(source) for source in sources]))


def names(log: EventLog) -> list[str]:
    return [part.path.rsplit("/", 1)[-1] for part in log.parts]


@pytest.fixture
def memory() -> Iterator[Any]:
    """An empty in-memory file system of fsspec."""
    storage = fsspec.filesystem("memory")
    storage.store.clear()
    yield storage
    storage.store.clear()


def test_a_file_is_a_log_whatever_its_name(tmp_path: Path) -> None:
    path = write(tmp_path / "notes from today.txt")
    (log,) = found(path)
    assert log == EventLog(str(path), Layout.SINGLE, log.parts)
    assert log.size == len(LOG)
    assert log.modified_at == path.stat().st_mtime_ns // 1_000_000


@pytest.mark.parametrize(
    ("name", "app_id", "attempt_id"),
    [
        ("application_1724877841851_0016_2", "application_1724877841851_0016", "2"),
        ("application_1724877841851_0016.zstd.inprogress", "application_1724877841851_0016", ""),
        ("app-20240213185822-0000.lz4", "app-20240213185822-0000", ""),
        ("spark-2c0e9b3e1d7f4a7c8e6b5a4d3c2b1a09", "spark-2c0e9b3e1d7f4a7c8e6b5a4d3c2b1a09", ""),
        ("nightly-sales-3-5.zstd", "", ""),
    ],
)
def test_names_tell_application_and_attempt(tmp_path: Path, name: str, app_id: str, attempt_id: str) -> None:
    (log,) = found(write(tmp_path / name))
    assert (log.app_id, log.attempt_id) == (app_id, attempt_id)
    assert log.in_progress == name.endswith(".inprogress")


def test_a_folder_is_searched_through_and_what_is_no_log_left_out(tmp_path: Path) -> None:
    logs = [
        write(tmp_path / "application_1_0001"),
        write(tmp_path / "deep" / "er" / "local-17.zstd"),
        write(tmp_path / "deep" / "my own name"),
        write(tmp_path / "größe 日本" / "app-1-0"),
    ]
    for name in (".DS_Store", "_SUCCESS", "stdout", "stderr--x", "log4j-active.log", ".local-17.crc", "t.parquet"):
        write(tmp_path / "deep" / name)
    write(tmp_path / "_temporary" / "local-3")
    write(tmp_path / ".hidden" / "local-4")
    write(tmp_path / "readme", b"not a log")
    write(tmp_path / "empty", b"")
    assert {log.path for log in found(tmp_path)} == {str(path) for path in logs}


def test_listing_opens_no_file_that_spark_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        write(tmp_path / f"application_1_000{number}.zstd")
    write(tmp_path / "eventlog_v2_local-1" / "events_1_local-1.zstd")
    write(tmp_path / "cluster" / "eventlog")
    write(tmp_path / "an odd name")
    opened = []
    real = files.LocalFiles.open
    monkeypatch.setattr(files.LocalFiles, "open", lambda self, path: opened.append(path) or real(self, path))
    assert len(found(tmp_path)) == 8
    assert opened == [str(tmp_path / "an odd name")]
    assert len(list(find_logs([str(tmp_path)], known={str(tmp_path / "an odd name")}))) == 8
    assert len(opened) == 1


def test_a_rolling_log_is_ordered_by_number(tmp_path: Path) -> None:
    folder = tmp_path / "eventlog_v2_application_1_0007_2"
    for number in (10, 9, 1, 2, 3, 4, 5, 6, 7, 8):
        write(folder / f"events_{number}_application_1_0007_2.zstd")
    write(folder / ".appstatus_application_1_0007_2.crc")
    write(folder / ".events_1_application_1_0007_2.zstd.crc")
    write(folder / "appstatus_application_1_0007_2", b"")
    for source in (folder, tmp_path, f"{tmp_path}/event*", f"{folder}/events_*"):
        (log,) = found(source)
        assert log.path == str(folder)
        assert log.layout is Layout.ROLLING
        assert [part.index for part in log.parts] == list(range(1, 11))
        assert (log.app_id, log.attempt_id) == ("application_1_0007", "2")
        assert not log.in_progress
        assert log.problems == ()


@pytest.mark.parametrize(
    ("status", "in_progress"),
    [((), False), (("appstatus_a.inprogress",), True), (("appstatus_a", "appstatus_a.inprogress"), False)],
)
def test_appstatus_tells_whether_a_rolling_log_is_written(
    tmp_path: Path, status: tuple[str, ...], in_progress: bool
) -> None:
    folder = tmp_path / "eventlog_v2_a"
    write(folder / "events_1_a")
    for name in status:
        write(folder / name, b"")
    assert found(folder)[0].in_progress == in_progress


def test_the_last_compact_file_stands_for_all_before_it(tmp_path: Path) -> None:
    folder = tmp_path / "eventlog_v2_a"
    for name in ("events_1_a", "events_2_a", "events_2_a.compact", "events_4_a.compact", "events_4_a", "events_5_a"):
        write(folder / name)
    (log,) = found(folder)
    assert names(log) == ["events_4_a.compact", "events_5_a"]
    assert [part.compacted for part in log.parts] == [True, False]
    assert [problem.reason for problem in log.problems] == [GapReason.COMPACTED_LOG]
    assert "1 to 4" in log.problems[0].detail


def test_missing_parts_of_a_rolling_log_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "eventlog_v2_a"
    for number in (3, 4, 6, 9):
        write(folder / f"events_{number}_a")
    details = [problem.detail for problem in found(folder)[0].problems]
    assert details == ["parts 1 to 2 are missing", "part 5 is missing", "parts 7 to 8 are missing"]


def test_a_databricks_folder_is_one_log_with_the_current_part_last(tmp_path: Path) -> None:
    folder = tmp_path / "0815-cluster" / "eventlog" / "17_10.0.0.1" / "4711"
    for name in ("eventlog", "eventlog-2026-11-20--10-00.gz", "eventlog-2026-11-20--09-00.gz", "stdout", "log4j.gz"):
        write(folder / name)
    (log,) = found(tmp_path)
    assert log.path == str(folder)
    assert log.layout is Layout.DATABRICKS
    assert names(log) == ["eventlog-2026-11-20--09-00.gz", "eventlog-2026-11-20--10-00.gz", "eventlog"]
    assert [part.index for part in log.parts] == [1, 2, 3]
    assert log.in_progress


def test_a_databricks_folder_without_current_part_is_not_in_progress(tmp_path: Path) -> None:
    write(tmp_path / "eventlog-2026-11-20--10-00.gz")
    assert not found(tmp_path)[0].in_progress


def test_sources_that_lead_to_the_same_log_give_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "local-1")
    monkeypatch.chdir(tmp_path)
    assert len(found(path, tmp_path, f"{tmp_path}/*", "local-1", ".", path.as_uri(), f"file:{path}")) == 1


def test_globs_match_files_and_folders(tmp_path: Path) -> None:
    for name in ("a/local-1", "a/stdout", "b/local-2", "c/deep/local-3"):
        write(tmp_path / name)
    assert len(found(f"{tmp_path}/[ab]/*")) == 2
    assert len(found(f"{tmp_path}/**/local-?")) == 3
    assert len(found(f"{tmp_path}/?")) == 3


@pytest.mark.usefixtures("bounded")
def test_globs_follow_links_to_a_folder_itself_once(tmp_path: Path) -> None:
    log = write(tmp_path / "logs" / "a" / "local-1")
    for name in ("logs/again", "logs/a/again", "logs/a/0"):
        (tmp_path / name).symlink_to(tmp_path / "logs")
    for pattern in ("**/local-*", "*/*/local-1", "**/**/local-1", "logs/**"):
        assert [each.path for each in found(f"{tmp_path}/{pattern}")] == [str(log)], pattern


def test_a_log_whose_application_ends_before_it_is_read_is_read_under_its_new_name(tmp_path: Path) -> None:
    path = write(tmp_path / "local-1.inprogress")
    (log,) = found(tmp_path)
    path.rename(tmp_path / "local-1")
    with open_part(log.parts[0]) as stream:
        assert stream.read() == LOG
    (tmp_path / "local-1").unlink()
    with pytest.raises(LogError, match=r"local-1: No such file"):
        open_part(log.parts[0])


@pytest.mark.usefixtures("bounded")
def test_a_log_that_becomes_a_fifo_or_a_device_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "local-1"
    os.mkfifo(path)
    for replaced in (path, Path("/dev/zero"), tmp_path):
        with pytest.raises(LogError, match="the log is not a regular file"):
            LocalFiles().open(str(replaced))


@pytest.mark.usefixtures("bounded")
def test_a_file_that_stores_much_before_its_first_text_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eventlog_lineage.events.sources.discovery._SECONDS", 0.2)
    path = tmp_path / "packed"
    path.write_bytes(gzip.compress(b""))
    os.truncate(path, 40 << 30)  # zeros after the text, which take no space on the disk
    (log,) = found(tmp_path)
    assert "takes more than 0.2 s of CPU time" in log.problems[0].detail


def test_a_name_with_brackets_is_itself_before_it_is_a_glob(tmp_path: Path) -> None:
    path = write(tmp_path / "logs [old]" / "local-1")
    assert [log.path for log in found(path.parent)] == [str(path)]


def test_a_file_uri_may_be_encoded_or_raw(tmp_path: Path) -> None:
    path = write(tmp_path / "größe & mehr" / "local-1")
    assert found(path.as_uri())[0].path == str(path)
    assert found(f"file:{path}")[0].path == str(path)
    assert found(f"file://{path}")[0].path == str(path)


def test_links_to_folders_are_followed_once(tmp_path: Path) -> None:
    write(tmp_path / "a" / "local-1")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    assert len(found(tmp_path)) == 1


@pytest.mark.parametrize(
    ("source", "hint"),
    [("/no/such/place", "check the path"), ("/no/such/*", "quote it"), ("", "name a log"), ("ftp://host/x", "s3a")],
)
def test_a_source_that_is_not_there_is_an_error_with_a_hint(source: str, hint: str) -> None:
    with pytest.raises(UsageError) as raised:
        found(source)
    assert hint in raised.value.hint


def test_a_folder_without_logs_gives_none(tmp_path: Path) -> None:
    assert found(tmp_path) == []


def test_a_folder_that_cannot_be_listed_is_an_unreadable_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "open" / "local-1")
    (tmp_path / "shut").mkdir()
    real = files._scan

    def scan(path: str) -> Any:
        if path.endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(files, "_scan", scan)
    opened, shut = found(tmp_path)
    assert opened.parts
    assert shut.path == str(tmp_path / "shut")
    assert shut.parts == ()
    assert shut.problems[0].reason is GapReason.UNREADABLE_LOG
    assert "Permission denied" in shut.problems[0].detail


def test_a_file_whose_name_is_not_utf_8_is_read_and_named_by_its_escaped_bytes(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    for name in (b"local-1\xff.zstd", b"eventlog_v2_local-2\xfe/events_1_local-2\xfe", b"caf\xe9/notes"):
        path = Path(os.fsdecode(folder + b"/" + name))
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(LOG)
    names = {log.path.removeprefix(f"{tmp_path}/"): log for log in found(tmp_path)}
    assert set(names) == {r"local-1\xff.zstd", r"eventlog_v2_local-2\xfe", r"caf\xe9/notes"}
    for log in names.values():
        assert log.app_id.isascii()
        with open_part(log.parts[0]) as stream:
            assert stream.read() == LOG


def test_an_error_message_can_be_written_whatever_name_it_holds(tmp_path: Path) -> None:
    with pytest.raises(LogError) as raised:
        open_part(LogPart(os.fsdecode(b"/gone-\xff"), 1, None, 1))
    assert r"/gone-\xff" in str(raised.value)
    assert str(raised.value).encode()


def test_a_file_that_cannot_be_looked_at_is_an_unreadable_log_and_the_others_are_found(tmp_path: Path) -> None:
    write(tmp_path / "local-1")
    (tmp_path / "local-2").symlink_to(tmp_path / "local-3")
    (tmp_path / "local-3").symlink_to(tmp_path / "local-2")  # a loop: stat fails with ELOOP
    (tmp_path / "driver.log").symlink_to(tmp_path / "driver.log")
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    logs = {Path(log.path).name: log for log in found(tmp_path)}
    assert set(logs) == {"local-1", "local-2", "local-3"}
    assert logs["local-1"].parts
    for name in ("local-2", "local-3"):
        assert logs[name].parts == ()
        assert "cannot stat the log: Too many levels of symbolic links" in logs[name].problems[0].detail


def test_a_file_of_any_name_that_cannot_be_read_is_an_unreadable_log(tmp_path: Path) -> None:
    write(tmp_path / "local-1")
    (tmp_path / "mystery").symlink_to("/proc/self/mem")  # opens, and reading it fails with EIO
    mystery, log = sorted(found(tmp_path), key=lambda log: len(log.parts))
    assert log.parts
    assert Path(mystery.path).name == "mystery"
    assert "Input/output error" in mystery.problems[0].detail


def test_a_source_that_cannot_be_looked_at_is_an_unreadable_log_and_the_others_are_found(tmp_path: Path) -> None:
    write(tmp_path / "logs" / "local-1")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    shut, opened = (log for source in (loop, tmp_path / "logs") for log in found(source))
    assert (shut.path, shut.parts) == (str(loop), ())
    assert opened.parts


def test_a_source_without_a_log_is_reported(tmp_path: Path) -> None:
    write(tmp_path / "logs" / "local-1")
    write(tmp_path / "other" / "notes.md")
    empty: list[str] = []
    sources = [str(tmp_path / name) for name in ("logs", "other")]
    assert len(list(find_logs(sources, on_empty=empty.append))) == 1
    assert empty == sources[1:]


def test_a_part_that_went_away_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="cannot be opened"):
        open_part(LogPart(str(tmp_path / "gone"), 1, None, 1))


def test_other_storages_are_read_through_fsspec(memory: Any) -> None:
    memory.pipe("/logs/a b/local-1", LOG)
    memory.pipe("/logs/eventlog_v2_x/events_1_x", LOG)
    memory.pipe("/logs/eventlog_v2_x/appstatus_x", b"")
    memory.pipe("/logs/_hidden/local-2", LOG)
    memory.pipe("/logs/stdout", LOG)
    for source in ("memory://logs", "memory:///logs/", "memory://logs/*"):
        single, rolling = sorted(found(source), key=lambda log: log.layout, reverse=True)
        assert single.path.endswith("/logs/a b/local-1")
        assert rolling.layout is Layout.ROLLING
        with open_part(single.parts[0]) as stream:
            assert stream.read() == LOG
    assert single.size == len(LOG)
    assert single.modified_at is None or single.modified_at > 1.6e12
    assert found("memory://logs/stdout")[0].path == "memory://logs/stdout"
    with pytest.raises(UsageError):
        found("memory://nothing")
    with pytest.raises(UsageError):
        found("memory://logs/*.gone")
    with pytest.raises(LogError, match="cannot be opened"):
        open_part(LogPart("memory://logs/gone", 1, None, 1))


@pytest.mark.parametrize(
    ("uri", "package"), [("s3a://bucket/logs", "s3fs"), ("gs://bucket/logs", "gcsfs"), ("abfss://c@a/x", "adlfs")]
)
def test_a_missing_backend_is_named_with_its_package(uri: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.split(".", maxsplit=1)[0] in ("s3fs", "gcsfs", "adlfs"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    for module in ("s3fs", "gcsfs", "adlfs"):
        monkeypatch.setitem(sys.modules, module, None)
    used: dict[str, type] = {}  # instead of what other tests have used
    for name in ("_registry", "registry"):
        monkeypatch.setattr(sys.modules["fsspec.registry"], name, used)
    with pytest.raises(UsageError) as raised:
        found(uri)
    assert raised.value.hint == f"pip install {package}"


def test_without_a_hadoop_client_the_package_that_needs_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def unable(*_: object) -> None:
        raise OSError("Unable to load libjvm dlopen(/usr/lib/jvm/default-java/libjvm.so) failed")

    monkeypatch.setattr("fsspec.core.url_to_fs", unable)
    with pytest.raises(UsageError) as raised:
        found("hdfs://namenode/logs")
    assert raised.value.hint == "pip install hdfs-native"


def test_without_fsspec_its_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(UsageError) as raised:
        found("hdfs://namenode/logs")
    assert raised.value.hint == "pip install fsspec"
    assert found(LOGS / "none-3.5.9")


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("s3a://bucket/logs/", "s3://bucket/logs"),
        ("s3n://bucket/logs", "s3://bucket/logs"),
        ("hdfs:/logs", "hdfs:///logs"),
        ("abfs://c@a.dfs.core.windows.net/x", "abfss://c@a.dfs.core.windows.net/x"),
    ],
)
def test_one_place_has_one_name(uri: str, name: str) -> None:
    assert files.BACKENDS[uri.split(":", 1)[0]].canonical(uri) == name


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        ({"LastModified": datetime(2026, 11, 20, tzinfo=timezone.utc)}, 1795132800000),
        ({"modification_time": 1795279041352, "access_time": 5}, 1795279041352),
        ({"updated": "2026-11-20T00:00:00.000Z"}, 1795132800000),
        ({"mtime": 1795132800.5}, 1795132800500),
        ({"modificationTime": 1795132800000}, 1795132800000),
        ({}, None),
    ],
)
def test_every_backends_time_of_modification_is_understood(details: dict[str, Any], expected: int | None) -> None:
    assert files._modified(details) == expected


def test_all_sample_logs_are_found() -> None:
    logs = found(LOGS)
    assert len(logs) == len(list(LOGS.iterdir()))
    assert sum(log.layout is Layout.ROLLING for log in logs) == 3
    assert sum(log.in_progress for log in logs) == 6
