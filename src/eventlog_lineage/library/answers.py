"""A store to ask: a method for each question, with the same answer as the command of its name."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import date, datetime, timedelta, timezone
from os import PathLike
from types import TracebackType
from typing import Literal, overload

from eventlog_lineage.store.panels import PANELS, Panel, find_panel
from eventlog_lineage.store.panels.due import late, read_due
from eventlog_lineage.store.queries import find_names, job_runs, join_keys, lookups
from eventlog_lineage.store.queries.comparison import State, compare, compare_runs
from eventlog_lineage.store.queries.dependants import find_changed, impact
from eventlog_lineage.store.queries.evidence import why
from eventlog_lineage.store.queries.held_values import erasure
from eventlog_lineage.store.queries.lateness import lateness_sentences, why_late
from eventlog_lineage.store.queries.open_store import Answer, OpenStore
from eventlog_lineage.store.queries.open_store import open_store as opened
from eventlog_lineage.store.queries.paths import cycles, paths
from eventlog_lineage.store.queries.recent_changes import changes, story
from eventlog_lineage.store.queries.tagged import tags
from eventlog_lineage.store.queries.unused_datasets import unread, unused
from eventlog_lineage.store.queries.user_functions import user_functions
from eventlog_lineage.user_times import read_span, read_time, without_zone

from . import answer_rows as rows_of
from .results import Explanation, Result, Trace

Since = date | timedelta | str
"""A time (UTC if it has no zone), a span before now, or either as commands take it: `2026-11-20`, `7d`, `yesterday`."""


Span = timedelta | str
"""A span, or its text: `30d`."""


class Store:
    """A version of a store, open for reading. It stays the same while harvests publish newer ones.

    A name is a dataset, `dataset.column` or a job; an ending is enough where only one has it. A name that means nothing
    or several things is a `UsageError`.

    >>> import eventlog_lineage as el
    >>> with el.open_store("/var/lib/lineage") as store:  # doctest: +SKIP
    ...     store.upstream("sales.daily.total").df()
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        """Open a store; `open_store` does the same.

        Raises:
            StoreError: There is no store, it is of another version, or it is damaged.
        """
        self._stack = ExitStack()
        self._store = self._stack.enter_context(opened(str(folder)))

    @property
    def opened(self) -> OpenStore:
        """The open store, for the program's own questions."""
        return self._store

    def why(self, name: str, *, at: Since | None = None) -> Explanation[rows_of.Evidence]:
        """Explain what a column, a dataset or a job is: sentences, derivation, conditions, runs, versions, changes."""
        found = why(self._store, name, _moment(at))
        return Explanation(found.answer, found.sentences)

    def why_late(self, name: str) -> Explanation[rows_of.Lateness]:
        """Explain why a dataset or a job is late: the first failed or missing run upstream, its error, who waits."""
        found = why_late(self._store, name)
        return Explanation(found, lateness_sentences(name, list(found.records())))

    def upstream(  # noqa: PLR0913 - options of a trace
        self,
        name: str,
        *,
        depth: int | None = None,
        direct_only: bool = False,
        at: Since | None = None,
        since: Since | None = None,
        skip: str | Sequence[str] = (),
    ) -> Trace[rows_of.Edge]:
        """List the edges on all paths to a dataset, a column or a job's targets: where it comes from, nearest first."""
        return Trace(self._trace(name, True, depth, direct_only, at, since, skip))

    def downstream(  # noqa: PLR0913 - options of a trace
        self,
        name: str,
        *,
        depth: int | None = None,
        direct_only: bool = False,
        at: Since | None = None,
        since: Since | None = None,
        skip: str | Sequence[str] = (),
    ) -> Trace[rows_of.Reach]:
        """List the edges on all paths from a dataset, a column or a job's targets, and the jobs that only read."""
        return Trace(self._trace(name, False, depth, direct_only, at, since, skip))

    def _trace(  # noqa: PLR0913, PLR0917 - as `upstream`
        self,
        name: str,
        up: bool,
        depth: int | None,
        direct_only: bool,
        at: Since | None,
        since: Since | None,
        skip: str | Sequence[str],
    ) -> Answer:
        return lookups.trace(
            self._store,
            name,
            up=up,
            depth=depth,
            direct_only=direct_only,
            at=_moment(at),
            since=_moment(since),
            skip=_listed(skip),
        )

    def impact(self, names: str | Sequence[str], *, skip: str | Sequence[str] = ()) -> Result[rows_of.Dependant]:
        """List all that depends on datasets or columns, through all hops, readers included: what a change affects."""
        changed = [each for name in _listed(names) for each in find_changed(self._store, name)]
        return Result(impact(self._store, changed, _listed(skip)))

    def path(self, start: str, end: str, *, limit: int = 10, skip: str | Sequence[str] = ()) -> Result[rows_of.Step]:
        """List the paths from one dataset or column to another, the shortest first."""
        return Result(paths(self._store, start, end, limit, _listed(skip))[0])

    def columns(self, dataset: str) -> Result[rows_of.Column]:
        """List a dataset's columns: types, and the expressions, sources and jobs that make each."""
        return Result(lookups.columns(self._store, dataset))

    def datasets(
        self, pattern: str = "", *, never_read: bool = False, never_written: bool = False, temporary: bool = False
    ) -> Result[rows_of.Dataset]:
        """List datasets by a part of the name or a pattern: what they are, last write and read, writers and readers."""
        chosen = {"unread": never_read, "unwritten": never_written, "temporary": temporary}
        return Result(find_names.datasets(self._store, pattern, **chosen))

    def find(self, word: str) -> Result[rows_of.Match]:
        """Search datasets, columns, jobs and expressions for a word (case-insensitive)."""
        return Result(find_names.find(self._store, word))

    def keys(self, name: str | None = None) -> Result[rows_of.Key]:
        """List the columns that jobs join with each other; of a dataset, a column or a job, or all."""
        return Result(join_keys.keys(self._store, name))

    def erd(self, name: str | None = None) -> str:
        """Return the model that joins imply, as a Mermaid `erDiagram`."""
        return "\n".join(join_keys.entity_lines(self._store, join_keys.keys(self._store, name)))

    def erasure(self, name: str) -> Result[rows_of.Place]:
        """List every place that holds a column's values, or has rows that are found by them."""
        return Result(erasure(self._store, name))

    def tags(
        self,
        name: str | None = None,
        *,
        tag: str | None = None,
        derived: bool = False,
        unmasked: bool = False,
        since: Since | None = None,
    ) -> Result[rows_of.Tag]:
        """List the classifications of columns and datasets: given ones, and those that values bring along.

        Args:
            name: A dataset or a column; None for all.
            unmasked: Only where a path brings the value without a mask.
            since: Only where an unmasked path is complete since then.
        """
        chosen = {"derived": derived, "unmasked": unmasked}
        return Result(tags(self._store, name, tag=tag, since=_moment(since), **chosen))

    @overload
    def jobs(self, name: None = None) -> Result[rows_of.Job]: ...

    @overload
    def jobs(self, name: str) -> Result[rows_of.Writer]: ...

    def jobs(self, name: str | None = None) -> Result[rows_of.Job] | Result[rows_of.Writer]:
        """List the jobs; with a name, those that write the dataset, or the job: last run, duration, failures, cost."""
        return Result(job_runs.writers(self._store, name) if name else lookups.jobs(self._store))

    def runs(self, name: str | None = None, *, failed: bool = False) -> Result[rows_of.Run]:
        """List runs, the newest first: of a job, of the jobs that write a dataset, or all."""
        return Result(job_runs.runs(self._store, name, failed=failed))

    def compare_runs(self, job: str, *, failed: bool = False) -> Result[rows_of.Comparison]:
        """Compare the last (or last failed) run of a job with its last good one before: inputs, rows, lineage."""
        return Result(compare_runs(self._store, job, failed=failed))

    def history(self, dataset: str, *, since: Since | None = None) -> Result[rows_of.Event]:
        """List the versions of a dataset's schema, and the changes of its schema and lineage, the oldest first."""
        return Result(story(self._store, dataset, _moment(since)))

    def changes(
        self,
        since: Since | None = None,
        until: Since | None = None,
        *,
        dataset: str | None = None,
        kind: str | None = None,
        depends: bool = False,
    ) -> Result[rows_of.Change]:
        """List changes of schemas and lineage between two times, with user and application.

        Args:
            dataset: Of this dataset only.
            kind: `schema`, `lineage`, or a change such as `column_dropped`.
            depends: Add what depends on each change, and how the next runs of readers went.
        """
        return Result(changes(self._store, _moment(since), dataset, until=_moment(until), kind=kind, depends=depends))

    def diff(self, before: Since, after: Since | None = None) -> Result[rows_of.Difference]:
        """Compare the store at two times: datasets, columns, types, edges, expressions, and what depends on each."""
        return Result(compare(State(self._store, _moment(before)), State(self._store, _moment(after))).changes)

    def unused(self, since: Since) -> Result[rows_of.Unused]:
        """List datasets and columns that were written and not read since a time."""
        moment = _moment(since)
        assert moment is not None
        return Result(unused(self._store, moment))

    def unread(self, span: Span) -> Result[rows_of.Unread]:
        """List datasets and columns that nobody read for a span before the newest run; what is newer is left out."""
        return Result(unread(self._store, read_span(span) if isinstance(span, str) else span))

    def cycles(self) -> Result[rows_of.Cycle]:
        """List circular dependencies."""
        return Result(cycles(self._store))

    def udfs(self) -> Result[rows_of.Function]:
        """List user-defined functions with their inputs, results and jobs."""
        return Result(user_functions(self._store))

    @overload
    def gaps(self, *, every: Literal[False] = False) -> Result[rows_of.Gap]: ...

    @overload
    def gaps(self, *, every: Literal[True]) -> Result[rows_of.EveryGap]: ...

    def gaps(self, *, every: bool = False) -> Result[rows_of.Gap] | Result[rows_of.EveryGap]:
        """List what could not be resolved, by reason with an example and what to do, or each gap."""
        return Result(lookups.gaps(self._store, every=every))

    @property
    def panels(self) -> tuple[Panel, ...]:
        """The panels of the report, with their names, titles, questions and notes."""
        return PANELS

    def panel(self, name: str) -> Result[dict[str, object]]:
        """Return the answer of a panel of the report, by its name: nights, failures, late, do_not_break, trust."""
        return Result(find_panel(name).answer(self._store))

    def nights(self) -> Result[rows_of.Night]:
        """List the statements of each day: how many succeeded and failed, how long they took."""
        return Result(find_panel("nights").answer(self._store))

    def failures(self) -> Result[rows_of.Failure]:
        """List the jobs whose last write failed: the error in one line, the last good run, who waits."""
        return Result(find_panel("failures").answer(self._store))

    def late(self, due: str | Sequence[str] = ()) -> Result[rows_of.Late]:
        """List datasets by the time since their last write, in units of the usual interval.

        Args:
            due: The longest time between two writes, in place of the usual interval: `sales.daily=26h`, `gold.*=1d`.
        """
        return Result(late(self._store, read_due([due] if isinstance(due, str) else due)))

    def personal_data(self) -> Result[rows_of.PersonalData]:
        """List where columns with names of personal data arrive without a hash or a mask."""
        return Result(find_panel("personal_data").answer(self._store))

    def costs(self) -> Result[rows_of.Cost]:
        """List jobs and datasets by executor time, wall time and bytes."""
        return Result(find_panel("cost").answer(self._store))

    def trust(self) -> Result[rows_of.Trust]:
        """List how certain the lineage is, what could not be resolved, and which logs were read."""
        return Result(find_panel("trust").answer(self._store))

    def hot(self) -> Result[rows_of.Hot]:
        """List the columns that most other columns, datasets and jobs depend on."""
        return Result(find_panel("do_not_break").answer(self._store))

    def sql(self, query: str) -> Result[dict[str, object]]:
        """Run one DuckDB SELECT over the store's tables, views and macros; it can read nothing else.

        Raises:
            QueryError: DuckDB cannot run it.
            UsageError: It is empty, or does something else than read.
        """
        return Result(self._store.ask_freely(query))

    def close(self) -> None:
        """Close the store."""
        self._stack.close()

    def __enter__(self) -> Store:
        """Return the store itself; the end of the block closes it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """Close the store."""
        self.close()


def open_store(folder: str | PathLike[str]) -> Store:
    """Open the current version of a store for reading.

    Args:
        folder: The store's folder, on a local disk.

    Returns:
        The store; a context manager.

    Raises:
        StoreError: There is no store, it is of another version, or it is damaged.
    """
    return Store(folder)


def _listed(words: str | Sequence[str]) -> Sequence[str]:
    return [words] if isinstance(words, str) else words


def _moment(since: Since | None) -> datetime | None:
    """Return a time as UTC without a zone."""
    if since is None:
        return None
    if isinstance(since, str):
        return read_time(since)
    return without_zone(datetime.now(timezone.utc) - since if isinstance(since, timedelta) else since)
