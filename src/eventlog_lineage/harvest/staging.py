"""The staging folder: the rows of a harvest as Parquet, before the store merges them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from eventlog_lineage.errors import StoreError
from eventlog_lineage.harvest.checkpoints import Checkpoint
from eventlog_lineage.harvest.row_batches import RowBatches, unpack
from eventlog_lineage.store.schema.declaration import Row, Table
from eventlog_lineage.store.schema.tables import HARVESTED_LOGS, SEEN_PLACES, SHOWN_DATASETS
from eventlog_lineage.store.versions.parquet import checkpoint_file

_FILE_BYTES = 8 << 20
"""Bytes of a table's rows, as Arrow holds them, that go into one file: small ones cost more to open than to read."""


class Staging:
    """Writes batches to `FOLDER/<table>/<n>.parquet`, and counts the logs in them.

    Its methods raise StoreError if the folder cannot be written any more. All batches are on the disk after `flush`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self._waiting: dict[str, list[pa.Table]] = {}
        self._bytes: Counter[str] = Counter()
        self.states: Counter[str] = Counter()
        self.unreadable: list[tuple[str, str]] = []

    def add(self, table: str, payload: bytes) -> None:
        """Take a batch of a table's rows."""
        rows = unpack(payload)
        if table == HARVESTED_LOGS.name:
            self._note_logs(rows)
        self._waiting.setdefault(table, []).append(rows)
        self._bytes[table] += rows.nbytes
        if self._bytes[table] >= _FILE_BYTES:
            self._write(table)

    def add_rows(self, rows: Iterable[tuple[Table, Row]]) -> None:
        """Take rows, each with its table."""
        batches = RowBatches()
        for table, row in rows:
            batches.add(table, row)
        for name, payload in batches.rest():
            self.add(name, payload)

    def flush(self) -> None:
        """Write the batches that are not on the disk yet."""
        for table in list(self._waiting):
            self._write(table)

    def _write(self, table: str) -> None:
        rows = pa.concat_tables(self._waiting.pop(table))
        del self._bytes[table]
        folder = self._folder / table
        self._count += 1
        with self._written():
            folder.mkdir(exist_ok=True)
            pq.write_table(rows, folder / f"{self._count:06}.parquet", compression="zstd")

    def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Write down where the next harvest of a log resumes."""
        file = checkpoint_file(self._folder, checkpoint.log_path)
        with self._written():
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(checkpoint.payload)

    @contextmanager
    def _written(self) -> Iterator[None]:
        """Report a folder that cannot be written; a missing one is not made again: its file system may be unmounted."""
        try:
            yield
        except OSError as error:
            raise StoreError(
                f"the staging folder cannot be written: {error}", str(self._folder), "the store is as it was before"
            ) from error

    def _note_logs(self, rows: pa.Table) -> None:
        for row in rows.select(["log_path", "state", "error"]).to_pylist():
            self.states[row["state"]] += 1
            if row["state"] == "unreadable":
                self.unreadable.append((row["log_path"], row["error"] or "unknown reason"))

    def locations(self) -> set[str]:
        """Return the locations of datasets in the staged rows."""
        self.flush()
        found: set[str] = set()
        for table in (SEEN_PLACES, SHOWN_DATASETS):
            for file in (self._folder / table.name).glob("*.parquet"):
                found.update(pq.read_table(file, columns=["location"])["location"].to_pylist())
        return {location for location in found if location}
