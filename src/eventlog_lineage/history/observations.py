"""Timed observations of schemas, and the history that they make: values only."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import datetime

from eventlog_lineage.observed_schemas import SchemaObservation


@dataclass(frozen=True, slots=True, eq=False)
class TimedObservation:
    """A succeeded statement shows something of a dataset's schema.

    Attributes:
        at: When it holds, UTC: the end of a write or a definition, the start of a read.
        run: (application id, attempt id, execution id).
        job_name: The job.
        shown: What the statement shows.
        key: What the caller knows it by; None for an observation that is derived from another one.
        description: The statement's description, which may be its SQL.
    """

    at: datetime
    run: tuple[str, str, int]
    job_name: str
    shown: SchemaObservation
    key: Hashable = None
    description: str = ""

    @property
    def dataset(self) -> str:
        """The dataset's canonical name."""
        return self.shown.dataset

    @property
    def application(self) -> tuple[str, str]:
        """The application attempt."""
        return self.run[:2]


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """A change of a schema; the attributes are columns of `schema_changes`."""

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
    """A column of a version of a schema; the attributes are columns of `schema_versions`."""

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
    """The history that observations make.

    Attributes:
        versions: The columns of all versions.
        changes: The changes from version to version.
        effective: The observations that make this history; the others repeat them.
        unknown: (dataset, class of the change, statement) of each `ALTER TABLE` whose change no statement shows.
    """

    versions: tuple[VersionColumn, ...]
    changes: tuple[SchemaChange, ...]
    effective: tuple[TimedObservation, ...]
    unknown: tuple[tuple[str, str, TimedObservation], ...] = ()
