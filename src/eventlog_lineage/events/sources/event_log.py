"""An event log as it lies in storage: its parts, its layout, and what its names say."""

from __future__ import annotations

from dataclasses import dataclass

from eventlog_lineage.model import Gap, Word


class Layout(Word):
    """How a log is spread over files.

    `single` is one file (`SingleEventLogFileWriter`), `rolling` Spark's `eventlog_v2_*` folder
    (`RollingEventLogFilesWriter`, 3.0+), `databricks` a folder of `eventlog` and `eventlog-<date>.gz`.
    """

    SINGLE = "single"
    ROLLING = "rolling"
    DATABRICKS = "databricks"


@dataclass(frozen=True, slots=True)
class LogPart:
    """One file of a log.

    Attributes:
        path: A local path or a URI, to be given to `storage.open_part`.
        size: Bytes, as stored.
        modified_at: Epoch milliseconds; None where the storage does not say.
        index: Its place in the log, ascending; Spark's own number in a rolling log, else counted from 1.
        compacted: The History Server rewrote it and left finished statements out (`.compact`).
    """

    path: str
    size: int
    modified_at: int | None
    index: int
    compacted: bool = False


@dataclass(frozen=True, slots=True)
class EventLog:
    """A log of one application attempt.

    Attributes:
        path: Names the log: the absolute path or URI of the file, or of the folder that holds its parts. Bytes that
            are not UTF-8 are escaped; parts keep them.
        layout: How it is spread over files.
        parts: In the order in which they were written.
        app_id: The application as the names tell it; empty where they do not. The log itself knows better.
        attempt_id: The attempt, likewise.
        in_progress: By the names it is still being written (or its driver died: Spark leaves `.inprogress` then).
        problems: What was wrong with it when it was listed: missing parts, compaction, no permission.
    """

    path: str
    layout: Layout
    parts: tuple[LogPart, ...]
    app_id: str = ""
    attempt_id: str = ""
    in_progress: bool = False
    problems: tuple[Gap, ...] = ()

    @property
    def size(self) -> int:
        """Bytes of all its parts, as stored."""
        return sum(part.size for part in self.parts)

    @property
    def modified_at(self) -> int | None:
        """Epoch milliseconds of its newest part; None where the storage does not say."""
        return max((part.modified_at for part in self.parts if part.modified_at is not None), default=None)
