"""An event log in storage: its parts and their layout, and the grouping of a folder's files into logs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from eventlog_lineage.errors import encodable
from eventlog_lineage.model import Gap, GapReason, Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Layout(Word):
    """The layout of a log's files.

    `single` is one file (`SingleEventLogFileWriter`), `rolling` Spark's `eventlog_v2_*` folder
    (`RollingEventLogFilesWriter`, 3.0+), `databricks` a folder of `eventlog` and `eventlog-<date>.gz`.
    """

    SINGLE = "single"
    ROLLING = "rolling"
    DATABRICKS = "databricks"


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file in a listing: path or URI, bytes, epoch milliseconds."""

    path: str
    size: int
    modified_at: int | None

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rsplit("/", 1)[-1]


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


ROLLING_FOLDER = "eventlog_v2_"
COMPACT = ".compact"
IN_PROGRESS = ".inprogress"

SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")
"""What a URI begins with; a path without a scheme is local."""
_EVENTS = re.compile(r"events_(\d+)_")
_DATABRICKS = re.compile(r"eventlog(?:-(\d{4}-\d\d-\d\d--\d\d-\d\d)(?:[-_.][^/]*)?)?")
_IDS = re.compile(r"(application_\d+_\d+|app-\d+-\d+|local-\d+|spark-[0-9a-f]{32}|spark-application-\d+)(?:_(\d+))?")
_LOG_LIKE = re.compile(
    r"(?:application_\d|app-\d|local-\d|spark-[0-9a-f]{32}|spark-application-|jr_[0-9a-f]|eventlog)[^.]*"
    r"(?:\.(?:zstd|lz4|snappy|lzf|gz))?(?:\.inprogress)?"
    r"|.+\.(?:zstd|lz4|snappy|lzf)(?:\.inprogress)?|.+\.inprogress"
)
_NEVER_LOGS = re.compile(
    r"[._].*|.*(?:stdout|stderr|log4j|\.log\.).*|appstatus_.*"
    r"|.*\.(?:crc|parquet|orc|avro|csv|tsv|jar|py|whl|egg|class|md|html?|xml|ya?ml|conf|properties|pdf|png|jpe?g|svg"
    r"|sql|scala|java|sh|tmp|swp|db|duckdb|lock|pid|log)(?:\.(?:gz|zst|bz2))?",
    re.IGNORECASE,
)


def hidden(name: str) -> bool:
    """Return whether Hadoop hides the name: it starts with `.` or `_`.

    >>> hidden("_SUCCESS"), hidden("part-0.zstd")
    (True, False)
    """
    return name.startswith((".", "_"))


def never_a_log(name: str) -> bool:
    """Return whether a file with this name is never an event log: checksums, drivers' output, data files.

    >>> never_a_log("part-0.parquet"), never_a_log("local-1700000000000")
    (True, False)
    """
    return _NEVER_LOGS.fullmatch(name) is not None


def log_like(name: str) -> bool:
    """Return whether a file with this name is treated as an event log without opening it.

    >>> log_like("application_1700000000000_0001.zstd"), log_like("notes")
    (True, False)
    """
    return _LOG_LIKE.fullmatch(name) is not None


def application_and_attempt(name: str) -> tuple[str, str]:
    """Return the ids of application and attempt in the name of a file or a rolling folder; empty if it has none.

    An unknown scheduler's id may contain what looks like an attempt: it is returned as a whole, without attempt.

    >>> application_and_attempt("application_1700000000000_0001_2.zstd")
    ('application_1700000000000_0001', '2')
    """
    stem = name.removeprefix(ROLLING_FOLDER).split(".", 1)[0]
    if known := _IDS.fullmatch(stem):
        return known[1], known[2] or ""
    return (stem, "") if name.startswith(ROLLING_FOLDER) else ("", "")


def rolling_index(name: str) -> int | None:
    """Return N of `events_<N>_…`; None for other files.

    >>> rolling_index("events_12_local-1.zstd"), rolling_index("appstatus_local-1")
    (12, None)
    """
    matched = _EVENTS.match(name)
    return int(matched[1]) if matched else None


def databricks_date(name: str) -> str | None:
    """Return the date in the name of a Databricks part, `~` (after all dates) for the current one; None for others.

    >>> databricks_date("eventlog-2026-11-21--10-00.gz"), databricks_date("eventlog")
    ('2026-11-21--10-00', '~')
    """
    matched = _DATABRICKS.fullmatch(name)
    return (matched[1] or "~") if matched else None


_MISSING_HINT = (
    "look whether spark.history.fs.cleaner or a copy removed them; harvest rolling logs while they are whole"
)
_COMPACTED_HINT = (
    "harvest before the History Server compacts: more often, or with a higher"
    " spark.history.fs.eventLog.rolling.maxFilesToRetain"
)


