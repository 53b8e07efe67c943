"""A store to ask: a method for each question, with the answer of the command of its name as rows or data frames."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date, datetime, timedelta, timezone
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast, overload

from eventlog_lineage.errors import UsageError
from eventlog_lineage.library import answer_rows as rows_of
from eventlog_lineage.safe_text import counted, html_text, plain
from eventlog_lineage.store.panels import PANELS, Panel, find_panel, late, read_due
from eventlog_lineage.store.queries import inventory
from eventlog_lineage.store.queries.comparison import State, changes, compare, compare_runs, story
from eventlog_lineage.store.queries.dependants import find_changed, impact, lateness_sentences, runs, why_late, writers
from eventlog_lineage.store.queries.evidence import why
from eventlog_lineage.store.queries.open_store import Answer, OpenStore
from eventlog_lineage.store.queries.open_store import open_store as opened
from eventlog_lineage.store.queries.paths import cycles, paths, trace
from eventlog_lineage.user_input import read_span, read_time, without_zone

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_Row = TypeVar("_Row", bound=Mapping[str, object])

_SHOWN_ROWS = 50
"""Rows that a notebook shows."""
_DRAWN = 40
"""Datasets that a notebook draws."""
_BOX = (220, 26, 60, 12)
"""Width and height of a box, and the gaps between columns and rows."""


@contextmanager
def _installed(package: str) -> Iterator[None]:
    """Name the package to install where one is missing that is not a dependency."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(f"{package} is not installed", hint=f"pip install {package}") from error


