"""Rows as Arrow record batches, table by table: the form in which they leave an executor.

Executors import this module: it imports no DuckDB. Where tasks reach the staging folder of the driver, they write
large batches as Parquet themselves. Each file has a unique name, which its task returns. The driver adopts the files
whose names are among the results of tasks that succeeded: those of failed, repeated and speculative attempts are never
read.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import tempfile
import traceback
import uuid
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import NamedTuple

import pyarrow as pa
import zstandard

from eventlog_lineage.errors import FullFolderError
from eventlog_lineage.harvest.checkpoints import Batch, Record
from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.redaction import PLAIN
from eventlog_lineage.store.schema.declaration import TIME, Row, Table
from eventlog_lineage.store.schema.relations import arrow_schema
from eventlog_lineage.store.schema.tables import (
    APPLICATIONS,
    BATCH_SOURCES,
    EXECUTIONS,
    GAPS,
    HARVEST_TABLES,
    IO_METRICS,
    RUN_SNAPSHOTS,
)

_NUMBERS = frozenset({errno.ENOSPC, errno.EDQUOT})
_WORDS = re.compile(r"No space left on device|Disk quota exceeded")


def is_full(error: BaseException, printed: str = "") -> bool:
    """Return whether a disk is full; Java's errors have the system's words in their text."""
    return getattr(error, "errno", None) in _NUMBERS or bool(_WORDS.search(f"{printed}\n{error}"))


def full_folder(folder: Path | None = None) -> FullFolderError:
    """Return the error for a temporary folder that is full."""
    path = folder or Path(tempfile.gettempdir())
    free = ""
    with suppress(OSError):
        free = f", {shutil.disk_usage(path).free >> 20} MiB free"
    advice = "make space there, or set TMPDIR (on a cluster spark.local.dir) to a folder with more"
    return FullFolderError("the temporary folder is full", f"{path}{free}", advice)


_BATCH_ROWS = 20_000
_FIRST, _LAST = -62_135_596_800_000, 253_402_300_799_999
"""The years 1 to 9999 in epoch milliseconds: the range of the timestamps of Python, Arrow and DuckDB."""

_TABLES = {table.name: table for table in HARVEST_TABLES}


class RowBatches:
    """Collects rows and returns them as compressed batches.

    Times in rows are epoch milliseconds; the batches have timestamps.
    """

    def __init__(self) -> None:
        self._rows: dict[str, list[Row]] = {}

    def add(self, table: Table, *rows: Row) -> None:
        """Add rows to a table, as `table.row` makes them; times are epoch milliseconds."""
        self._rows.setdefault(table.name, []).extend(rows)

    def full(self) -> Iterator[tuple[str, bytes]]:
        """Yield the batches that are large enough: (table, rows as `pack` packs them)."""
        for name, rows in self._rows.items():
            if len(rows) >= _BATCH_ROWS:
                yield from _packed(name, rows)
                self._rows[name] = []

    def rest(self) -> Iterator[tuple[str, bytes]]:
        """Yield the batches of the rows that are left."""
        for name, rows in self._rows.items():
            yield from _packed(name, rows)
        self._rows = {}


def _packed(name: str, rows: list[Row]) -> Iterator[tuple[str, bytes]]:
    """Yield batches of a bounded size: one statement can have a hundred thousand edges with long expressions."""
    for start in range(0, len(rows), _BATCH_ROWS):
        yield name, pack(_TABLES[name], rows[start : start + _BATCH_ROWS])


def pack(table: Table, rows: list[Row]) -> bytes:
    """Return rows as an Arrow IPC stream, compressed with zstd as a whole.

    Arrow's own compression takes each buffer alone: larger, and five times slower for a batch of few rows.
    """
    schema = arrow_schema(table)
    columns = list(zip(*rows, strict=True))
    arrays = [
        pa.array(_times(values) if column.type == TIME else values, type=field.type)
        for column, field, values in zip(table.columns, schema, columns, strict=True)
    ]
    batch = pa.RecordBatch.from_arrays(arrays, schema=schema)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        writer.write_batch(batch)
    return zstandard.ZstdCompressor(level=1).compress(sink.getvalue())


def unpack(payload: bytes) -> pa.Table:
    """Return the table that `pack` packed."""
    return pa.ipc.open_stream(zstandard.ZstdDecompressor().decompress(payload)).read_all()


def _times(values: tuple[int | None, ...]) -> list[int | None]:
    """Convert milliseconds to the microseconds of the store's timestamps; a time out of range is None."""
    return [None if value is None or not _FIRST <= value <= _LAST else value * 1000 for value in values]


# -- internal errors while a log is read: they are reported with the log, and the other logs are harvested

_LONGEST_ERROR = 500


def describe_error(error: Exception) -> str:
    """Return an internal error as one line: the error and its position in the program, or that a disk is full."""
    if is_full(error):
        return str(full_folder())
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return PLAIN.text(" ".join(f"internal error: {type(error).__name__}: {error}".split()))[:_LONGEST_ERROR] + where


def internal_error_gap(path: str, error: Exception) -> Gap:
    """Return the gap for a log that an internal error kept from being read."""
    hint = full_folder().hint if is_full(error) else "please report it with the log"
    return Gap(GapReason.INTERNAL_ERROR, "", f"{path}: {describe_error(error)}", hint)


FOLDER = ".written"
"""The folder, in the staging folder, of the files that are not adopted yet."""

_TOKEN = ".token"
_WRITTEN = frozenset(table.name for table in (APPLICATIONS, BATCH_SOURCES, EXECUTIONS, GAPS, IO_METRICS, RUN_SNAPSHOTS))
_LEAST_BYTES = 64 << 10
"""Smaller batches go to the driver, which joins those of many tasks in one file."""


class WrittenFile(NamedTuple):
    """A file that a task has written.

    Attributes:
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
            if isinstance(record, Batch) and record.table in _WRITTEN and len(record.payload) >= self.least_bytes:
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
