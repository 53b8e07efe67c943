"""Find the executions of micro-batches: the one that reads the stream, and the statements of `foreachBatch`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from eventlog_lineage.catalog.application_facts import CatalogSettings, ExecutionSummary
from eventlog_lineage.catalog.stream_tables import StreamLocations, StreamTables, table_of_flow
from eventlog_lineage.extensions import Role, find_command, find_format
from eventlog_lineage.model import Dataset
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef, SnapshotRole
from eventlog_lineage.plan.summary.plan_summary import PlanSummary

CHECKPOINTS = frozenset({"checkpoint", "localCheckpoint"})
"""Calls that keep the rows of an execution for others."""

Batches = dict[int, tuple[StreamLocations, ExecutionSummary | None]]
"""Root execution to (locations of its query, micro-batch whose rows it reads); None for the micro-batch itself."""


def _paths(streams: Mapping[str, StreamLocations]) -> dict[str, Dataset]:
    sinks = ((run_id, each.sink) for run_id, each in streams.items())
    return {run_id: sink for run_id, sink in sinks if sink is not None and sink.kind == "path"}


def _unnamed_and_hidden(sinks: Collection[Dataset]) -> tuple[list[str], list[str]]:
    """Return the paths of sinks that may be tables: of no format, and of formats whose writers hide the table."""
    hidden = [each.name for each in sinks if find_format(each.format).streams.hides_table]
    return [each.name for each in sinks if not each.format], hidden


def with_table_sinks(
    streams: Mapping[str, StreamLocations], ordered: Sequence[ExecutionSummary], settings: CatalogSettings
) -> Mapping[str, StreamLocations]:
    """Return the locations of streaming queries, with a table for each sink that is a table's location.

    Args:
        streams: Run id of a query to where it reads and writes. The location of a table of a table format is known to
            be its table from the format's own plans.
    """
    sinks = _paths(streams)
    unnamed, hidden = _unnamed_and_hidden(sinks.values())
    if not (unnamed or hidden):
        return streams
    tables = StreamTables(settings, {run_id: each.name for run_id, each in sinks.items()})
    for execution in ordered:
        tables.apply(execution)
    known = {**tables.resolve(dict.fromkeys(unnamed)), **{name: tables.managed(name) for name in hidden}}
    found = dict(streams)
    for run_id, sink in sinks.items():
        if table := known.get(sink.name) or table_of_flow(streams[run_id].query, sink.name, settings):
            found[run_id] = streams[run_id].with_table_sink(Dataset(table, "table"))
    return found


def with_scanned_sources(batches: Batches, by_id: Mapping[int, ExecutionSummary]) -> Batches:
    """Return micro-batches, with the tables that other batches of their query scan.

    A batch without new data has an empty relation instead of its scan, and progress events of Iceberg and Paimon have
    only the class of the source.

    Args:
        batches: Root execution to the locations of its query; only the ones without tables of their own change.
    """
    unnamed = [(root, locations) for root, (locations, reader) in batches.items() if _is_unnamed(locations, reader)]
    scanned: dict[str, tuple[str, ...]] = {}
    for root, _ in reversed(unnamed):
        if names := _streamed(by_id[root]):
            scanned[by_id[root].stream_run_id] = names
    found = dict(batches)
    for root, locations in unnamed:
        names = scanned.get(by_id[root].stream_run_id, ())
        if not _streamed(by_id[root]) and len(names) == len(locations.sources):
            found[root] = replace(locations, sources=tuple((Dataset(name, "table"),) for name in names)), None
    return found


def _is_unnamed(locations: StreamLocations, reader: ExecutionSummary | None) -> bool:
    """Return whether a batch without a reader has sources that the progress of its query does not name."""
    return reader is None and bool(locations.sources) and not any(locations.sources)


def _streamed(execution: ExecutionSummary) -> tuple[str, ...]:
    """Return the full names of the tables that the scans of a micro-batch name."""
    facts = (each for each in execution.summary.facts if isinstance(each, SnapshotRef))
    names = (each.table.name for each in facts if each.role is SnapshotRole.STREAMED)
    return tuple(dict.fromkeys(name for name in names if name.count(".") > 1))


def find_micro_batches(
    ordered: Sequence[ExecutionSummary], roots: dict[int, int], streams: Mapping[str, StreamLocations]
) -> Batches:
    """Find the execution of each micro-batch that reads the stream, and the statements that its function runs.

    The execution that reads the stream is the root of all executions of its batch, except those of the function's
    statements: each command is a root, with the executions that run during it, as a batch runs in one thread.

    Args:
        ordered: An application's executions in the order of their ids.
        roots: Execution to root; updated for the executions of a batch's function.
        streams: Run id of a streaming query to its locations.

    Returns:
        The roots of micro-batches and of the statements of their functions.
    """
    found: Batches = {}
    for group in _by_batch(_with_batches(ordered, roots, streams), streams):
        locations = streams[group[0].stream_run_id]
        reader = _reader_of(group, roots)
        if reader is None:
            continue
        found[reader.execution_id] = (replace(locations, is_complete=True) if reader.is_complete else locations, None)
        inside = [execution for execution in group if execution is not reader and _is_inside(execution, reader, roots)]
        roots.update((execution.execution_id, reader.execution_id) for execution in inside)
        if locations.has_batch_function:
            for statement in _statements(inside, roots):
                found[statement.execution_id] = (StreamLocations(locations.sources), reader)  # it writes elsewhere
    return found


def in_connect_batches(
    ordered: Sequence[ExecutionSummary], roots: Mapping[int, int], streams: Mapping[str, StreamLocations]
) -> Sequence[ExecutionSummary]:
    """Return the executions; a statement of a Connect client that reads the rows of a batch gets that batch.

    Connect's server runs a `foreachBatch` function in a worker of its own, which sends its statements to the session as
    any client does (3.5 to 4.3): they run during the batch and read its rows, under operations of their own.
    """
    if not any(each.has_batch_function for each in streams.values()) or not any(each.operation for each in ordered):
        return ordered
    batches = _batches_of_clients(ordered, roots, streams)
    return [
        each._replace(stream_run_id=batch.stream_run_id, stream_batch_id=batch.stream_batch_id)
        if (batch := batches.get(roots[each.execution_id])) is not None
        else each
        for each in ordered
    ]


def _batches_of_clients(
    ordered: Sequence[ExecutionSummary], roots: Mapping[int, int], streams: Mapping[str, StreamLocations]
) -> dict[int, ExecutionSummary]:
    """Return the batches whose rows the statements of Connect clients read, by the roots of the statements."""
    kept = _first_checkpoints(ordered)
    readers: list[ExecutionSummary] = []
    batches: dict[int, ExecutionSummary] = {}
    for execution in ordered:
        root, locations = roots[execution.execution_id], streams.get(execution.stream_run_id)
        if locations is not None and locations.has_batch_function and root not in batches:
            readers.append(execution)
        elif _reads_rows_for_client(execution):
            readers = [reader for reader in readers if not _has_ended(reader, execution)]
            if (batch := _batch_read(execution, readers, kept)) is not None:
                batches[root] = batch
    return batches


def _has_ended(reader: ExecutionSummary, execution: ExecutionSummary) -> bool:
    """Return whether a batch ended before an execution started."""
    return reader.ended_at is not None and (execution.started_at or 0) > reader.ended_at


def _first_checkpoints(ordered: Sequence[ExecutionSummary]) -> dict[int, int]:
    checkpoints = [execution for execution in ordered if execution.call in CHECKPOINTS]
    return {number: each.execution_id for each in reversed(checkpoints) for number in each.summary.ids}


def _reads_rows_for_client(execution: ExecutionSummary) -> bool:
    return bool(execution.operation and not execution.stream_run_id and execution.summary.row_scans)


def _batch_read(
    execution: ExecutionSummary, readers: Sequence[ExecutionSummary], kept: Mapping[int, int]
) -> ExecutionSummary | None:
    """Return the batch whose rows a client's execution reads; None if it reads other rows, or several are possible.

    Args:
        kept: The result of `_first_checkpoints`: rows of a checkpoint from before a batch are not its rows.
    """
    ids = set(chain.from_iterable(scan.ids for scan in execution.summary.row_scans))
    during = [each for each in readers if each.contains(execution)]
    named = [each for each in during if ids.intersection(each.summary.ids)] if len(during) > 1 else during
    if len(named) != 1:
        return None
    (batch,) = named
    newest = max((kept.get(number, batch.execution_id) for number in ids), default=batch.execution_id)
    return None if newest < batch.execution_id else batch


def _with_batches(
    ordered: Sequence[ExecutionSummary], roots: Mapping[int, int], streams: Mapping[str, StreamLocations]
) -> list[ExecutionSummary]:
    """Return the executions; a root without a batch gets that of its children, and others that of their root.

    Some connectors clear the job description of the root, and it runs no jobs of its own. A `foreachBatch` function can
    set another description: the root of its executions is the one that reads the stream (3.4 to 4.3).
    """
    children = {roots[execution.execution_id]: execution for execution in reversed(ordered) if execution.stream_run_id}
    readers = {
        execution.execution_id: execution
        for execution in ordered
        if (locations := streams.get(execution.stream_run_id)) is not None and locations.has_batch_function
    }
    return [
        execution._replace(stream_run_id=other.stream_run_id, stream_batch_id=other.stream_batch_id)
        if not execution.stream_run_id
        and (other := children.get(execution.execution_id) or readers.get(roots[execution.execution_id]))
        else execution
        for execution in ordered
    ]


def _by_batch(
    ordered: Sequence[ExecutionSummary], streams: Mapping[str, StreamLocations]
) -> list[list[ExecutionSummary]]:
    groups: dict[tuple[str, int | None], list[ExecutionSummary]] = {}
    for execution in ordered:
        if execution.stream_run_id in streams:
            groups.setdefault((execution.stream_run_id, execution.stream_batch_id), []).append(execution)
    return list(groups.values())


def _reader_of(group: Sequence[ExecutionSummary], roots: Mapping[int, int]) -> ExecutionSummary | None:
    """Return the execution that reads the stream: it contains the others of its batch, except lookups before it.

    Args:
        group: The executions of one micro-batch, in the order of their ids.
    """
    candidates = [each for each in group if roots[each.execution_id] == each.execution_id and _may_read(each.summary)]
    inputs = (each for each in candidates if any(each.contains(other) for other in group if other is not each))
    return next(iter((*inputs, *candidates[-1:])), None)


def _may_read(summary: PlanSummary) -> bool:
    """Return whether an execution may read a micro-batch: a query of the user, or the batch itself."""
    is_query = not summary.command or find_command(summary.command).role is Role.MICRO_BATCH
    return is_query and not summary.is_internal_query


def _is_inside(execution: ExecutionSummary, reader: ExecutionSummary, roots: Mapping[int, int]) -> bool:
    return roots[execution.execution_id] == reader.execution_id or reader.contains(execution)


def _statements(inside: Sequence[ExecutionSummary], roots: dict[int, int]) -> list[ExecutionSummary]:
    """Return the commands that a batch's function runs; `roots` gets the executions within each.

    Args:
        inside: The executions of a micro-batch that run within the one that reads the stream.
        roots: Execution to root; updated.
    """
    statements: list[ExecutionSummary] = []
    for execution in inside:
        outer = next((each for each in reversed(statements) if each.contains(execution)), None)
        if outer is not None:
            roots[execution.execution_id] = outer.execution_id
        elif execution.summary.command and find_command(execution.summary.command).role is not Role.RESULT:
            roots[execution.execution_id] = execution.execution_id
            statements.append(execution)
    return statements
