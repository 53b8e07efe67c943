"""Java maps an archive of Spark's classes that an earlier one has written; without one, Spark starts all the same."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from eventlog_lineage.harvest.spark.session import class_archive

MADE, USED = '"-XX:ArchiveClassesAtExit=', '"-XX:SharedArchiveFile='


@pytest.fixture(autouse=True)
def _no_options(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPARK_SUBMIT_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"):
        monkeypatch.delenv(name, raising=False)


def java(folder: Path, code: int = 0) -> str:
    """Make a Java that finds any archive as good as its exit code says."""
    file = folder / "bin" / "java"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\nexit {code}\n")
    file.chmod(0o755)
    return str(file)


def written(folder: Path, program: str, age: float = 60) -> Path:
    """Begin an archive and write it, as a Java does that ends."""
    begun = class_archive(program, "17", {}, folder)
    begun.keep_class_path("/jars/a.jar")
    part = Path(begun.option.removeprefix(MADE).rstrip('"'))
    part.write_bytes(b"classes")
    os.utime(part, (time.time() - age,) * 2)
    return part


def test_the_first_start_makes_the_archive_and_no_other_one_of_that_day_does(tmp_path: Path) -> None:
    program = java(tmp_path)
    assert class_archive(program, "17", {}, tmp_path).option.startswith(MADE)
    assert class_archive(program, "17", {}, tmp_path).option == ""
    (attempt,) = (tmp_path / "java").glob("*.classpath")
    os.utime(attempt, (0, 0))
    assert class_archive(program, "17", {}, tmp_path).option.startswith(MADE)


def test_a_written_archive_that_java_can_use_is_used_from_then_on(tmp_path: Path) -> None:
    program = java(tmp_path)
    part = written(tmp_path, program)
    archive = part.with_name(f"{part.stem}-7.jsa")
    for _ in range(2):
        assert class_archive(program, "17", {}, tmp_path).option == f'{USED}{archive}"'
    assert archive.read_bytes() == b"classes"
    assert not part.exists()


def test_an_archive_that_java_cannot_use_is_removed(tmp_path: Path) -> None:
    part = written(tmp_path, java(tmp_path))
    assert class_archive(java(tmp_path, code=1), "17", {}, tmp_path).option == ""
    assert not part.exists()


def test_an_archive_that_may_still_be_written_is_left_alone(tmp_path: Path) -> None:
    program = java(tmp_path)
    part = written(tmp_path, program, age=1)
    assert class_archive(program, "17", {}, tmp_path).option == ""
    assert part.exists()


def test_an_archive_that_was_cut_off_is_removed(tmp_path: Path) -> None:
    program = java(tmp_path)
    part = written(tmp_path, program)
    class_archive(program, "17", {}, tmp_path)
    archive = part.with_name(f"{part.stem}-7.jsa")
    archive.write_bytes(b"clas")
    assert class_archive(program, "17", {}, tmp_path).option == ""
    assert not archive.exists()


def test_other_jars_need_another_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = java(tmp_path)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / "spark"))
    (tmp_path / "spark" / "jars").mkdir(parents=True)
    part = written(tmp_path, program)
    (tmp_path / "spark" / "jars" / "more.jar").touch()
    other = class_archive(program, "17", {}, tmp_path).option
    assert other.startswith(MADE)
    assert part.stem not in other


def test_an_archive_that_was_not_used_for_a_month_is_removed(tmp_path: Path) -> None:
    program = java(tmp_path)
    old = tmp_path / "java" / "old-7.jsa"
    old.parent.mkdir(mode=0o700)
    old.touch()
    os.utime(old, (time.time() - 31 * 86_400,) * 2)
    class_archive(program, "17", {}, tmp_path)
    assert not old.exists()


def test_the_four_archives_that_were_used_last_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "java"
    folder.mkdir(mode=0o700)
    for age, name in enumerate(["a-1.jsa", "b.part", "c-1.jsa", "d-1.jsa", "e-1.jsa", "f.part", "g.classpath"]):
        (folder / name).touch()
        os.utime(folder / name, (time.time() - age * 86_400,) * 2)
    begun = class_archive(java(tmp_path), "17", {}, tmp_path).attempt
    assert begun
    kept = {file.name for file in folder.iterdir()} - {begun.name}
    assert kept == {"a-1.jsa", "b.part", "c-1.jsa", "d-1.jsa", "g.classpath"}


@pytest.mark.parametrize(
    ("major", "settings", "options"),
    [
        ("11", {}, ""),
        ("", {}, ""),
        ("17", {"spark.driver.extraJavaOptions": "-XX:SharedArchiveFile=/own.jsa"}, ""),
        ("17", {}, "-Xshare:off"),
        ("17", {}, "-javaagent:/agent.jar"),
    ],
    ids=["an old Java", "an unknown Java", "an archive of the user", "sharing is off", "an agent changes classes"],
)
def test_no_archive_is_used_where_it_cannot_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, major: str, settings: dict[str, str], options: str
) -> None:
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", options)
    assert class_archive(java(tmp_path), major, settings, tmp_path).option == ""


def test_a_cache_that_cannot_be_written_or_is_not_private_is_not_used(tmp_path: Path) -> None:
    program = java(tmp_path)
    (tmp_path / "file").touch()
    assert class_archive(program, "17", {}, tmp_path / "file").option == ""
    (tmp_path / "java").mkdir()
    (tmp_path / "java").chmod(0o777)
    assert class_archive(program, "17", {}, tmp_path).option == ""
    assert class_archive(program, "17", {}, Path(f'{tmp_path}/with " in it')).option == ""
