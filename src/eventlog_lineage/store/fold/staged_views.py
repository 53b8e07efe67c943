"""Read a harvest's staging folder: views over its files, distinct ids of applications, times later than the harvest."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.store.fold.steps import Fold, python_step
from eventlog_lineage.store.schema.declaration import SUFFIX, TIME, Column, Row, Table
from eventlog_lineage.store.schema.relations import arrow_schema, count_of, no_rows, quoted, sql_text, text_literal
from eventlog_lineage.store.schema.tables import (
    APPLICATIONS,
    EXECUTIONS,
    GAPS,
    HARVEST_TABLES,
    HARVESTED_LOGS,
    TABLE_COMMITS,
)

if TYPE_CHECKING:
    import duckdb


_TIMES_OF_FILES = frozenset({HARVESTED_LOGS.name, TABLE_COMMITS.name})
"""Tables whose times are not those of a driver's clock."""


@python_step(reads="application_ids", makes=" ".join(f"staged_{table.name}" for table in HARVEST_TABLES))
def view_staging(fold: Fold) -> None:
    """Make a temporary view `staged_<table>` for each table of the harvest.

    A time later than the harvest is NULL. A table without files has no rows.
    """
    named = count_of(fold.connection, "FROM application_ids") > 0
    for table in HARVEST_TABLES:
        _view(fold, table, named)


@python_step(makes=f"staged_{HARVESTED_LOGS.name}")
def view_staged_logs(fold: Fold) -> None:
    """Make the temporary view of the logs of a harvest that has none."""
    _view(fold, HARVESTED_LOGS, named=False)


def _view(fold: Fold, table: Table, named: bool) -> None:
    """Make the temporary view or table of a table of the harvest."""
    name = quoted(f"staged_{table.name}")
    files = _files(fold.staging, table)
    if not files:
        fold.connection.execute(f"CREATE TEMP TABLE {name} AS {no_rows(table)}")
        return
    selected = select_staged(fold.staging, table, None if table.name in _TIMES_OF_FILES else fold.latest)
    if {"app_id", "attempt_id"} <= set(table.column_names):
        selected = f"SELECT {', '.join(_with_id(column, named) for column in table.columns)} FROM ({selected}) s"
    fold.connection.execute(f"CREATE TEMP VIEW {name} AS {selected}")


def select_staged(staging: Path, table: Table, latest: datetime | None = None) -> str:
    """Return a query for a harvest's rows of a table, with all columns; ids are those of the files.

    Args:
        latest: Times after this one are NULL, and the durations that end with them; None for all times as they are.
    """
    if not _files(staging, table):
        return no_rows(table)
    selected = ", ".join(f"{_value(column, table, latest)} AS {quoted(column.name)}" for column in table.columns)
    return f"SELECT {selected} FROM read_parquet({text_literal(f'{glob.escape(str(staging / table.name))}/*.parquet')})"


def stage_rows(staging: Path, table: Table, name: str, rows: Sequence[Row]) -> None:
    """Add rows to a harvest's."""
    if rows:
        folder = staging / table.name
        folder.mkdir(exist_ok=True)
        columns = [list(values) for values in zip(*rows, strict=True)]
        made = pa.table(columns, schema=arrow_schema(table))
        pq.write_table(made, folder / f"{name}.parquet")


def _files(staging: Path, table: Table) -> list[Path]:
    folder = staging / table.name
    return sorted(folder.glob("*.parquet")) if folder.is_dir() else []


def _value(column: Column, table: Table, latest: datetime | None) -> str:
    name = quoted(column.name)
    if latest is None:
        return name
    until = f"TIMESTAMP '{latest:%Y-%m-%d %H:%M:%S}'"
    if column.type == TIME:
        return f"CASE WHEN {name} <= {until} THEN {name} END"
    if table is EXECUTIONS and column.name == "duration_ms":
        return f"CASE WHEN started_at <= {until} AND ended_at <= {until} THEN duration_ms END"
    return name


def _with_id(column: Column, named: bool) -> str:
    if column.name != "app_id":
        return f"s.{quoted(column.name)}"
    own = f"regexp_replace(s.app_id, '{SUFFIX}', '')"
    if not named:
        return f"{own} AS app_id"
    given = "SELECT i.app_id FROM application_ids i WHERE i.staged_id = s.app_id AND i.attempt_id = s.attempt_id"
    return f"coalesce(({given}), {own}) AS app_id"


_MASKED = "***"
_CUT = 900
"""Characters of a name that are compared: the versions of this program cut names at different lengths."""

_SHOWN = 200

_HINT = (
    "the store has them as two applications; if one of the logs is forged, remove it and harvest into a new store,"
    " else set spark.app.id to an id that is unique among your clusters"
)


@dataclass(frozen=True, slots=True)
class _Application:
    """An application of a harvest or of the store.

    Attributes:
        own_id: The id in the harvest's rows, or in the store.
        started_at: When it started; None if that is unknown.
        log_path: Its log; empty if that is unknown.
    """

    own_id: str
    started_at: datetime | None
    name: str
    log_path: str

    def is_same(self, other: _Application) -> bool:
        """Return whether two logs are of one application: a second copy, or the same log when it has grown.

        The name can be masked by other rules than before: then the path decides.
        """
        if None not in (self.started_at, other.started_at) and self.started_at != other.started_at:
            return False
        return _agree(self.name, other.name) or bool(self.log_path and self.log_path == other.log_path)


