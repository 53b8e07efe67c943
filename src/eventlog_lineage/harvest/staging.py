"""The staging folder: what a harvest found, as Parquet, before the store takes it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ..store.checkpoints import checkpoint_file
from ..store.tables import HARVESTED_LOGS, SEEN_DATASETS, SEEN_PLACES
from .batches import unpack
from .checkpoints import Checkpoint


class Staging:
    """Writes batches to `FOLDER/<table>/<n>.parquet`, and counts the logs that pass by.

    Attributes:
        states: State to number of logs.
        unreadable: (path, reason) of the logs that gave nothing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0
        self.states: Counter[str] = Counter()
        self.unreadable: list[tuple[str, str]] = []

    def add(self, table: str, payload: bytes) -> None:
        """Writes a batch of a table's rows (an Arrow IPC stream)."""
        rows = unpack(payload)
        if table == HARVESTED_LOGS.name:
            self._note_logs(rows)
        folder = self._folder / table
        folder.mkdir(parents=True, exist_ok=True)
        self._count += 1
        pq.write_table(rows, folder / f"{self._count:06}.parquet", compression="zstd")

    def leave_off(self, checkpoint: Checkpoint) -> None:
        """Keeps where the next harvest of a log goes on."""
        file = checkpoint_file(self._folder, checkpoint.log_path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(checkpoint.payload)

    def _note_logs(self, rows: pa.Table) -> None:
        for row in rows.select(["log_path", "state", "error"]).to_pylist():
            self.states[row["state"]] += 1
            if row["state"] == "unreadable":
                self.unreadable.append((row["log_path"], row["error"] or "no reason is known"))

    def places(self) -> set[str]:
        """The places of tables' files that were seen, by a table's name or without one."""
        found: set[str] = set()
        for table in (SEEN_PLACES, SEEN_DATASETS):
            for file in (self._folder / table.name).glob("*.parquet"):
                found.update(pq.read_table(file, columns=["location"])["location"].to_pylist())
        return {place for place in found if place}
