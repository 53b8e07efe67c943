"""What depends on columns and datasets, through all hops, readers included, and who is responsible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from eventlog_lineage.errors import UsageError
from eventlog_lineage.safe_text import counted
from eventlog_lineage.store.queries import row_types
from eventlog_lineage.store.queries.open_store import (
    Answer,
    OpenStore,
    Target,
    check_name,
    find_target,
    with_error_lines,
    written_by,
)
from eventlog_lineage.store.queries.paths import skipped_datasets, trace
from eventlog_lineage.store.schema.relations import sql_text

Responsible = tuple[str | None, str | None]
"""Owner and contact; None where nothing is declared."""


class Owners:
    """The declared owners of a store; read once for a question."""

    def __init__(self, store: OpenStore) -> None:
        query = (
            "SELECT dataset, lower(column_name), job_name, nullif(owner, ''), nullif(contact, '') FROM declarations "
            "WHERE owner <> '' OR contact <> ''"
        )
        self._found = {tuple(key): (owner, contact) for *key, owner, contact in store.ask(query).rows}

    def of(self, dataset: object, column: object = None, jobs: Iterable[object] = ()) -> Responsible:
        """Return the owner and contact of a column, else of its dataset, else of the first job that has one."""
        key = str(column).lower() if column else None
        places = [(dataset, key, None), (dataset, None, None), *((None, None, job) for job in jobs)]
        found = [self._found[place] for place in places if place in self._found]
        owner = next((owner for owner, _ in found if owner), None)
        contact = next((contact for _, contact in found if contact), None)
        return owner, contact  # type: ignore[return-value]


LEVELS = ("direct", "any", "unmasked")
"""What a check can fail on: values that flow on, any dependence, values that flow on without a mask."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A dataset or a column that somebody wants to change.

    Attributes:
        change: `dropped`, `renamed`, `retyped`; empty if it is not known.
        column: The column; empty for the whole dataset.
    """

    name: str
    change: str
    dataset: str
    column: str

    @property
    def full_name(self) -> str:
        """The whole name."""
        return f"{self.dataset}.{self.column}" if self.column else self.dataset


def find_changed(store: OpenStore, name: str, change: str = "", kept: Sequence[str] | None = None) -> list[Changed]:
    """Return what a name of a change means in the store.

    Args:
        kept: The columns of the dataset that remain, in lower case; the others change. None for the name's own column.
    """
    dataset, column = check_name(store, name)
    if kept is None:
        return [Changed(name, change, dataset, column)]
    query = (
        "SELECT c.column_name FROM trace_columns c JOIN trace_datasets d USING (dataset_number) "
        "WHERE d.dataset = ? AND NOT contains(c.column_name, '.') ORDER BY c.column_name"
    )
    known = [str(found) for (found,) in store.ask(query, [dataset]).rows]
    return [Changed(name, change, dataset, each) for each in known if each.lower() not in kept]


def impact(store: OpenStore, changed: Iterable[Changed], skip: Sequence[str] = ()) -> Answer:
    """Return the dependants of changed datasets and columns.

    Args:
        skip: Patterns of datasets that are neither shown nor counted as hops, as of `trace`; what depends on them is.

    Returns:
        changed, change, kind (`column`, `dataset`, `consumer`), dataset, column_name, depth, dependency,
        transformations, masked, jobs; for consumers reads (a dataset), columns, user_name, last_read; owner and contact
        of the dependant, else of its dataset, else of the job; its tags. One row per changed thing and dependant, the
        nearest first; a changed thing is not a dependant of the others.
    """
    asked = list(changed)
    owners, tags = Owners(store), _tags(store)
    own = {(each.dataset, each.column.lower()) for each in asked}
    skipped = skipped_datasets(store, skip)
    rows: list[tuple[object, ...]] = []
    types: tuple[str, ...] = ()
    for each in asked:
        found = store.ask(
            "SELECT ? AS changed, ? AS change, kind, dataset, column_name, depth, dependency, transformations, masked,"
            " jobs, reads, columns, user_name, last_read FROM impact(?)",
            [each.full_name, each.change, each.full_name],
        )
        types = (*found.types, "VARCHAR", "VARCHAR", "VARCHAR[]") if found.types else ()
        hops = _hops(store, each, skip)
        ends = [(row[3], str(row[4] or "").lower()) for row in found.rows]
        for row, end in zip(found.rows, ends, strict=True):
            if own.isdisjoint((end, (end[0], ""))) and end[0] not in skipped:
                responsible = owners.of(row[3], row[4], row[9] if isinstance(row[9], list) else ())
                rows.append((*row[:5], _depth(row, hops), *row[6:], *responsible, tags.get(end, [])))
    return Answer(tuple(row_types.Dependant.__annotations__), rows, types)


def _tags(store: OpenStore) -> Mapping[tuple[object, str], list[str]]:
    """Return the tags of datasets and columns, these in lower case."""
    query = "SELECT dataset, lower(coalesce(column_name, '')), list(DISTINCT tag ORDER BY tag) FROM tags GROUP BY ALL"
    return {(dataset, str(column)): tags for dataset, column, tags in store.ask(query).rows}  # type: ignore[misc]


def _hops(store: OpenStore, changed: Changed, skip: Sequence[str]) -> Mapping[tuple[object, str], int]:
    """Return the hops to each dependant in a trace that goes through datasets; a consumer is known by its job."""
    if not skip:
        return {}
    found: dict[tuple[object, str], int] = {}
    edges: list[dict[str, Any]] = list(trace(store, changed.full_name, up=False, skip=skip).records())
    for edge in edges:
        is_consumer = edge["target_dataset"] is None
        end = (None, edge["job_name"]) if is_consumer else (edge["target_dataset"], str(edge["target_column"] or ""))
        key = (end[0], str(end[1]).lower())
        found[key] = min(found.get(key, edge["depth"]), edge["depth"])
    return found


def _depth(row: Sequence[Any], hops: Mapping[tuple[object, str], int]) -> int:
    """Return the hops to a dependant: those of a trace if it has them."""
    jobs = row[9] if isinstance(row[9], list) else []
    keys = [(row[3], str(row[4] or "").lower())] if row[3] is not None else [(None, str(job).lower()) for job in jobs]
    return min((hops[key] for key in keys if key in hops), default=row[5])


def fails(answer: Answer, level: str | None) -> int:
    """Return how many rows of an impact make a check fail.

    Raises:
        UsageError: The level is none.
    """
    if level is None:
        return 0
    if level not in LEVELS:
        raise UsageError(f"unknown level {level!r}", hint=f"use one of {', '.join(LEVELS)}")
    rows = list(answer.records())
    if level == "any":
        return len(rows)
    direct = [row for row in rows if row["dependency"] == "DIRECT"]
    return len(direct) if level == "direct" else sum(row["masked"] is not True for row in direct)


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
    query = sql_text("queries/upstream_datasets")
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
    return [sentence for row in causes for sentence in _cause_sentences(row)]


def _cause_sentences(row: Row) -> Iterator[str]:
    if row["state"] == "failed":
        user = f" (run by {row['user_name']})" if row["user_name"] else ""
        yield f"{row['job_name']} failed at {_time(row['failed_at'])}{user}: {_error(row['error'])}."
    else:
        newest = f"the newest run in the store is of {_time(row['newest_run'])}"
        yield f"{row['job_name']} did not run: {row['dataset']} was due at {_time(row['due_at'])}; {newest}."
    if row["earlier_job"]:
        failed = f"{row['earlier_job']} failed at {_time(row['earlier_failed_at'])}"
        yield f"  Before it in the application, {failed}: {_error(row['earlier_error'])}."
    good = f"last good run {_time(row['last_good_run'])}" if row["last_good_run"] else "no good run yet"
    waiting = f"{counted(len(row['waiting']), 'dataset')} and {counted(len(row['waiting_jobs']), 'job')}"
    yield f"  It writes {row['dataset']}: {good}; waiting: {waiting}."
    if call := ", ".join(str(row[name]) for name in _CALL if row.get(name)):
        yield f"  Contact {call}."


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
