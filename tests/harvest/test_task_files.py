"""Tasks write large batches of rows themselves; the driver reads the files of those that succeeded."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from eventlog_lineage.errors import StoreError
from eventlog_lineage.harvest.checkpoints import Batch, Progress, Record
from eventlog_lineage.harvest.row_batches import FOLDER, TaskFiles, WrittenFile, pack
from eventlog_lineage.harvest.staging import Staging
from eventlog_lineage.store.schema.tables import GAPS, HARVESTED_LOGS, LINEAGE_IO

NOBODY = 65_533
"""A user that owns nothing."""


def batch(table: object = GAPS, rows: int = 3) -> Batch:
    return Batch(table.name, pack(table, [(None,) * len(table.columns)] * rows))  # type: ignore[attr-defined]


@pytest.fixture
def staging(tmp_path: Path) -> Staging:
    return Staging(tmp_path)


def task(files: TaskFiles, *records: Record) -> list[Record | WrittenFile]:
    """Run a task with these records, each of which is large enough for a file."""
    return list(TaskFiles(files.folder, files.token, least_bytes=1).write(records))


def staged(folder: Path) -> int:
    return sum(pq.read_metadata(file).num_rows for file in folder.glob("*/*.parquet") if file.parent.name != FOLDER)


def test_a_task_writes_its_rows_and_the_driver_adopts_the_file(staging: Staging, tmp_path: Path) -> None:
    written, progress = task(staging.task_files(), batch(), Progress(1, 2))
    assert isinstance(written, WrittenFile)
    assert progress == Progress(1, 2)
    assert staged(tmp_path) == 0
    staging.adopt(written)
    assert staged(tmp_path / "") == 3
    assert [file.parent.name for file in tmp_path.glob("*/*.parquet")] == [GAPS.name]


@contextmanager
def working_as(user: int, umask: int) -> Iterator[None]:
    """Read and write as another user does; only root can."""
    before, own = os.umask(umask), os.geteuid()
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(own)
        os.umask(before)


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_the_driver_reads_what_executors_of_another_user_write(umask: int) -> None:
    """Root's executors write files; those of users who may not read the folder hand their rows over."""
    driver = NOBODY if os.geteuid() == 0 else os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if driver == NOBODY:
            os.chown(folder, NOBODY, NOBODY)
        with working_as(driver, umask):
            staging = Staging(folder)
            files = staging.task_files()
        with working_as(os.geteuid(), umask):
            (written,) = task(files, batch())
        with working_as(driver, umask):
            assert isinstance(written, WrittenFile)
            staging.adopt(written)
            assert staged(folder) == 3
        if driver == NOBODY:
            with working_as(NOBODY + 1, umask):
                assert task(files, batch()) == [batch()]


def test_files_of_an_attempt_that_failed_are_never_read(staging: Staging, tmp_path: Path) -> None:
    files = staging.task_files()
    task(files, batch(), batch())  # its results are lost: Spark runs the task again
    for record in task(files, batch(), batch()):
        assert isinstance(record, WrittenFile)
        staging.adopt(record)
    assert staged(tmp_path) == 6
    assert len(list((tmp_path / FOLDER).glob("*.parquet"))) == 2


def test_a_task_that_sees_another_folder_or_none_hands_its_rows_over(staging: Staging, tmp_path: Path) -> None:
    files = staging.task_files()
    for other in (TaskFiles(files.folder, "another"), TaskFiles(str(tmp_path / "missing"), files.token)):
        assert task(other, batch()) == [batch()]
    assert list((tmp_path / FOLDER).glob("*.parquet")) == []


def test_small_batches_and_rows_of_logs_and_lineages_go_to_the_driver(staging: Staging) -> None:
    files = staging.task_files()
    assert list(files.write([batch()])) == [batch()]
    assert task(files, batch(HARVESTED_LOGS), batch(LINEAGE_IO)) == [batch(HARVESTED_LOGS), batch(LINEAGE_IO)]


def test_rows_that_a_task_cannot_write_go_to_the_driver_which_says_why(staging: Staging, tmp_path: Path) -> None:
    files = staging.task_files()
    for file in (tmp_path / FOLDER).iterdir():
        held = file.read_text()
    (tmp_path / FOLDER / ".token").unlink()
    (tmp_path / FOLDER).rmdir()
    assert task(TaskFiles(files.folder, held), batch()) == [batch()]
    with pytest.raises(StoreError, match="the staging folder cannot be written"):
        staging.adopt(WrittenFile(GAPS.name, "missing.parquet"))
