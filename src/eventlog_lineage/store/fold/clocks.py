"""Report times that are later than the harvest: a driver's clock was wrong, or the log is forged."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.store.schema.staged_ids import SUFFIX
from eventlog_lineage.store.schema.store_facts import read_fact, write_fact
from eventlog_lineage.store.schema.tables import APPLICATIONS, EXECUTIONS, GAPS

from .staged_views import may_be_later, select_staged, stage_rows
from .steps import Fold, python_step

if TYPE_CHECKING:
    import duckdb

_CLOCKS_DIFFER = timedelta(minutes=5)
"""By how much the clock of a driver may be ahead of the harvest's."""

_MARGIN = "clock_margin"
"""The fact that has the seconds by which a stored time can be later than its harvest."""

_HINT = "check the driver's clock and the log; the store has these times as unknown"

_LATER = """
    WITH times AS (
        SELECT app_id, attempt_id, started_at AS time FROM ({applications})
        UNION ALL SELECT app_id, attempt_id, ended_at FROM ({applications})
        UNION ALL SELECT app_id, attempt_id, started_at FROM ({executions})
        UNION ALL SELECT app_id, attempt_id, ended_at FROM ({executions})
    )
    SELECT coalesce(any_value(i.app_id), regexp_replace(t.app_id, '{suffix}', '')), t.attempt_id, count(*), max(t.time)
    FROM times t LEFT JOIN application_ids i ON i.staged_id = t.app_id AND i.attempt_id = t.attempt_id
    WHERE t.time > ?
    GROUP BY t.app_id, t.attempt_id
    ORDER BY ALL
"""


def latest_time(connection: duckdb.DuckDBPyConnection, started_at: datetime) -> datetime:
    """Return the latest time in a log that is trusted: that of the latest harvest, with a margin.

    That is this harvest, unless the clock was set back since the one before.

    Args:
        connection: The store's database.
        started_at: When the harvest began.
    """
    (before,) = connection.execute("SELECT max(started_at) FROM harvests").fetchone() or (None,)
    now = datetime.now(timezone.utc).replace(tzinfo=None)
    return max(started_at, before or now, now) + _CLOCKS_DIFFER


def has_bounded_times(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether no stored time is later than its harvest by more than clocks may differ.

    An earlier release stored such times: the next harvest corrects them, once.

    Args:
        connection: The store's database.
    """
    margin = read_fact(connection, _MARGIN)
    return margin is not None and int(margin) <= _CLOCKS_DIFFER.total_seconds()


@python_step(reads="application_ids", changes="store_facts")
def report_later_times(fold: Fold) -> None:
    """Add a gap for each application with times later than the harvest; `view_staging` takes them for unknown."""
    latest = fold.latest
    if latest is None:
        return
    write_fact(fold.connection, _MARGIN, f"{_CLOCKS_DIFFER.total_seconds():.0f}")
    if any(may_be_later(fold.staging, table, latest) for table in (APPLICATIONS, EXECUTIONS)):
        rows = []
        for app_id, attempt_id, gap in _gaps(fold):
            rows.append(GAPS.row.of(gap, app_id=app_id, attempt_id=attempt_id, execution_id=None))
        stage_rows(fold.staging, GAPS, "later_times", rows)


def _gaps(fold: Fold) -> Iterator[tuple[str, str, Gap]]:
    """Yield application, attempt and gap."""
    selected = {table.name: select_staged(fold.staging, table) for table in (APPLICATIONS, EXECUTIONS)}
    query = _LATER.format(suffix=SUFFIX, **selected)
    for app_id, attempt_id, count, time in fold.connection.execute(query, [fold.latest]).fetchall():
        detail = f"{count} times are later than the harvest, the latest is {time:%Y-%m-%d %H:%M:%S} UTC"
        yield app_id, attempt_id, Gap(GapReason.LATER_THAN_HARVEST, "", detail, _HINT)
