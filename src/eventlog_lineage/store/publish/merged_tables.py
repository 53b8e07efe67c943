"""The files of a version, written on another core while the fold goes on: of days, and of tables that are complete."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING

from eventlog_lineage.store.fold.pipeline import FOLD_STEPS
from eventlog_lineage.store.schema.internal_tables import KEPT_TABLES
from eventlog_lineage.store.schema.tables import HARVESTED_LOGS, HARVESTS, PUBLIC_TABLES

from .database import beside, point_to_runs
from .parquet import Target, export_days, export_tables
from .versions import by_number

if TYPE_CHECKING:
    import duckdb

    from eventlog_lineage.store.fold.pipeline import Days, Merged

TABLES_OF_FOLD: frozenset[str] = frozenset().union(*(step.relations().changes for step in FOLD_STEPS))
"""Tables that change after the merge; the others are written while these are made."""

TABLES_OF_HARVEST = frozenset({HARVESTS.name, HARVESTED_LOGS.name})
"""Tables with rows of the harvest itself, which are entered last."""

TABLES_OF_MERGE = frozenset(table.name for table in (*PUBLIC_TABLES, *KEPT_TABLES)) - TABLES_OF_FOLD - TABLES_OF_HARVEST
"""Tables that are complete after the merge."""


@dataclass(slots=True)
class FilesAside:
    """Writes files in a thread of its own, one after another.

    Attributes:
        connection: The draft's database; the thread has connections of its own, without the fold's temporary relations.
        target: Where to.
    """

    connection: duckdb.DuckDBPyConnection
    target: Target
    _stack: ExitStack
    _merged: Event = field(default_factory=Event)
    _submitted: list[Future[None]] = field(default_factory=list)
    _thread: ThreadPoolExecutor | None = None
    _plain: duckdb.DuckDBPyConnection | None = None

    def begin_days(self, days: Days) -> None:
        """Begin to write the affected days, unless that has begun; their gaps are written after `end_merge`.

        Args:
            days: The days. No run-level rows change any more but gaps.
        """
        if self._thread:
            return
        other, plain = (self._stack.enter_context(beside(self.connection)) for _ in range(2))
        self._plain, self._thread = plain, self._stack.enter_context(ThreadPoolExecutor(max_workers=1))
        self._stack.callback(self._merged.set)  # the thread does not wait for a merge that has failed

        def after_runs() -> None:
            with by_number(self.target.version) as path:
                point_to_runs(plain, path)
            self._merged.wait()

        self._submitted.append(self._thread.submit(export_days, other, self.target, days, after_runs))

    def end_merge(self, merged: Merged) -> None:
        """Write the days, unless that has begun, and the tables that the fold leaves as they are after the merge.

        Args:
            merged: What the merge did.
        """
        self.begin_days(merged.affected_days)
        self._merged.set()
        self._export(TABLES_OF_MERGE, merged)

    def end_fold(self, merged: Merged) -> None:
        """Write the tables that the fold has made.

        Args:
            merged: What the merge did.
        """
        self._export(TABLES_OF_FOLD, merged)

    def wait(self) -> None:
        """Wait until all that was begun is written."""
        for each in self._submitted:
            each.result()
        self._submitted.clear()

    def _export(self, names: Collection[str], merged: Merged) -> None:
        if self._thread and self._plain:
            self._submitted.append(
                self._thread.submit(export_tables, self._plain, self.target, changed=merged.changed, names=names)
            )


@contextmanager
def files_aside(connection: duckdb.DuckDBPyConnection, target: Target) -> Iterator[FilesAside]:
    """Yield what writes files in a thread of its own, which has ended after the block.

    Args:
        connection: The draft's database.
        target: Where to.
    """
    with ExitStack() as stack:
        yield FilesAside(connection, target, stack)
