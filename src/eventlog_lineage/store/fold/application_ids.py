"""Distinguish applications that have the same id: two that differ in start or name are two, each with its own id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import groupby

from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.store.schema.staged_ids import SUFFIX
from eventlog_lineage.store.schema.tables import APPLICATIONS, GAPS

from .staged_views import select_staged, stage_rows, staged_columns
from .steps import Fold, python_step

_MASKED = "***"
_CUT = 900
"""Characters of a name that are compared: the versions of this program cut names at different lengths."""

_SHOWN = 200

_FEW = 10_000
"""Applications up to which their ids are compared in Python."""

_HINT = (
    "the store has them as two applications; if one of the logs is forged, remove it and harvest into a new store,"
    " else set spark.app.id to an id that is unique among your clusters"
)

_GROUPS = """
    WITH staged AS (
        SELECT app_id AS own_id, regexp_replace(app_id, '{suffix}', '') AS app_id, attempt_id, started_at,
               coalesce(app_name, '') AS app_name, coalesce(log_path, '') AS log_path
        FROM ({staged})
    ),
    named AS MATERIALIZED (
        SELECT app_id AS own_id, attempt_id, started_at, coalesce(app_name, '') AS app_name,
               coalesce(log_path, '') AS log_path
        FROM applications
        WHERE app_id IN (SELECT app_id FROM staged)
           OR (app_id[-9] = '~' AND app_id[:-10] IN (SELECT app_id FROM staged))
        UNION ALL
        SELECT app_id, attempt_id, started_at, coalesce(app_name, ''), '' FROM dropped_applications
    ),
    stored AS (
        SELECT own_id AS app_id, * FROM named
        UNION ALL
        SELECT own_id[:-10] AS app_id, * FROM named WHERE regexp_matches(own_id, '~[0-9a-f]{{8}}$')
    ),
    several AS (
        SELECT app_id, attempt_id FROM staged GROUP BY ALL HAVING count(DISTINCT own_id) > 1
        UNION
        SELECT s.app_id, s.attempt_id FROM staged s JOIN stored t USING (app_id, attempt_id)
        WHERE t.own_id <> s.app_id OR t.started_at IS DISTINCT FROM s.started_at OR t.app_name <> s.app_name
    )
    SELECT app_id, attempt_id, is_staged, own_id, started_at, app_name, log_path
    FROM (SELECT true AS is_staged, * FROM staged UNION ALL BY NAME SELECT false AS is_staged, * FROM stored)
    SEMI JOIN several USING (app_id, attempt_id)
    ORDER BY app_id, attempt_id, is_staged, started_at NULLS LAST, len(own_id), own_id, app_name, log_path
"""
"""The applications whose ids are not theirs alone, or whose start or name differs from what is stored."""


_STORED = """
    WITH named AS MATERIALIZED (SELECT unnest($names) AS app_id)
    SELECT 1
    FROM (SELECT app_id FROM applications UNION ALL SELECT app_id FROM dropped_applications)
    WHERE app_id IN (FROM named) OR (app_id[-9] = '~' AND app_id[:-10] IN (FROM named))
    LIMIT 1
"""
"""Whether there are stored applications of some ids."""


@dataclass(frozen=True, slots=True)
class _Application:
    """An application of a harvest or of the store.

    Attributes:
        own_id: The id in the harvest's rows, or in the store.
        started_at: When it started; None if that is unknown.
        name: Its name.
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
    if not fold.has_staged(APPLICATIONS.name) or _are_distinct(fold):
        return
    staged = select_staged(fold.staging, APPLICATIONS)
    rows = connection.execute(_GROUPS.format(suffix=SUFFIX, staged=staged)).fetchall()
    gaps = []
    for (app_id, attempt_id), group in groupby(rows, key=lambda row: (row[0], row[1])):
        applications = [(row[2], _Application(*row[3:])) for row in group]
        for application, given, first in _identified(app_id, applications):
            connection.execute("INSERT INTO application_ids VALUES (?, ?, ?)", [application.own_id, attempt_id, given])
            gap = _gap(app_id, application, first)
            gaps.append(GAPS.row.of(gap, app_id=given, attempt_id=attempt_id, execution_id=None))
    stage_rows(fold.staging, GAPS, "application_ids", gaps)


def _are_distinct(fold: Fold) -> bool:
    """Return whether a small harvest's ids are those of no other application: to plan `_GROUPS` takes 8 ms."""
    ids = staged_columns(fold.staging, APPLICATIONS, ("app_id", "attempt_id"), _FEW)
    if ids is None:
        return False
    staged = {(app_id or "", attempt_id or "") for app_id, attempt_id in ids}
    named = {(re.sub(SUFFIX, "", app_id), attempt_id) for app_id, attempt_id in staged}
    if len(named) < len(staged):
        return False
    names = sorted({app_id for app_id, _ in named})
    return fold.is_first or fold.connection.execute(_STORED, {"names": names}).fetchone() is None


def _identified(
    app_id: str, applications: Iterable[tuple[bool, _Application]]
) -> Iterator[tuple[_Application, str, _Application]]:
    """Yield the staged applications that have not the id of their log, with their id and the application that has it.

    Args:
        app_id: The id in the logs.
        applications: Those stored, then those staged, by their start; each with whether it is staged.
    """
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
    """Return the id of the known application that a staged one is; one with the same start or path is preferred.

    Args:
        application: The staged application.
        known: The applications known so far by id: all that were found to be the same.
    """
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
    """Return whether two names are the same, as far as neither is unknown, masked or cut.

    Args:
        name: A name, or an empty text for an unknown one.
        other: The name to compare it with.
    """
    known = min(len(text.partition(_MASKED)[0]) if _MASKED in text else _CUT for text in (name, other))
    return not name or not other or name[:known] == other[:known]


def _gap(app_id: str, application: _Application, first: _Application) -> Gap:
    name, other = (
        f"'{each.name[:_SHOWN]}', started {each.started_at or 'at an unknown time'}" for each in (application, first)
    )
    return Gap(GapReason.REPEATED_APPLICATION_ID, "", f"{app_id} is the id of {name}, and of {other}", _HINT)
