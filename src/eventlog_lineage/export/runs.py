"""The runs to export: statements that write, one for each target, with their edges and reads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Selection:
    """Which runs are exported.

    Attributes:
        since: Every run that started since then, UTC without a zone; None for no such limit.
        all_runs: Every run. With neither, the last succeeded run of each job and target.
    """

    since: datetime | None = None
    all_runs: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge of a run, as the store has it; `target_column` is None for an influence on the whole target."""

    source_dataset: str | None
    source_column: str | None
    target_column: str | None
    target_ordinal: int | None
    dependency: str | None
    transformation: str | None
    masking: bool
    expression: str


@dataclass(frozen=True, slots=True)
class Moved:
    """What a run moved from or to a dataset: None if the log has no metric."""

    rows: int | None = None
    bytes: int | None = None
    files: int | None = None
    snapshot: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A statement that writes a target, once. Times are UTC without a zone.

    Attributes:
        number: Its index among the exported runs, from 1.
        lineage_fingerprint: Names its edges.
        has_more_targets: Its statement writes other datasets too, which are runs of their own.
        renamed_from: The target's name before the statement renamed it; None for other statements.
        edges: The edges to the target.
        reads: The datasets that the target is made of, in order of their names.
        moved: (dataset, direction) to what was moved.
    """

    number: int
    app_id: str
    attempt_id: str
    execution_id: int
    job_name: str
    description: str
    status: str
    error: str | None
    started_at: datetime
    ended_at: datetime | None
    streams: bool
    lineage_fingerprint: str
    app_name: str | None
    user_name: str | None
    spark_version: str | None
    app_started_at: datetime | None
    app_ended_at: datetime | None
    app_complete: bool
    target: str
    mode: str
    has_more_targets: bool
    renamed_from: str | None
    edges: tuple[Edge, ...]
    reads: tuple[str, ...]
    moved: dict[tuple[str, str], Moved]

    @property
    def app_key(self) -> tuple[str, str]:
        """The application attempt."""
        return self.app_id, self.attempt_id
