"""What the names of files and folders say of event logs.

Spark makes the names in `EventLogFileWriters.scala`: `<app>[_<attempt>][.<codec>][.inprogress]` for a file,
`eventlog_v2_<app>[_<attempt>]/events_<N>_<app>[_<attempt>][.<codec>][.compact]` for a rolling log, with an
empty `appstatus_<app>[_<attempt>][.inprogress]` beside the events that tells whether the application ended.
Dots in ids are replaced, so the first dot of a name begins its suffixes.
"""

from __future__ import annotations

import re

ROLLING_FOLDER = "eventlog_v2_"
COMPACT = ".compact"
IN_PROGRESS = ".inprogress"

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
    """Return whether Hadoop hides the name: it starts with `.` or `_`."""
    return name.startswith((".", "_"))


def never_a_log(name: str) -> bool:
    """Return whether a file of this name is surely no event log: check-sums, drivers' output, data files."""
    return _NEVER_LOGS.fullmatch(name) is not None


def log_like(name: str) -> bool:
    """Return whether a file of this name is taken for an event log without a look inside."""
    return _LOG_LIKE.fullmatch(name) is not None


def application_and_attempt(name: str) -> tuple[str, str]:
    """Split a file's or rolling folder's name into the ids of application and attempt, as far as it tells them.

    An id of another scheduler cannot be told from an id with an attempt: it is given whole, without attempt.
    """
    stem = name.removeprefix(ROLLING_FOLDER).split(".", 1)[0]
    if known := _IDS.fullmatch(stem):
        return known[1], known[2] or ""
    return (stem, "") if name.startswith(ROLLING_FOLDER) else ("", "")


def rolling_index(name: str) -> int | None:
    """Give N of `events_<N>_…`; None for other files."""
    matched = _EVENTS.match(name)
    return int(matched[1]) if matched else None


def databricks_date(name: str) -> str | None:
    """Give the date in a Databricks part's name, `~` (after all dates) for the current one, None for other files."""
    matched = _DATABRICKS.fullmatch(name)
    return (matched[1] or "~") if matched else None
