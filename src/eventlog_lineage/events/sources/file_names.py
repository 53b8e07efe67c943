"""Parse the names of files and folders of event logs.

Spark makes the names in `EventLogFileWriters.scala`: `<app>[_<attempt>][.<codec>][.inprogress]` for a file,
`eventlog_v2_<app>[_<attempt>]/events_<N>_<app>[_<attempt>][.<codec>][.compact]` for a rolling log, with an
empty `appstatus_<app>[_<attempt>][.inprogress]` next to the events, which shows whether the application has ended.
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
