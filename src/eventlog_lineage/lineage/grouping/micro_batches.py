"""Find the executions of micro-batches: the one that reads the stream, and the statements of `foreachBatch`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.stream_locations import StreamLocations

from .execution_summary import ExecutionSummary

_CHECKPOINTS = frozenset({"checkpoint", "localCheckpoint"})

Batches = dict[int, tuple[StreamLocations, ExecutionSummary | None]]
"""Root execution to (locations of its query, micro-batch whose rows it reads); None for the micro-batch itself."""


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
        found[reader.execution_id] = (locations.in_complete_mode() if reader.is_complete else locations, None)
        inside = [execution for execution in group if execution is not reader and _is_inside(execution, reader, roots)]
        roots.update((execution.execution_id, reader.execution_id) for execution in inside)
        if locations.has_batch_function:
            for statement in _statements(inside, roots):
                found[statement.execution_id] = (locations.without_sink(), reader)
    return found


def in_connect_batches(
    ordered: Sequence[ExecutionSummary], roots: Mapping[int, int], streams: Mapping[str, StreamLocations]
) -> Sequence[ExecutionSummary]:
    """Return the executions; a statement of a Connect client that reads the rows of a batch gets that batch.

    Connect's server runs a `foreachBatch` function in a worker of its own, which sends its statements to the session as
    any client does (3.5 to 4.3): they run during the batch and read its rows, under operations of their own.

    Args:
        ordered: An application's executions in the order of their ids.
        roots: Execution to root.
        streams: Run id of a streaming query to its locations.
    """
    if not any(each.has_batch_function for each in streams.values()) or not any(each.operation for each in ordered):
        return ordered
    readers: list[ExecutionSummary] = []
    batches: dict[int, ExecutionSummary] = {}
    kept: dict[int, int] = {}  # an attribute to the first checkpoint that has it
    for execution in ordered:
        if execution.call in _CHECKPOINTS:
            for number in execution.summary.ids:
                kept.setdefault(number, execution.execution_id)
    for execution in ordered:
        locations = streams.get(execution.stream_run_id)
        if locations is not None and locations.has_batch_function and roots[execution.execution_id] not in batches:
            readers.append(execution)
        elif execution.operation and not execution.stream_run_id and execution.summary.row_scans:
            readers = [reader for reader in readers if not _has_ended(reader, execution)]
            batch = _batch_read(execution, [each for each in readers if each.contains(execution)], kept)
            if batch is not None:
                batches[roots[execution.execution_id]] = batch
    return [
        each._replace(stream_run_id=batch.stream_run_id, stream_batch_id=batch.stream_batch_id)
        if (batch := batches.get(roots[each.execution_id])) is not None
        else each
        for each in ordered
    ]


def _has_ended(reader: ExecutionSummary, execution: ExecutionSummary) -> bool:
    """Return whether a batch ended before an execution started.

    Args:
        reader: The execution of the batch.
        execution: The execution that may read its rows.
    """
    return reader.ended_at is not None and (execution.started_at or 0) > reader.ended_at


def _batch_read(
    execution: ExecutionSummary, during: Sequence[ExecutionSummary], kept: Mapping[int, int]
) -> ExecutionSummary | None:
    """Return the batch whose rows a client's execution reads; None if it reads other rows, or several are possible.

    Args:
        execution: The execution.
        during: The batches with a function that it ran in.
        kept: Attribute to the first checkpoint that has it: rows of a checkpoint from before a batch are not its rows.
    """
    ids = {number for scan in execution.summary.row_scans for number in scan.ids}
    named = [each for each in during if ids.intersection(each.summary.ids)] if len(during) > 1 else during
    if len(named) != 1:
        return None
    (batch,) = named
    is_kept = bool(ids) and all(kept.get(number, batch.execution_id) < batch.execution_id for number in ids)
    return None if is_kept else batch


def _with_batches(
    ordered: Sequence[ExecutionSummary], roots: Mapping[int, int], streams: Mapping[str, StreamLocations]
) -> list[ExecutionSummary]:
    """Return the executions; a root without a batch gets that of its children, and others that of their root.

    Some connectors clear the job description of the root, and it runs no jobs of its own. A `foreachBatch` function can
    set another description: the root of its executions is the one that reads the stream (3.4 to 4.3).

    Args:
        ordered: An application's executions, in the order of their ids.
        roots: Execution to root.
        streams: Run id of a streaming query to its locations.
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
        roots: Execution to root.
    """
    candidates = [
        execution
        for execution in group
        if roots[execution.execution_id] == execution.execution_id
        and (not execution.summary.command or find_command(execution.summary.command).writes_micro_batch)
        and not execution.summary.is_internal_query
    ]
    inputs = [
        execution
        for execution in candidates
        if any(execution.contains(other) for other in group if other is not execution)
    ]
    return next(iter(inputs or candidates[-1:]), None)


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
        elif execution.summary.command and not find_command(execution.summary.command).is_result:
            roots[execution.execution_id] = execution.execution_id
            statements.append(execution)
    return statements
