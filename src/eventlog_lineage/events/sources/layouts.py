"""From the files of one folder to the event logs they make."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from eventlog_lineage.errors import encodable
from eventlog_lineage.model import Gap, GapReason

from . import file_names
from .event_log import EventLog, Layout, LogPart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .filesystems import FileEntry

_MISSING_HINT = (
    "look whether spark.history.fs.cleaner or a copy removed them; harvest rolling logs while they are whole"
)
_COMPACTED_HINT = (
    "harvest before the History Server compacts: more often, or with a higher"
    " spark.history.fs.eventLog.rolling.maxFilesToRetain"
)


def single(entry: FileEntry) -> EventLog:
    """Make the log that is one file."""
    app_id, attempt_id = file_names.application_and_attempt(entry.name)
    part = LogPart(entry.path, entry.size, entry.modified_at, 1, entry.name.endswith(file_names.COMPACT))
    in_progress = entry.name.endswith(file_names.IN_PROGRESS)
    return EventLog(encodable(entry.path), Layout.SINGLE, (part,), encodable(app_id), attempt_id, in_progress)


def unreadable(path: str, reason: str) -> EventLog:
    """Make the log of a place that cannot be listed: no parts, and a problem that says why."""
    hint = "check the path and its permissions, then harvest again"
    gap = Gap(GapReason.UNREADABLE_LOG, "", encodable(reason), hint)
    return EventLog(encodable(path), Layout.SINGLE, (), problems=(gap,))


def logs_of_folder(folder: str, files: Sequence[FileEntry]) -> Iterator[EventLog]:
    """Give the logs that the files of one folder (not of its subfolders) make.

    Args:
        folder: The folder's path, without a slash at its end.
        files: Its files, in any order.

    Yields:
        The rolling or the Databricks log that the folder is, then its other files that can be logs: those whose names
        are Spark's and those whose names say nothing, but no check-sums, outputs of drivers, or data files.
    """
    name = folder.rsplit("/", 1)[-1]
    if name.startswith(file_names.ROLLING_FOLDER) and any(
        file_names.rolling_index(entry.name) is not None for entry in files
    ):
        yield _rolling(folder, files)
        return
    databricks = [entry for entry in files if file_names.databricks_date(entry.name) is not None]
    if databricks:
        yield _databricks(folder, databricks)
    for entry in sorted(files, key=lambda entry: entry.name):
        if file_names.databricks_date(entry.name) is None and not file_names.never_a_log(entry.name):
            yield single(entry)


def _rolling(folder: str, files: Iterable[FileEntry]) -> EventLog:
    """A rolling log (`RollingEventLogFilesFileReader`): numbered events, and an appstatus that tells whether it ended.

    Without an appstatus (copies to object stores lose empty files) the log's own end tells.
    """
    parts, status = [], []
    for entry in files:
        index = file_names.rolling_index(entry.name)
        if index is not None:
            parts.append(
                LogPart(entry.path, entry.size, entry.modified_at, index, entry.name.endswith(file_names.COMPACT))
            )
        elif entry.name.startswith("appstatus_"):
            status.append(entry.name)
    kept = _from_last_compact(parts)
    app_id, attempt_id = file_names.application_and_attempt(folder.rsplit("/", 1)[-1])
    in_progress = bool(status) and all(name.endswith(file_names.IN_PROGRESS) for name in status)
    problems = tuple(_rolling_problems(kept))
    ids = encodable(app_id), encodable(attempt_id)
    return EventLog(encodable(folder), Layout.ROLLING, tuple(kept), *ids, in_progress, problems)


def _from_last_compact(parts: Iterable[LogPart]) -> list[LogPart]:
    """Order by index, and leave out what the last compact file stands for.

    `events_5_x.compact` holds what is left of parts 1 to 5; the originals may still lie beside it.
    """
    ordered = sorted(parts, key=lambda part: (part.index, part.compacted, part.path))
    last = max((place for place, part in enumerate(ordered) if part.compacted), default=0)
    return ordered[last:]


def without_known_parts(log: EventLog, last: int) -> EventLog:
    """Give a log of whose parts those up to the index `last` are known, whatever has become of them meanwhile."""
    known = tuple(replace(part, compacted=False) for part in log.parts if part.index <= last)
    rest = log.parts[len(known) :]
    problems = log.problems
    if log.layout is Layout.ROLLING:
        problems = tuple(_missing_parts(rest, last + 1))
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
    """A Databricks log: dated parts in the order of their names, then the current one.

    Nothing in the names tells an ended cluster from a running one; while the current part lies there the log
    counts as in progress until an end is read in it. `reading.settle_order` looks at the rollover numbers.
    """
    ordered = sorted(files, key=lambda entry: (file_names.databricks_date(entry.name) or "", entry.name))
    parts = tuple(LogPart(entry.path, entry.size, entry.modified_at, place) for place, entry in enumerate(ordered, 1))
    return EventLog(encodable(folder), Layout.DATABRICKS, parts, in_progress=ordered[-1].name == "eventlog")


def reordered(log: EventLog, parts: Iterable[LogPart]) -> EventLog:
    """Give the log with its parts in another order, numbered anew from 1."""
    return replace(log, parts=tuple(replace(part, index=place) for place, part in enumerate(parts, 1)))
