"""The rows of each question: their columns in order, and what `records()` of the library has, for type checkers.

A value may be None where the type allows it: the log does not have it. Times are UTC without a zone.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import TypedDict


class Evidence(TypedDict):
    """A row of `why`: a section of the evidence."""

    section: str
    text: str
    dataset: str | None
    column_name: str | None
    expression: str | None
    job_name: str | None
    happened_at: datetime | None
    status: str | None
    user_name: str | None
    app_name: str | None
    code_version: str | None
    rows_written: int | None
    snapshot_id: str | None
    app_id: str | None
    attempt_id: str | None
    execution_id: int | None
    log_path: str | None
    confidence: str | None


class Lateness(TypedDict):
    """A row of `why_late`: a dataset on the way, what is broken first."""

    cause: bool
    state: str
    dataset: str
    depth: int
    job_name: str | None
    error: str | None
    failed_at: datetime | None
    last_good_run: datetime | None
    due_at: datetime | None
    newest_run: datetime | None
    user_name: str | None
    waiting: list[str]
    waiting_jobs: list[str]
    app_id: str | None
    execution_id: int | None
    earlier_job: str | None
    earlier_failed_at: datetime | None
    earlier_error: str | None
    owner: str | None
    contact: str | None


class Edge(TypedDict):
    """A row of `upstream`: an edge; columns are None between datasets."""

    depth: int
    source_dataset: str | None
    source_column: str | None
    target_dataset: str | None
    target_column: str | None
    dependency: str
    transformation: str | None
    masking: bool | None
    expression: str | None
    confidence: str | None
    job_name: str | None
    masked: bool | None


class Reach(Edge):
    """A row of `downstream`: an edge, or a consumer (no target)."""

    user_name: str | None
    last_read: datetime | None
    columns: list[str] | None


class Dependant(TypedDict):
    """A row of `impact`: a column, a dataset or a consumer."""

    changed: str
    change: str
    kind: str
    dataset: str | None
    column_name: str | None
    depth: int
    dependency: str
    transformations: list[str] | None
    masked: bool | None
    jobs: list[str]
    reads: str | None
    columns: list[str] | None
    user_name: str | None
    last_read: datetime | None
    owner: str | None
    contact: str | None
    tags: list[str]


class Tag(TypedDict):
    """A row of `tags`: a classification of a column, or of a dataset as a whole."""

    dataset: str
    column_name: str | None
    tag: str
    origin: str
    masked: bool
    source_dataset: str | None
    source_column: str | None
    via: str | None
    owner: str | None


class Step(TypedDict):
    """A row of `path`: a step of a path."""

    path: int
    step: int
    source_dataset: str
    source_column: str | None
    target_dataset: str
    target_column: str | None
    dependency: str
    transformation: str | None
    masking: bool | None
    expression: str | None
    job_name: str | None


class Column(TypedDict):
    """A row of `columns`: a column today."""

    ordinal: int
    column_name: str
    data_type: str | None
    sources: list[str] | None
    transformations: list[str] | None
    expressions: list[str] | None
    jobs: list[str]
    last_written: datetime | None
    tags: list[str]
    owner: str | None
    description: str | None


class Dataset(TypedDict):
    """A row of `datasets`: a dataset."""

    dataset: str
    kind: str
    format: str | None
    columns: int
    last_written: datetime | None
    last_read: datetime | None
    writers: int
    readers: int
    location: str | None


class Match(TypedDict):
    """A row of `find`: what the word occurs in."""

    kind: str
    name: str
    detail: str


class Key(TypedDict):
    """A row of `keys`: two columns that jobs join."""

    dataset: str
    column_name: str
    operator: str
    joined_dataset: str
    joined_column: str
    runs: int
    first_seen: datetime | None
    last_seen: datetime | None
    jobs: list[str]
    expression: str | None


class Place(TypedDict):
    """A row of `erasure`: a place that holds the value."""

    holds: str
    dataset: str
    column_name: str
    masked: bool | None
    place: str
    via: str | None
    jobs: list[str] | None
    location: str | None
    expression: str | None
    last_seen: datetime | None


class Job(TypedDict):
    """A row of `jobs()`: a job."""

    job_name: str
    runs: int
    applications: int
    first_run: datetime | None
    last_run: datetime | None
    executor_seconds: float | None
    cpu_seconds: float | None
    targets: list[str] | None
    application: str | None
    description: str | None
    scheduler: str | None


class Writer(TypedDict):
    """A row of `jobs(name)`: a job that writes the dataset."""

    job_name: str
    modes: list[str]
    runs: int
    failed: int
    last_run: datetime | None
    last_status: str | None
    last_user: str | None
    last_success: datetime | None
    median_seconds: float | None
    p95_seconds: float | None
    recent_to_earlier: float | None
    median_executor_seconds: float | None
    executor_seconds: float | None
    last_rows: int | None
    last_error: str | None
    scheduler: str | None


class Run(TypedDict):
    """A row of `runs`: a run of a statement."""

    started_at: datetime | None
    status: str
    job_name: str | None
    user_name: str | None
    seconds: float | None
    executor_seconds: float | None
    cpu_seconds: float | None
    input_bytes: int | None
    shuffle_bytes: int | None
    spilled_bytes: int | None
    rows: int | None
    bytes: int | None
    targets: list[str] | None
    reads: list[str] | None
    error: str | None
    description: str | None
    app_name: str | None
    scheduler: str | None
    sql_text: str | None
    stack_trace: str | None
    app_id: str
    attempt_id: str
    execution_id: int


class Comparison(TypedDict):
    """A row of `compare_runs`: a fact of both runs."""

    what: str
    good_run: str | None
    last_run: str | None
    differs: bool


class ChangeOfDataset(TypedDict):
    """What a change of a dataset has in every answer."""

    changed_at: datetime | None
    kind: str
    dataset: str
    change: str
    column_name: str | None
    old_value: str | None
    new_value: str | None
    confidence: str | None
    job_name: str | None
    user_name: str | None
    app_name: str | None
    code_version: str | None


class Event(ChangeOfDataset):
    """A row of `history`: a version or a change of a dataset."""

    version: int | None
    evidence: str | None
    app_id: str | None
    attempt_id: str | None
    execution_id: int | None


class ChangeFacts(ChangeOfDataset):
    """What every change has."""

    nature: str | None
    app_id: str
    attempt_id: str
    execution_id: int


class NextRun(TypedDict):
    """The first run of a reader after a change."""

    job_name: str
    started_at: datetime | None
    status: str | None
    error: str | None
    app_id: str | None
    execution_id: int | None


class Change(ChangeFacts, total=False):
    """A row of `changes`: a change of a schema or of lineage; the last two with `depends=True`."""

    depends: list[str] | None
    next_runs: list[NextRun] | None


class Difference(TypedDict):
    """A row of `diff`: a difference between two times."""

    kind: str
    change: str
    dataset: str
    column_name: str | None
    old_value: str | None
    new_value: str | None
    depends: list[str] | None


class Unused(TypedDict):
    """A row of `unused`: a dataset or a column."""

    kind: str
    dataset: str
    column_name: str | None
    last_written: datetime | None
    last_read: datetime | None
    jobs: list[str]
    executor_seconds: float | None


class Unread(Unused):
    """A row of `unread`: a dataset or a column."""

    first_written: datetime | None


class Cycle(TypedDict):
    """A row of `cycles`: a circular dependency."""

    cycle: int
    datasets: list[str]
    steps: list[str]
    dependency: str
    jobs: list[str]


class Function(TypedDict):
    """A row of `udfs`: a user-defined function."""

    function: str
    kind: str
    operators: list[str]
    inputs: list[str]
    results: list[str]
    jobs: list[str]


class Gap(TypedDict):
    """A row of `gaps()`: a reason, with an example."""

    reason: str
    gaps: int
    statements: int
    for_example: str
    detail: str
    hint: str


class EveryGap(TypedDict):
    """A row of `gaps(every=True)`: a gap of a statement."""

    app_id: str
    attempt_id: str
    execution_id: int
    job_name: str | None
    reason: str
    operator: str
    detail: str
    hint: str


class Night(TypedDict):
    """A row of `nights`: a day."""

    day: date
    applications: int
    statements: int
    succeeded: int
    failed: int
    unfinished: int
    seconds: float | None
    rows_written: int | None
    bytes_written: int | None


class Failure(TypedDict):
    """A row of `failures`: a job whose last write failed."""

    failed_at: datetime
    job_name: str
    dataset: str
    error: str | None
    failures: int
    last_succeeded: datetime | None
    waiting_jobs: int
    readers: list[str] | None
    waiting_datasets: int
    system: str | None


class Late(TypedDict):
    """A row of `late`: a dataset by its age."""

    dataset: str
    last_write: datetime
    usual_gap_seconds: float
    age_seconds: float
    times_usual: float
    writes: int
    job_name: str
    system: str | None


class PersonalData(TypedDict):
    """A row of `personal_data`: a column where personal data arrive."""

    dataset: str
    column_name: str
    personal_dataset: str
    personal_column: str
    transformations: list[str] | None
    jobs: list[str]
    last_seen: datetime | None
    system: str | None


class Cost(TypedDict):
    """A row of `costs`: a job or a dataset."""

    kind: str
    name: str
    runs: int
    seconds: float | None
    seconds_per_run: float | None
    growth: float | None
    executor_seconds: float | None
    cpu_seconds: float | None
    shuffle_bytes: int | None
    spilled_bytes: int | None
    bytes_read: int | None
    bytes_written: int | None
    rows_written: int | None
    last_run: datetime | None
    system: str | None


class Trust(TypedDict):
    """A row of `trust`: an item of a topic."""

    topic: str
    item: str
    count: int
    detail: str | None
    hint: str | None
    seen_at: datetime | None


class Hot(TypedDict):
    """A row of `hot`: a column that others depend on."""

    dataset: str
    column_name: str
    columns: int
    datasets: int
    jobs: int
    system: str | None
