"""Rows as Arrow record batches, table by table: the form in which they leave an executor.

Executors import this module: it imports no DuckDB.
"""

from __future__ import annotations

import errno
import shutil
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath

import pyarrow as pa
import zstandard

from eventlog_lineage.errors import FullFolderError
from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.redaction import PLAIN
from eventlog_lineage.store.schema.declaration import TIME, Row, Table
from eventlog_lineage.store.schema.relations import arrow_schema
from eventlog_lineage.store.schema.tables import HARVEST_TABLES

_NUMBERS = frozenset({errno.ENOSPC, errno.EDQUOT})
_WORDS = ("No space left on device", "Disk quota exceeded")


def is_full(error: BaseException, printed: str = "") -> bool:
    """Return whether a disk is full; Java's errors have the system's words in their text."""
    return getattr(error, "errno", None) in _NUMBERS or any(each in f"{printed}\n{error}" for each in _WORDS)


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
