"""The runs of jobs, and why a dataset is late: the first failed or missing run upstream of it, and who waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.schema.relations import sql_text

from .asked_names import Target, find_target, written_by
from .dependants import Owners
from .open_store import Answer, OpenStore, with_error_lines

Row = dict[str, Any]

_BROKEN = ("failed", "missing")
_CALL = ("owner", "contact")


def why_late(store: OpenStore, asked: str) -> Answer:
    """Return a dataset and everything upstream of it, what is broken first, of these the farthest upstream.

    Args:
        asked: A dataset, a column of it, or a job: then what its last run wrote.

    Returns:
        cause (whether nothing upstream of it is broken), state (`failed`, `missing`, `on time`, `unknown`: fewer than
        three runs, `source`: no job of the store writes it), dataset, depth, job_name, error (one line), failed_at,
        last_good_run, due_at, newest_run (of the store, which the state refers to), user_name, waiting (datasets
        downstream), waiting_jobs, app_id, execution_id, owner and contact; of a missing run also earlier_job,
        earlier_failed_at and earlier_error: the last failure among the jobs that ran before it in the application of
        its last good run.

    Raises:
        UsageError: The name means nothing in the store, or several things.
    """
    target = find_target(store, asked)
    datasets = written_by(store, target.job, at_last=True) if target.job else [target.dataset]
    rows: dict[str, Row] = {}
    names: tuple[str, ...] = ()
    for dataset in datasets:
        asked_rows = store.ask(sql_text("queries/lateness"), {"dataset": dataset})
        found = with_error_lines(asked_rows, "error", "earlier_error")
        names = found.names
        for row in found.records():
            rows.setdefault(str(row["dataset"]), row)
    broken = {name for name, row in rows.items() if row["state"] in _BROKEN}
    above = _upstream_of(store, broken)
    owners = Owners(store)
    marked = [
        {
            "cause": name in broken and not above[name] & broken,
            **row,
            **dict(zip(_CALL, owners.of(name, jobs=[row["job_name"]]), strict=True)),
        }
        for name, row in rows.items()
    ]
    marked.sort(key=lambda row: (not row["cause"], row["state"] not in _BROKEN, -row["depth"], row["dataset"]))
    return Answer(("cause", *names, *_CALL), [tuple(row.values()) for row in marked])


def _upstream_of(store: OpenStore, datasets: set[str]) -> dict[str, set[str]]:
    """Return all datasets upstream of each of some."""
    query = """
        WITH RECURSIVE up(root, dataset) AS (
            SELECT dataset, dataset FROM (SELECT unnest(CAST(? AS VARCHAR[])) AS dataset)
            UNION
            SELECT u.root, l.source_dataset
            FROM up u JOIN table_lineage l ON l.target_dataset = u.dataset AND l.is_current
        )
        SELECT root, dataset FROM up WHERE root <> dataset
    """
    found: dict[str, set[str]] = {name: set() for name in datasets}
    for root, dataset in store.ask(query, [sorted(datasets)]).rows:
        found[str(root)].add(str(dataset))
    return found


def lateness_sentences(asked: str, rows: Sequence[Row]) -> list[str]:
    """Return what `why_late` found as sentences."""
    causes = [row for row in rows if row["cause"]]
    if not causes:
        newest = rows[0]["newest_run"] if rows else None
        return [f"{asked} is not late: no run upstream of it failed or is missing at {_time(newest)}."]
    sentences = []
    for row in causes:
        user = f" (run by {row['user_name']})" if row["user_name"] else ""
        if row["state"] == "failed":
            sentences.append(f"{row['job_name']} failed at {_time(row['failed_at'])}{user}: {_error(row['error'])}.")
        else:
            sentences.append(
                f"{row['job_name']} did not run: {row['dataset']} was due at {_time(row['due_at'])}; "
                f"the newest run in the store is of {_time(row['newest_run'])}."
            )
        if row["earlier_job"]:
            failed = f"{row['earlier_job']} failed at {_time(row['earlier_failed_at'])}"
            sentences.append(f"  Before it in the application, {failed}: {_error(row['earlier_error'])}.")
        good = f"last good run {_time(row['last_good_run'])}" if row["last_good_run"] else "no good run yet"
        waiting = f"{counted(row['waiting'], 'dataset')} and {counted(row['waiting_jobs'], 'job')}"
        sentences.append(f"  It writes {row['dataset']}: {good}; waiting: {waiting}.")
        if call := ", ".join(str(row[name]) for name in _CALL if row.get(name)):
            sentences.append(f"  Contact {call}.")
    return sentences


def counted(items: Sequence[object], noun: str) -> str:
    """Return how many there are, `1 dataset` or `2 datasets`."""
    return f"{len(items):,} {noun}{'' if len(items) == 1 else 's'}"


def _error(line: object) -> str:
    return str(line or "the log has no error").rstrip(".")


def _time(value: object) -> str:
    return f"{value:%Y-%m-%d %H:%M:%S} UTC" if value else "an unknown time"


def writers(store: OpenStore, asked: str) -> Answer:
    """Return the jobs that write a dataset, or one job: who, when last, how long, how often it fails, how many rows.

    Raises:
        UsageError: The name is not a dataset or a job of the store.
    """
    return with_error_lines(store.ask(sql_text("queries/writers"), _named(store, asked)), "last_error")


def runs(store: OpenStore, asked: str | None, *, failed: bool) -> Answer:
    """Return the runs of statements, the newest first: status, user, seconds, rows and bytes, writes and reads.

    Args:
        asked: The dataset that they write, or their job; None for all runs.

    Raises:
        UsageError: The name is not a dataset or a job of the store.
    """
    named = _named(store, asked) if asked is not None else {"dataset": None, "job": None}
    return with_error_lines(store.ask(sql_text("queries/runs"), {**named, "failed": failed}), "error")


def _named(store: OpenStore, asked: str) -> dict[str, object]:
    target: Target = find_target(store, asked)
    if target.column:
        raise UsageError(f"{asked} is a column", hint=f"ask for the dataset {target.dataset}")
    return {"dataset": target.dataset or None, "job": target.job or None}
