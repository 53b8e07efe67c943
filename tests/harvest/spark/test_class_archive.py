"""Java maps an archive of Spark's classes that an earlier one has written; without one, Spark starts all the same."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from eventlog_lineage.harvest.spark.session import ClassArchive, class_archive


@pytest.fixture(autouse=True)
def _no_options(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPARK_SUBMIT_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A Java and a Spark, of which nothing is run."""
    for folder in ("bin", "lib/server", "spark/jars"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / "spark"))
    return str(tmp_path / "bin" / "java")


def found(program: str, folder: Path) -> ClassArchive:
    archive = class_archive(program, "17", {}, folder)
    assert archive
    return archive


def end(archive: ClassArchive, code: int = 0) -> None:
    """Let a process end that writes an archive when nobody writes to it any more, as Java does."""
    script = f"cat > /dev/null; echo classes > '{archive.draft}'; exit {code}"
    archive.keep(subprocess.Popen(["/bin/sh", "-c", script], stdin=subprocess.PIPE))


def test_the_archive_that_a_java_writes_is_used_from_then_on(program: str, tmp_path: Path) -> None:
    begun = found(program, tmp_path)
    assert begun.option == f'"-XX:ArchiveClassesAtExit={begun.draft}"'
    end(begun)
    for _ in range(2):
        assert found(program, tmp_path).option == f'"-XX:SharedArchiveFile={begun.file}"'
    assert [file.read_text() for file in (tmp_path / "java").iterdir()] == ["classes\n"]


def test_the_archive_of_a_java_that_was_killed_is_removed(program: str, tmp_path: Path) -> None:
    end(found(program, tmp_path), 137)
    assert list((tmp_path / "java").iterdir()) == []
    assert found(program, tmp_path).draft


def test_other_jars_need_another_archive(program: str, tmp_path: Path) -> None:
    begun = found(program, tmp_path)
    end(begun)
    (tmp_path / "spark" / "jars" / "more.jar").touch()
    other = found(program, tmp_path)
    assert other.draft
    assert other.file != begun.file


def test_the_four_archives_that_were_used_last_are_kept(program: str, tmp_path: Path) -> None:
    folder = tmp_path / "java"
    folder.mkdir(mode=0o700)
    for age, name in enumerate(["a.jsa", "b.12", "c.jsa", "d.jsa", "e.jsa"]):
        (folder / name).touch()
        os.utime(folder / name, (time.time() - age * 86_400,) * 2)
    end(begun := found(program, tmp_path))
    assert {file.name for file in folder.iterdir()} == {"a.jsa", "b.12", "c.jsa", begun.file.name}


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
def test_no_archive_is_used_where_it_cannot_work(  # noqa: PLR0913, PLR0917 - the cases
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, major: str, settings: dict[str, str], options: str
) -> None:
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", options)
    assert class_archive(program, major, settings, tmp_path) is None


def test_a_cache_that_cannot_be_written_or_is_not_private_is_not_used(program: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert class_archive(program, "17", {}, tmp_path / "file") is None
    (tmp_path / "java").mkdir()
    (tmp_path / "java").chmod(0o777)
    assert class_archive(program, "17", {}, tmp_path) is None
    assert class_archive(program, "17", {}, Path(f'{tmp_path}/with " in it')) is None
