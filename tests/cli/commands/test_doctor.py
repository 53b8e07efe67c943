"""`doctor` prints a line for each check, says what to do, and fails if a harvest would."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from eventlog_lineage.cli.main import run
from eventlog_lineage.events.sources import discovery
from support.event_logs import LOGS
from support.stores.nights import Night

LOG = next((LOGS / "zstd-3.5.9").iterdir())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    night = Night()
    night.app()
    night.statement([("a!x", "x", "IDENTITY")], target="b")
    night.harvest(tmp_path / "store")
    return tmp_path / "store"


def doctor(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Mapping[str, Mapping[str, str]]]:
    """The exit code, and the lines by their subjects; without a start of Spark."""
    code = run(["doctor", "--no-spark", "--json", *words])
    return code, {line["check"]: line for line in json.loads(capsys.readouterr().out)}


def test_all_is_well_with_a_store_and_a_log(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = doctor(capsys, str(LOG), "--store", str(store))
    assert {line["status"] for line in found.values()} == {"ok"}
    assert {"java", "pyspark", "temporary folder", "store", "store's disk", "clock", f"source {LOG}"} <= found.keys()
    assert code == 0
    assert "version 1, 1 harvest, the last" in found["store"]["detail"]
    assert found[f"source {LOG}"]["detail"].startswith("1 log, 0.1 MB, the newest of ")


def test_without_a_store_and_sources_there_are_warnings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = doctor(capsys, "--store", str(tmp_path / "new" / "store"))
    assert (code, found["store"]["status"], found["sources"]["status"]) == (0, "warning", "warning")
    assert found["store"]["hint"] == "the first harvest makes it"
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_store_fails_and_says_how_to_repair_it(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (store / ".current").resolve().joinpath("lineage.duckdb").write_bytes(b"no database")
    code, found = doctor(capsys, str(LOG), "--store", str(store))
    assert (code, found["store"]["status"]) == (1, "failed")
    assert "eventlog-lineage restore --store" in found["store"]["hint"]


def test_a_folder_with_other_files_is_no_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("x")
    code, found = doctor(capsys, str(LOG), "--store", str(tmp_path))
    assert (code, found["store"]["status"], found["store"]["hint"]) == (
        0,
        "warning",
        "name the store's own folder with --store",
    )


def test_a_harvest_that_holds_the_lock_is_a_warning(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (store / ".lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write('{"pid": 7, "host": "etl1", "since": "2026-11-22"}')
        lock.flush()
        code, found = doctor(capsys, str(LOG), "--store", str(store))
    assert (code, found["store's lock"]["status"]) == (0, "warning")
    assert "process 7 on etl1" in found["store's lock"]["detail"]


def test_what_a_killed_harvest_wrote_into_the_lock_stays(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (store / ".lock").write_text('{"pid": 7, "host": "etl1", "since": "2026-11-22"}')
    code, found = doctor(capsys, str(LOG), "--store", str(store))
    assert (code, "store's lock" in found, "etl1" in (store / ".lock").read_text()) == (0, False, True)


def test_sources_that_cannot_be_read_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    sources = [str(tmp_path / "missing"), str(tmp_path / "empty"), "ftp://host/logs"]
    code, found = doctor(capsys, *sources, "--store", str(tmp_path / "store"))
    statuses = [found[f"source {source}"]["status"] for source in sources]
    assert (code, statuses) == (1, ["failed", "warning", "failed"])
    assert "spark.eventLog.dir" in found[f"source {sources[1]}"]["hint"]


def test_a_log_without_its_file_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(LOG, tmp_path / LOG.name)

    def refuse(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(discovery, "open_part", refuse)
    (found,) = discovery.check_sources([str(tmp_path)], round(time.time() * 1000))
    assert (found.status, found.hint) == ("failed", "give this user the right to read the logs")


def test_logs_later_than_the_clock_are_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / LOG.name
    shutil.copy(LOG, copy)
    os.utime(copy, (time.time() + 7200, time.time() + 7200))
    code, found = doctor(capsys, str(copy), "--store", str(tmp_path / "store"))
    assert (code, found["clock of the logs"]["status"]) == (0, "warning")


def test_without_java_it_fails_and_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "no-java"))
    code, found = doctor(capsys, str(LOG), "--store", str(tmp_path / "store"))
    assert (code, found["java"]["status"]) == (1, "failed")
    assert "JAVA_HOME" in found["java"]["hint"]


def test_a_spark_home_of_another_version_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    code, found = doctor(capsys, str(LOG), "--store", str(tmp_path / "store"))
    assert (code, found["pyspark"]["status"], "has no Spark" in found["pyspark"]["detail"]) == (1, "failed", True)
    (tmp_path / "jars").mkdir()
    (tmp_path / "jars" / "spark-core_2.12-3.3.2.jar").touch()
    code, found = doctor(capsys, str(LOG), "--store", str(tmp_path / "store"))
    assert (code, "is Spark 3.3" in found["pyspark"]["detail"]) == (1, True)
    assert "pyspark==3.3.*" in found["pyspark"]["hint"]


def test_as_text_it_is_one_line_per_check(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--no-spark", str(LOG), "--store", str(store)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:2] == ["check", "status"]
    assert all(" ok " in line for line in lines[1:])
