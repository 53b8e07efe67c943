"""Where plans name the tables of catalogs: by the catalog's name, or through the catalog's object."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eventlog_lineage.datasets.naming import split_name
from eventlog_lineage.plan.summary.plan_facts import CatalogObject, CatalogTable, SnapshotRef

from .execution_summary import ExecutionSummary

UNKNOWN = ""
"""Name of a catalog whose name does not follow from the log."""


@dataclass(frozen=True, slots=True)
class TableUse:
    """A table that a plan names with its catalog, or through a catalog's object.

    Attributes:
        at: The execution's id, which grows in time.
        catalog: The catalog's name or the object's hash code.
        table: The table within the catalog: `ns.t`.
        creates: The table did not exist before.
        drops: The table does not exist after.
        session: The session, which has objects of its own: a streaming query's run, or that of a Connect client; empty
            for the application's own, None for one that the log does not name.
    """

    at: int
    catalog: str
    table: str
    creates: bool = False
    drops: bool = False
    session: str | None = ""


class UseTimes:
    """When the tables of catalogs are used: lists of executions in order, found without looking at all uses again.

    An application may write, drop and make a table again thousands of times.

    Args:
        uses: The uses, in any order.
    """

    def __init__(self, uses: Iterable[TableUse]) -> None:
        self._times: dict[tuple[str, str], list[int]] = defaultdict(list)
        for use in uses:
            self._times[use.catalog, use.table].append(use.at)
        for times in self._times.values():
            times.sort()

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Yield the distinct pairs (catalog, table)."""
        return iter(self._times)

    def is_used(self, catalog: str, table: str, first: int, end: int) -> bool:
        """Return whether a table is used from an execution on, and before another one.

        Args:
            catalog: The catalog.
            table: The table.
            first: The id of the first execution.
            end: The id of the execution after the last one.
        """
        times = self._times.get((catalog, table), ())
        place = bisect_left(times, first)
        return place < len(times) and times[place] < end

    def last_until(self, catalog: str, table: str, at: int) -> int | None:
        """Return the last execution up to one that uses a table; None if none does.

        Args:
            catalog: The catalog.
            table: The table.
            at: The id of the last execution.
        """
        times = self._times.get((catalog, table), ())
        place = bisect_right(times, at)
        return times[place - 1] if place else None


def object_tables(ordered: Sequence[ExecutionSummary], class_name: str) -> Iterator[TableUse]:
    """Yield the tables that plans name through an object of a catalog class.

    Args:
        ordered: An application's executions, in the order of their ids.
        class_name: The catalog class.
    """
    for execution in ordered:
        for fact in execution.summary.facts:
            if isinstance(fact, CatalogObject) and fact.class_name == class_name:
                session = _session(execution)
                yield TableUse(execution.execution_id, fact.object_hash, fact.table, fact.creates, fact.drops, session)


def _session(execution: ExecutionSummary) -> str | None:
    """Return the session that an execution certainly runs in; None for one of several clients of a Thrift server.

    Batches of a stream run in a session of their own (`StreamExecution.sparkSessionForStream`).

    Args:
        execution: The execution.
    """
    client, _, operation = execution.operation.partition("_Operation_")
    return execution.stream_run_id or (client if operation else None if execution.is_served else "")


def tables_through_objects(
    ordered: Sequence[ExecutionSummary], catalogs: Mapping[str, str], known: Mapping[str, str]
) -> Iterator[TableUse]:
    """Yield the tables that plans name through the object of a catalog whose name is known.

    Args:
        ordered: An application's executions, in the order of their ids.
        catalogs: Class to name, of the classes with one catalog.
        known: Hash code of an object to its catalog.
    """
    for execution in ordered:
        for fact in execution.summary.facts:
            if isinstance(fact, CatalogObject) and fact.object_hash:
                name = catalogs.get(fact.class_name) or known.get(fact.object_hash, UNKNOWN)
                yield TableUse(execution.execution_id, name, ".".join(split_name(fact.table)))


def qualified_tables(ordered: Sequence[ExecutionSummary], names: Sequence[str]) -> Iterator[TableUse]:
    """Yield the tables that plans qualify with one of these catalog names.

    Args:
        ordered: An application's executions, in the order of their ids.
        names: The names of the catalogs of one class.
    """
    for execution in ordered:
        for fact in execution.summary.facts:
            name = fact.table.name if isinstance(fact, SnapshotRef) else ""
            words = split_name(fact.name if isinstance(fact, CatalogTable) else name)
            if len(words) > 2 and words[0] in names:
                yield TableUse(execution.execution_id, words[0], ".".join(words[1:]))


def stored_tables_of(ordered: Sequence[ExecutionSummary], stored: Sequence[tuple[str, str]]) -> Iterator[TableUse]:
    """Yield the tables that the warehouse of a single catalog holds after the application.

    Args:
        ordered: An application's executions, in the order of their ids.
        stored: (catalog, table in it) of the tables in the catalogs' warehouses.
    """
    tables = Counter(table for _, table in stored)
    last = ordered[-1].execution_id if ordered else 0
    yield from (TableUse(last, catalog, table) for catalog, table in stored if tables[table] == 1)
