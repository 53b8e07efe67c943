"""What is observed of schemas, and what becomes of it: values only."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime

from eventlog_lineage.model import SchemaSign


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """A succeeded statement shows something of a dataset's schema.

    Attributes:
        dataset: The dataset's canonical name.
        at: When it holds, UTC: a write's and a definition's end, a read's start.
        run: (application id, attempt id, execution id).
        job_name: The job.
        sign: What it shows.
        place: Whatever the caller knows it by.
        words: The statement's description, which may be its SQL.
    """

    dataset: str
    at: datetime
    run: tuple[str, str, int]
    job_name: str
    sign: SchemaSign
    place: Hashable = None
    words: str = ""

    @property
    def application(self) -> tuple[str, str]:
        """The application's run."""
        return self.run[:2]


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """A change of a schema; the attributes are the columns of the store's table."""

    dataset: str
    version: int
    changed_at: datetime
    change: str
    column_name: str | None
    old_value: str | None
    new_value: str | None
    nature: str | None
    evidence: str
    confidence: str
    run: tuple[str, str, int]
    job_name: str
    detail: str


@dataclass(frozen=True, slots=True)
class VersionColumn:
    """A column of a version of a schema; the attributes are the columns of the store's table."""

    dataset: str
    version: int
    column_name: str
    ordinal: int
    data_type: str
    valid_from: datetime
    valid_to: datetime | None
    evidence: str


@dataclass(frozen=True, slots=True)
class SchemaHistory:
    """What the observations come to.

    Attributes:
        versions: The columns of all versions.
        changes: What changed from version to version.
        effective: The observations without which it would be another history.
    """

    versions: tuple[VersionColumn, ...]
    changes: tuple[SchemaChange, ...]
    effective: tuple[Observation, ...]