@python_step(reads="applications dropped_applications", makes="application_ids")
def identify_applications(fold: Fold) -> None:
    """Make `application_ids`: the ids of staged applications that have another id in the store than in their logs.

    An application keeps the id of its log unless the store or an earlier application of the harvest has it already. The
    other one's id ends with a part that only depends on its start and its name, so that it is the same in every store.
    """
    connection = fold.connection
    columns = "staged_id VARCHAR, attempt_id VARCHAR, app_id VARCHAR"
    connection.execute(f"CREATE OR REPLACE TEMP TABLE application_ids ({columns})")
    if not fold.has_staged(APPLICATIONS.name):
        return
    staged = select_staged(fold.staging, APPLICATIONS)
    rows = connection.execute(sql_text("queries/application_groups", suffix=SUFFIX, staged=staged)).fetchall()
    gaps = []
    for (app_id, attempt_id), group in groupby(rows, key=lambda row: (row[0], row[1])):
        applications = [(row[2], _Application(*row[3:])) for row in group]
        for application, given, first in _identified(app_id, applications):
            connection.execute("INSERT INTO application_ids VALUES (?, ?, ?)", [application.own_id, attempt_id, given])
            gap = _gap(app_id, application, first)
            gaps.append(GAPS.row.of(gap, app_id=given, attempt_id=attempt_id, execution_id=None))
    stage_rows(fold.staging, GAPS, "application_ids", gaps)


def _identified(
    app_id: str, applications: Iterable[tuple[bool, _Application]]
) -> Iterator[tuple[_Application, str, _Application]]:
    """Yield the staged applications that have not the id of their log, their id, and the application that has it."""
    known: dict[str, list[_Application]] = {}
    given: dict[str, str] = {}
    for is_staged, application in applications:
        if not is_staged:
            known.setdefault(application.own_id, []).append(application)
            continue
        own_id = given.get(application.own_id)
        if own_id is None:
            own_id = given[application.own_id] = _find(application, known) or (
                app_id if app_id not in known else _distinct(app_id, application)
            )
            if own_id != app_id:
                yield application, own_id, known[app_id][0]
        known.setdefault(own_id, []).append(application)


def _find(application: _Application, known: dict[str, list[_Application]]) -> str | None:
    """Return the id of the known application that a staged one is; one with the same start or path is preferred."""
    same = [
        (each.started_at != application.started_at, each.log_path != application.log_path, number, own_id)
        for number, (own_id, seen) in enumerate(known.items())
        if all(application.is_same(other) for other in seen)
        for each in seen
    ]
    return min(same)[-1] if same else None


def _distinct(app_id: str, application: _Application) -> str:
    text = f"{application.started_at}\n{application.name}"
    return f"{app_id}~{sha256(text.encode(errors='replace')).hexdigest()[:8]}"


def _agree(name: str, other: str) -> bool:
    """Return whether two names are the same, as far as neither is unknown, masked or cut."""
    known = min(len(text.partition(_MASKED)[0]) if _MASKED in text else _CUT for text in (name, other))
    return not name or not other or name[:known] == other[:known]


def _gap(app_id: str, application: _Application, first: _Application) -> Gap:
    name, other = (
        f"'{each.name[:_SHOWN]}', started {each.started_at or 'at an unknown time'}" for each in (application, first)
    )
    return Gap(GapReason.REPEATED_APPLICATION_ID, "", f"{app_id} is the id of {name}, and of {other}", _HINT)


_CLOCKS_DIFFER = timedelta(minutes=5)
"""By how much the clock of a driver may be ahead of the harvest's."""

_CLOCK_HINT = "check the driver's clock and the log; the store has these times as unknown"


def latest_time(connection: duckdb.DuckDBPyConnection, started_at: datetime) -> datetime:
    """Return the latest time in a log that is trusted: that of the latest harvest, with a margin.

    That is this harvest, unless the clock was set back since the one before.
    """
    (before,) = connection.execute("SELECT max(started_at) FROM harvests").fetchone() or (None,)
    now = datetime.now(timezone.utc).replace(tzinfo=None)
    return max(started_at, before or now, now) + _CLOCKS_DIFFER


@python_step(reads="application_ids")
def report_later_times(fold: Fold) -> None:
    """Add a gap for each application with times later than the harvest; `view_staging` takes them for unknown."""
    if fold.latest is None:
        return
    selected = {table.name: select_staged(fold.staging, table) for table in (APPLICATIONS, EXECUTIONS)}
    query = sql_text("queries/later_times", suffix=SUFFIX, **selected)
    rows = []
    for app_id, attempt_id, count, time in fold.connection.execute(query, [fold.latest]).fetchall():
        detail = f"{count} times are later than the harvest, the latest is {time:%Y-%m-%d %H:%M:%S} UTC"
        gap = Gap(GapReason.LATER_THAN_HARVEST, "", detail, _CLOCK_HINT)
        rows.append(GAPS.row.of(gap, app_id=app_id, attempt_id=attempt_id, execution_id=None))
    stage_rows(fold.staging, GAPS, "later_times", rows)
