"""Rows of runs that tasks write as Parquet themselves, where they reach the staging folder of the driver.

Each file has a unique name, which its task returns. The driver adopts the files whose names are among the
results of tasks that succeeded: those of failed, repeated and speculative attempts are never read. Executors
import this module: it imports no DuckDB, which `staging` does.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from eventlog_lineage.harvest.checkpoints import Batch, Record
from eventlog_lineage.harvest.row_batches import unpack
from eventlog_lineage.store.schema.tables import (
    APPLICATIONS,
    BATCH_SOURCES,
    EXECUTIONS,
    GAPS,
    IO_METRICS,
    RUN_SNAPSHOTS,
)

FOLDER = ".written"
"""The folder, in the staging folder, of the files that are not adopted yet."""

_TOKEN = ".token"
_TABLES = frozenset(table.name for table in (APPLICATIONS, BATCH_SOURCES, EXECUTIONS, GAPS, IO_METRICS, RUN_SNAPSHOTS))
_LEAST_BYTES = 64 << 10
"""Smaller batches go to the driver, which joins those of many tasks in one file."""


class WrittenFile(NamedTuple):
    """A file that a task has written.

    Attributes:
        table: The table of its rows.
        name: Its name in `FOLDER`.
    """

    table: str
    name: str


TaskRecord = Record | WrittenFile
"""What a task that reads logs yields."""


@dataclass(frozen=True, slots=True)
class TaskFiles:
    """Where tasks write files, if they see the same folder as the driver.

    Attributes:
        folder: The folder's absolute path on the driver.
        token: What a file in it contains: on another machine the path may be another folder, or none.
        least_bytes: The smallest batch, as it is packed, that becomes a file.
    """

    folder: str
    token: str
    least_bytes: int = _LEAST_BYTES

    def write(self, records: Iterable[Record]) -> Iterator[TaskRecord]:
        """Yield a task's records; in place of large batches of runs the files with their rows.

        A batch that cannot be written goes to the driver, which reports the error of the folder.
        """
        reached = None
        for record in records:
            if isinstance(record, Batch) and record.table in _TABLES and len(record.payload) >= self.least_bytes:
                reached = self._is_reached() if reached is None else reached
                yield (self._written(record) if reached else None) or record
            else:
                yield record

    def _is_reached(self) -> bool:
        try:
            return Path(self.folder, _TOKEN).read_text() == self.token
        except OSError:
            return False

    def _written(self, batch: Batch) -> WrittenFile | None:
        import pyarrow.parquet as pq  # noqa: PLC0415 - a worker's start would take longer

        file = Path(self.folder, f"{batch.table}-{uuid.uuid4().hex}.parquet")
        try:
            pq.write_table(unpack(batch.payload), file, compression="zstd")
            file.chmod(0o644)  # the driver may be another user; the folder above is private
        except OSError:
            file.unlink(missing_ok=True)
            return None
        return WrittenFile(batch.table, file.name)


def make_folder(staging: Path) -> TaskFiles:
    """Make the folder for the files of tasks.

    Raises:
        OSError: It cannot be made.
    """
    folder, token = staging.absolute() / FOLDER, uuid.uuid4().hex
    folder.mkdir(exist_ok=True)
    descriptor = os.open(folder / _TOKEN, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(token)
    return TaskFiles(str(folder), token)
