"""Names in questions: of a dataset, a column or a job."""

from __future__ import annotations

from dataclasses import dataclass

from eventlog_lineage.errors import UnknownNameError, UsageError
from eventlog_lineage.store.queries.open_store import OpenStore
from eventlog_lineage.store.schema.relations import sql_text

_NEAR = 5

_JOBS = """
WITH named AS (SELECT DISTINCT job_name FROM executions WHERE job_name IS NOT NULL),
ranked AS (
    SELECT job_name, CASE WHEN job_name = $asked THEN 0 WHEN lower(job_name) = lower($asked) THEN 1
                          WHEN ends_with(lower(job_name), ': ' || lower($asked)) THEN 2
                          WHEN contains(lower(job_name), lower($asked)) THEN 3 END AS rank
    FROM named
)
SELECT job_name FROM ranked WHERE rank IS NOT NULL QUALIFY rank = min(rank) OVER () ORDER BY job_name
"""


@dataclass(frozen=True, slots=True)
class Target:
    """What a name means: a job, or a dataset, or a column of it.

    Attributes:
        job: The job; empty for others.
        dataset: The dataset; empty for a job.
        column: The column as it was asked for; empty for a dataset or a job.
    """

    job: str = ""
    dataset: str = ""
    column: str = ""

    @property
    def name(self) -> str:
        """The whole name."""
        return self.job or (f"{self.dataset}.{self.column}" if self.column else self.dataset)


def find_target(store: OpenStore, asked: str) -> Target:
    """Return what a name means; a dataset or a column before a job, a whole name before a part of one.

    Raises:
        UsageError: The name is unknown or ambiguous; the error lists similar names.
    """
    try:
        dataset, column = check_name(store, asked)
        return Target(dataset=dataset, column=column)
    except UnknownNameError:
        if job := _find_job(store, asked):
            return Target(job=job)
        raise


def check_job(store: OpenStore, asked: str) -> str:
    """Return the one job that a name means: all of it, its end after a colon, or a part.

    Raises:
        UsageError: The name is unknown or ambiguous.
    """
    if job := _find_job(store, asked):
        return job
    raise UnknownNameError(f"no job of the store is called {asked}", hint="`jobs` lists them")


def _find_job(store: OpenStore, asked: str) -> str:
    found = [str(job) for (job,) in store.ask(_JOBS, {"asked": asked.strip()}).rows] if asked.strip() else []
    if len(found) > 1:
        listed = "; ".join(found[:_NEAR])
        raise UsageError(f"{asked} can mean {len(found)} jobs: {listed}", hint="give more of the name")
    return found[0] if found else ""


def written_by(store: OpenStore, job: str, *, at_last: bool = False) -> list[str]:
    """Return the datasets that a job writes, by name."""
    query = """
        SELECT DISTINCT i.dataset
        FROM executions e JOIN named_io i USING (lineage_fingerprint)
        WHERE e.job_name = $job AND e.execution_id = e.root_execution_id AND i.direction = 'write'
          AND (NOT $last OR e.started_at = (
              SELECT max(started_at) FROM executions WHERE job_name = $job AND execution_id = root_execution_id
          ))
        ORDER BY ALL
    """
    return [str(dataset) for (dataset,) in store.ask(query, {"job": job, "last": at_last}).rows]


def read_by(store: OpenStore, job: str) -> list[str]:
    """Return the datasets that a job reads, by name; views that it reads through are not among them."""
    query = """
        SELECT DISTINCT i.dataset FROM executions e JOIN named_io i USING (lineage_fingerprint)
        WHERE e.job_name = ? AND i.direction = 'read' AND i.mode <> 'view' ORDER BY ALL
    """
    return [str(dataset) for (dataset,) in store.ask(query, [job]).rows]


def check_dataset(store: OpenStore, asked: str) -> str:
    """Return the one dataset that a name means.

    Raises:
        UsageError: It means nothing in the store, several things, or a column.
    """
    dataset, column = check_name(store, asked)
    if column:
        raise UsageError(f"{asked} is a column", hint=f"ask for the dataset {dataset}")
    return dataset


def check_name(store: OpenStore, asked: str, *, tables_first: bool = False) -> tuple[str, str]:
    """Return the one dataset, and the column as asked for (or empty), that a name means.

    Args:
        asked: The name: a dataset or `dataset.column`.
        tables_first: Of a table and paths with the same ending, the table is meant.

    Raises:
        UsageError: The name is unknown or ambiguous; the error lists similar names.
    """
    found = store.ask("SELECT DISTINCT dataset, rest FROM find_names(?) ORDER BY ALL", [asked]).rows
    if tables_first and len(found) > 1:
        tables = {name for (name,) in store.ask("SELECT dataset FROM datasets WHERE kind = 'table'").rows}
        found = [row for row in found if row[0] in tables] or found
    if len(found) == 1:
        return str(found[0][0]), str(found[0][1])
    if found:
        names = ", ".join(f"{dataset}.{rest}" if rest else str(dataset) for dataset, rest in found[:_NEAR])
        raise UsageError(f"{asked} can mean {len(found)} things: {names}", hint="give more of the name")
    near = _near(store, asked)
    hint = f"did you mean {', '.join(near)}?" if near else "the store has no datasets yet"
    raise UnknownNameError(f"no dataset or column of the store is called {asked}", hint=hint)


def _near(store: OpenStore, asked: str) -> list[str]:
    """Return the most similar names: columns of the dataset that the name begins with, datasets, columns.

    Args:
        asked: The name that the store does not have.
    """
    head, _, column = asked.rpartition(".")
    rows = store.ask(sql_text("queries/near_columns"), [head, column, _NEAR]).rows if head else []
    if not rows:
        rows = store.ask(sql_text("queries/near_names"), {"asked": asked, "most": _NEAR}).rows
    return [str(row[0]) for row in rows]