class Result(Generic[_Row]):
    """The rows of an answer; `library.answer_rows` has their types."""

    def __init__(self, answer: Answer) -> None:
        """Hold an answer; all its rows are in memory."""
        self._answer = answer
        self.columns = answer.names

    def fetchall(self) -> list[tuple[object, ...]]:
        """Return the rows as tuples; times are UTC without a zone."""
        return list(self._answer.rows)

    def records(self) -> list[_Row]:
        """Return the rows as dictionaries by column name."""
        return cast("list[_Row]", list(self._answer.records()))

    def json(self) -> str:
        """Return the rows as a JSON array of objects; times in ISO 8601, UTC."""
        return json.dumps(self.records(), default=plain, ensure_ascii=False)

    def arrow(self) -> pyarrow.Table:
        """Return a `pyarrow.Table`."""
        import pyarrow  # noqa: PLC0415 - a question that prints rows needs none of it

        return pyarrow.table({name: [row[i] for row in self._answer.rows] for i, name in enumerate(self.columns)})

    def df(self) -> pandas.DataFrame:
        """Return a `pandas.DataFrame`; pandas must be installed."""
        with _installed("pandas"):
            return self.arrow().to_pandas()

    def pl(self) -> polars.DataFrame:
        """Return a `polars.DataFrame`; polars must be installed."""
        with _installed("polars"):
            import polars  # noqa: PLC0415 - not a dependency

        frame = polars.from_arrow(self.arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._answer.rows)

    def __iter__(self) -> Iterator[_Row]:
        """Iterate over the rows as dictionaries."""
        return iter(self.records())

    def __repr__(self) -> str:
        """Return the size and the columns."""
        return f"<{type(self).__name__} of {counted(len(self), 'row')}: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """Return a table of the first rows, for notebooks."""
        title = "".join(f"<th>{html_text(name)}</th>" for name in self.columns)
        rows = self._answer.rows[:_SHOWN_ROWS]
        body = "".join(f"<tr>{''.join(f'<td>{html_text(_text(cell))}</td>' for cell in row)}</tr>" for row in rows)
        note = f"{len(rows)} of {counted(len(self), 'row')}" if len(rows) < len(self) else counted(len(self), "row")
        return f"<table><thead><tr>{title}</tr></thead><tbody>{body}</tbody></table><p>{note}</p>"


class Trace(Result[_Row]):
    """The edges of a trace; a notebook shows them as a graph of datasets above the table."""

    def _repr_html_(self) -> str:
        return _graph(self.records()) + super()._repr_html_()


class Explanation(Result[_Row]):
    """What a thing is: the evidence as rows, and sentences.

    Attributes:
        sentences: The summary, a sentence each.
    """

    def __init__(self, answer: Answer, sentences: Sequence[str]) -> None:
        """Hold the evidence and the sentences."""
        super().__init__(answer)
        self.sentences = list(sentences)

    def __str__(self) -> str:
        """Return the sentences."""
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        return f"<p>{'<br>'.join(map(html_text, self.sentences))}</p>{super()._repr_html_()}"


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    return "" if value is None else str(value)


def _pairs(edges: Sequence[Mapping[str, object]]) -> set[tuple[str, str]]:
    """Return the distinct datasets of edges between two."""
    ends = {(str(edge["source_dataset"] or ""), str(edge["target_dataset"] or "")) for edge in edges}
    return {(source, target) for source, target in ends if source and target and source != target}


def _graph(edges: Sequence[Mapping[str, object]]) -> str:
    """Return the datasets of edges as an SVG, in columns by their distance from the sources; empty for many."""
    pairs = _pairs(edges)
    names = sorted({name for pair in pairs for name in pair})
    if not names or len(names) > _DRAWN:
        return ""
    width, height, _, _ = _BOX
    at = _places(names, sorted(pairs))
    lines = "".join(
        f'<line x1="{at[source][0] + width}" y1="{at[source][1] + height // 2}" x2="{at[target][0]}" '
        f'y2="{at[target][1] + height // 2}" stroke="#888"/>'
        for source, target in sorted(pairs)
    )
    boxes = "".join(
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="none" stroke="#888"/>'
        f'<text x="{x + 6}" y="{y + 17}" font-size="11" fill="currentColor"><title>{html_text(name)}</title>'
        f"{html_text(name if len(name) < 34 else '…' + name[-32:])}</text>"
        for name, (x, y) in at.items()
    )
    size = (max(x for x, _ in at.values()) + width, max(y for _, y in at.values()) + height)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}">{lines}{boxes}</svg>'


def _places(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """Return the place of each dataset's box; its column is its longest distance from a source."""
    level = dict.fromkeys(names, 0)
    for _ in names:  # a cycle ends after as many rounds as there are datasets
        moved = [(source, target) for source, target in pairs if level[target] <= level[source] < len(names)]
        for source, target in moved:
            level[target] = max(level[target], level[source] + 1)
        if not moved:
            break
    width, height, across, between = _BOX
    rows: Counter[int] = Counter()
    at: dict[str, tuple[int, int]] = {}
    for name in names:
        at[name] = (level[name] * (width + across), rows[level[name]] * (height + between))
        rows[level[name]] += 1
    return at


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
        return Trace(self._trace(name, at, since, skip, up=True, depth=depth, direct_only=direct_only))

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
        return Trace(self._trace(name, at, since, skip, up=False, depth=depth, direct_only=direct_only))

    def _trace(self, name: str, at: Since | None, since: Since | None, skip: str | Sequence[str], **how: Any) -> Answer:
        return trace(self._store, name, at=_moment(at), since=_moment(since), skip=_listed(skip), **how)

    def impact(self, names: str | Sequence[str], *, skip: str | Sequence[str] = ()) -> Result[rows_of.Dependant]:
        """List all that depends on datasets or columns, through all hops, readers included: what a change affects."""
        changed = [each for name in _listed(names) for each in find_changed(self._store, name)]
        return Result(impact(self._store, changed, _listed(skip)))

    def path(self, start: str, end: str, *, limit: int = 10, skip: str | Sequence[str] = ()) -> Result[rows_of.Step]:
        """List the paths from one dataset or column to another, the shortest first."""
        return Result(paths(self._store, start, end, limit, _listed(skip))[0])

    def columns(self, dataset: str) -> Result[rows_of.Column]:
        """List a dataset's columns: types, and the expressions, sources and jobs that make each."""
        return Result(inventory.columns(self._store, dataset))

    def datasets(
        self, pattern: str = "", *, never_read: bool = False, never_written: bool = False, temporary: bool = False
    ) -> Result[rows_of.Dataset]:
        """List datasets by a part of the name or a pattern: what they are, last write and read, writers and readers."""
        chosen = {"unread": never_read, "unwritten": never_written, "temporary": temporary}
        return Result(inventory.datasets(self._store, pattern, **chosen))

    def find(self, word: str) -> Result[rows_of.Match]:
        """Search datasets, columns, jobs and expressions for a word (case-insensitive)."""
        return Result(inventory.find(self._store, word))

    def keys(self, name: str | None = None) -> Result[rows_of.Key]:
        """List the columns that jobs join with each other; of a dataset, a column or a job, or all."""
        return Result(inventory.keys(self._store, name))

    def erd(self, name: str | None = None) -> str:
        """Return the model that joins imply, as a Mermaid `erDiagram`."""
        return "\n".join(inventory.entity_lines(self._store, inventory.keys(self._store, name)))

    def erasure(self, name: str) -> Result[rows_of.Place]:
        """List every place that holds a column's values, or has rows that are found by them."""
        return Result(inventory.erasure(self._store, name))

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
        return Result(inventory.tags(self._store, name, tag=tag, since=_moment(since), **chosen))

    @overload
    def jobs(self, name: None = None) -> Result[rows_of.Job]: ...

    @overload
    def jobs(self, name: str) -> Result[rows_of.Writer]: ...

    def jobs(self, name: str | None = None) -> Result[rows_of.Job] | Result[rows_of.Writer]:
        """List the jobs; with a name, those that write the dataset, or the job: last run, duration, failures, cost."""
        return Result(writers(self._store, name) if name else inventory.jobs(self._store))

    def runs(self, name: str | None = None, *, failed: bool = False) -> Result[rows_of.Run]:
        """List runs, the newest first: of a job, of the jobs that write a dataset, or all."""
        return Result(runs(self._store, name, failed=failed))

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
        return Result(inventory.unused(self._store, moment))

    def unread(self, span: Span) -> Result[rows_of.Unread]:
        """List datasets and columns that nobody read for a span before the newest run; what is newer is left out."""
        return Result(inventory.unread(self._store, read_span(span) if isinstance(span, str) else span))

    def cycles(self) -> Result[rows_of.Cycle]:
        """List circular dependencies."""
        return Result(cycles(self._store))

    def udfs(self) -> Result[rows_of.Function]:
        """List user-defined functions with their inputs, results and jobs."""
        return Result(inventory.user_functions(self._store))

    @overload
    def gaps(self, *, every: Literal[False] = False) -> Result[rows_of.Gap]: ...

    @overload
    def gaps(self, *, every: Literal[True]) -> Result[rows_of.EveryGap]: ...

    def gaps(self, *, every: bool = False) -> Result[rows_of.Gap] | Result[rows_of.EveryGap]:
        """List what could not be resolved, by reason with an example and what to do, or each gap."""
        return Result(inventory.gaps(self._store, every=every))

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
