"""An event log in storage: its parts, its layout, and the facts in its names."""

from __future__ import annotations

from dataclasses import dataclass

from eventlog_lineage.model import Gap, Word


class Layout(Word):
    """The layout of a log's files.

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
        path: A local path or a URI, for `discovery.open_part`.
        size: Bytes, as stored.
        modified_at: Epoch milliseconds; None if unknown.
        index: Its position in the log, ascending; Spark's own number in a rolling log, else counted from 1.
        compacted: The History Server rewrote it without finished statements (`.compact`).
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
        path: Identifies the log: the absolute path or URI of the file, or of the folder of its parts. Bytes that are
            not UTF-8 are escaped; parts keep them.
        layout: The layout of its files.
        parts: In the order in which they were written.
        app_id: The application, from the names; empty if they do not have it. Events take precedence.
        attempt_id: The attempt, from the names.
        in_progress: By the names, it is still being written (or its driver died: Spark leaves `.inprogress` then).
        problems: Problems when it was listed: missing parts, compaction, no permission.
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
        """Bytes of all parts, as stored."""
        return sum(part.size for part in self.parts)

    @property
    def modified_at(self) -> int | None:
        """Epoch milliseconds of the newest part; None if unknown."""
        return max((part.modified_at for part in self.parts if part.modified_at is not None), default=None)