def single(entry: FileEntry) -> EventLog:
    """Return the log of a single file."""
    app_id, attempt_id = application_and_attempt(entry.name)
    part = LogPart(entry.path, entry.size, entry.modified_at, 1, entry.name.endswith(COMPACT))
    in_progress = entry.name.endswith(IN_PROGRESS)
    return EventLog(encodable(entry.path), Layout.SINGLE, (part,), encodable(app_id), attempt_id, in_progress)


def unreadable(path: str, reason: str) -> EventLog:
    """Return the log of a path that cannot be listed or read: without parts, with the reason."""
    hint = "check the path and its permissions, then harvest again"
    gap = Gap(GapReason.UNREADABLE_LOG, "", encodable(reason), hint)
    return EventLog(encodable(path), Layout.SINGLE, (), problems=(gap,))


def logs_of_folder(folder: str, files: Sequence[FileEntry]) -> Iterator[EventLog]:
    """Yield the logs in one folder, without its subfolders.

    Yields:
        The rolling or the Databricks log of the folder, then its other files that can be logs: all files except
        checksums, drivers' output and data files.
    """
    name = folder.rsplit("/", 1)[-1]
    if name.startswith(ROLLING_FOLDER) and any(rolling_index(entry.name) is not None for entry in files):
        yield _rolling(folder, files)
        return
    databricks = [entry for entry in files if databricks_date(entry.name) is not None]
    if databricks:
        yield _databricks(folder, databricks)
    for entry in sorted(files, key=lambda entry: entry.name):
        if databricks_date(entry.name) is None and not never_a_log(entry.name):
            yield single(entry)


def _rolling(folder: str, files: Iterable[FileEntry]) -> EventLog:
    """Return a rolling log (`RollingEventLogFilesFileReader`): numbered parts, and an appstatus that shows its end.

    Without an appstatus (copies to object stores lose empty files), the log's last event decides.
    """
    parts, status = [], []
    for entry in files:
        index = rolling_index(entry.name)
        if index is not None:
            parts.append(LogPart(entry.path, entry.size, entry.modified_at, index, entry.name.endswith(COMPACT)))
        elif entry.name.startswith("appstatus_"):
            status.append(entry.name)
    kept = _from_last_compact(parts)
    app_id, attempt_id = application_and_attempt(folder.rsplit("/", 1)[-1])
    in_progress = bool(status) and all(name.endswith(IN_PROGRESS) for name in status)
    problems = tuple(_rolling_problems(kept))
    ids = encodable(app_id), encodable(attempt_id)
    return EventLog(encodable(folder), Layout.ROLLING, tuple(kept), *ids, in_progress, problems)


def _from_last_compact(parts: Iterable[LogPart]) -> list[LogPart]:
    """Order parts by index, without those that the last compact file replaces.

    `events_5_x.compact` contains the rest of parts 1 to 5, which may still exist next to it.
    """
    ordered = sorted(parts, key=lambda part: (part.index, part.compacted, part.path))
    last = max((index for index, part in enumerate(ordered) if part.compacted), default=0)
    return ordered[last:]


def without_known_parts(log: EventLog, last: int) -> EventLog:
    """Return a log whose first parts were already read; later changes of these parts are ignored."""
    known = tuple(replace(part, compacted=False) for part in log.parts if part.index <= last)
    rest = log.parts[len(known) :]
    problems = tuple(_missing_parts(rest, last + 1)) if log.layout is Layout.ROLLING else log.problems
    return replace(log, parts=known + rest, problems=problems)


def _rolling_problems(parts: Sequence[LogPart]) -> Iterator[Gap]:
    first = parts[0]
    if first.compacted:
        detail = f"parts 1 to {first.index} were compacted: their finished statements are gone"
        yield Gap(GapReason.COMPACTED_LOG, "", detail, _COMPACTED_HINT)
    yield from _missing_parts(parts, first.index if first.compacted else 1)


def _missing_parts(parts: Sequence[LogPart], expected: int) -> Iterator[Gap]:
    for part in parts:
        if part.index > expected:
            span = f"part {expected} is" if part.index == expected + 1 else f"parts {expected} to {part.index - 1} are"
            yield Gap(GapReason.MISSING_PARTS, "", f"{span} missing", _MISSING_HINT)
        expected = part.index + 1


def _databricks(folder: str, files: Iterable[FileEntry]) -> EventLog:
    """Return a Databricks log: dated parts in the order of their names, then the current one.

    The names do not show whether the cluster has ended: with a current part, the log is in progress until an end is
    read in it. `reading.settle_order` checks the rollover numbers.
    """
    ordered = sorted(files, key=lambda entry: (databricks_date(entry.name) or "", entry.name))
    parts = tuple(LogPart(entry.path, entry.size, entry.modified_at, index) for index, entry in enumerate(ordered, 1))
    return EventLog(encodable(folder), Layout.DATABRICKS, parts, in_progress=ordered[-1].name == "eventlog")


def reordered(log: EventLog, parts: Iterable[LogPart]) -> EventLog:
    """Return a log with its parts in another order, numbered from 1."""
    return replace(log, parts=tuple(replace(part, index=index) for index, part in enumerate(parts, 1)))
