"""A store to ask, and answers as data frames."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta, timezone
from os import PathLike
from types import TracebackType
from typing import TYPE_CHECKING, Any

from eventlog_lineage.errors import UsageError
from eventlog_lineage.store.queries import lookups
from eventlog_lineage.store.queries.dataset_history import story
from eventlog_lineage.store.queries.dependants import find_changed, impact
from eventlog_lineage.store.queries.open_store import Answer
from eventlog_lineage.store.queries.open_store import open_store as opened
from eventlog_lineage.store.queries.recent_changes import changes
from eventlog_lineage.store.queries.unused_datasets import unused

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Since = datetime | timedelta
"""A time (UTC if it has no zone), or a span before now."""


@contextmanager
def _installed(package: str) -> Iterator[None]:
    """Name the package to install where one is missing that is not a dependency."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(f"{package} is not installed", hint=f"pip install {package}") from error


class Result:
    """The rows of an answer.

    Attributes:
        columns: The names of the columns.
    """

    def __init__(self, answer: Answer) -> None:
        """Hold an answer; all its rows are in memory."""
        self._answer = answer
        self.columns = answer.names

    def fetchall(self) -> list[tuple[object, ...]]:
        """Return the rows as tuples; times are UTC without a zone."""
        return list(self._answer.rows)

    def records(self) -> list[dict[str, object]]:
        """Return the rows as dictionaries by column name."""
        return list(self._answer.records())

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

    def __iter__(self) -> Iterator[dict[str, object]]:
        """Iterate over the rows as dictionaries."""
        return iter(self.records())

    def __repr__(self) -> str:
        """Return the size and the columns."""
        return f"<Result of {len(self)} rows: {', '.join(self.columns)}>"


class Store:
    """A version of a store, open for reading. It stays the same while harvests publish newer ones.

    Names are a dataset or `dataset.column`; an ending is enough where only one dataset has it.

    >>> import eventlog_lineage as el
    >>> with el.open_store("/var/lib/lineage") as store:  # doctest: +SKIP
    ...     store.upstream("sales.daily.total").df()
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        """Open a store; `open_store` does the same.

        Args:
            folder: The store's folder.

        Raises:
            StoreError: There is no store, it is of another version, or it is damaged.
        """
        self._stack = ExitStack()
        self._store = self._stack.enter_context(opened(str(folder)))

    def upstream(self, name: str, *, depth: int | None = None, direct_only: bool = False) -> Result:
        """Return the edges on all paths to a dataset or a column, the nearest first.

        Args:
            name: What to start from.
            depth: The most hops; None for all.
            direct_only: Only sources of values, without filters, joins and the like.

        Raises:
            UsageError: The name means nothing in the store, or several things.
        """
        return self._traced(name, up=True, depth=depth, direct_only=direct_only)

    def downstream(self, name: str, *, depth: int | None = None, direct_only: bool = False) -> Result:
        """Return the edges on all paths from a dataset or a column, and the jobs that read at their ends.

        Args:
            name: What to start from.
            depth: The most hops; None for all.
            direct_only: Only uses of values, without filters, joins and the like.

        Raises:
            UsageError: The name means nothing in the store, or several things.
        """
        return self._traced(name, up=False, depth=depth, direct_only=direct_only)

    def impact(self, name: str) -> Result:
        """Return all that depends on a dataset or a column through all hops, readers included.

        Raises:
            UsageError: The name means nothing in the store, or several things.
        """
        return Result(impact(self._store, find_changed(self._store, name)))

    def columns(self, dataset: str) -> Result:
        """Return a dataset's columns: types, and the expressions, sources and jobs that make each.

        Raises:
            UsageError: The name is not a dataset of the store.
        """
        return Result(lookups.columns(self._store, dataset))

    def history(self, dataset: str) -> Result:
        """Return the versions of a dataset's schema, and the changes of its schema and lineage, the oldest first.

        Raises:
            UsageError: The name is not a dataset of the store.
        """
        return Result(story(self._store, dataset))

    def changes(self, since: Since) -> Result:
        """Return what changed in schemas and lineage since a time, and what depends on it."""
        return Result(changes(self._store, _moment(since)))

    def unused(self, since: Since) -> Result:
        """Return datasets and columns that were written and not read since a time."""
        return Result(unused(self._store, _moment(since)))

    def gaps(self, *, every: bool = False) -> Result:
        """Return what could not be resolved, by reason with an example.

        Args:
            every: Each gap with its statement.
        """
        return Result(lookups.gaps(self._store, every=every))

    def jobs(self) -> Result:
        """Return the jobs, by their stable names."""
        return Result(lookups.jobs(self._store))

    def sql(self, query: str) -> Result:
        """Run one SELECT in DuckDB's SQL over the store's tables, views and macros (`docs/tables.md`).

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

    def _traced(self, name: str, **how: Any) -> Result:
        return Result(lookups.trace(self._store, name, **how))


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


def _moment(since: Since) -> datetime:
    """Return a time as UTC without a zone."""
    moment = datetime.now(timezone.utc) - since if isinstance(since, timedelta) else since
    return moment.astimezone(timezone.utc).replace(tzinfo=None) if moment.tzinfo else moment
