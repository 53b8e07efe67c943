"""The executions of micro-batches: which one reads the stream, which are statements of `foreachBatch`'s function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.stream_locations import StreamLocations

from .execution_summary import ExecutionSummary

Batches = dict[int, tuple[StreamLocations, ExecutionSummary | None]]
"""Root execution to where its query reads and writes, and to the micro-batch whose rows it is given."""


def nest_in_batches(
    ordered: Sequence[ExecutionSummary], roots: dict[int, int], streams: Mapping[str, StreamLocations]
) -> Batches:
    """Finds each micro-batch's own execution, and makes statements of the commands that a batch's function runs.

    All executions of a batch have the batch's for their root; a command that its function runs is a statement of its
    own, to which belongs what runs in its time: a batch is one thread.

    Args:
        ordered: An application's executions in the order of their ids.
        roots: Execution to root; changed for what runs in a batch's function.
        streams: ExecutionSummary id of a streaming query to where it reads and writes.

    Returns:
        The roots of micro-batches and of their functions' statements.
    """
    found: Batches = {}
    for group in _by_batch(_named(ordered, roots), streams):
        places = streams[group[0].stream_run_id]
        reading = _reading(group, roots)
        if reading is None:
            continue
        found[reading.execution_id] = (places, None)
        inside = [run for run in group if run is not reading and _is_inside(run, reading, roots)]
        roots.update((run.execution_id, reading.execution_id) for run in inside)
        if places.nests:
            for statement in _statements(inside, roots):
                found[statement.execution_id] = (places.inside(), reading)
    return found


def _named(ordered: Sequence[ExecutionSummary], roots: Mapping[int, int]) -> list[ExecutionSummary]:
    """Roots that lost their description and have no jobs, as Hudi's: their batch is that of their children."""
    inner = {roots[run.execution_id]: run for run in reversed(ordered) if run.stream_run_id}
    return [
        replace(run, stream_run_id=told.stream_run_id, stream_batch_id=told.stream_batch_id)
        if not run.stream_run_id and (told := inner.get(run.execution_id))
        else run
        for run in ordered
    ]


def _by_batch(
    ordered: Sequence[ExecutionSummary], streams: Mapping[str, StreamLocations]
) -> list[list[ExecutionSummary]]:
    groups: dict[tuple[str, int | None], list[ExecutionSummary]] = {}
    for run in ordered:
        if run.stream_run_id in streams:
            groups.setdefault((run.stream_run_id, run.stream_batch_id), []).append(run)
    return list(groups.values())


def _reading(group: Sequence[ExecutionSummary], roots: Mapping[int, int]) -> ExecutionSummary | None:
    """The execution that reads the stream: around all others of its batch, behind what a source looks up before."""
    candidates = [
        run
        for run in group
        if roots[run.execution_id] == run.execution_id
        and (not run.summary.command or find_command(run.summary.command).writes_micro_batch)
        and not run.summary.is_internal_query
    ]
    inputs = [run for run in candidates if any(run.contains(other) for other in group if other is not run)]
    return next(iter(inputs or candidates[-1:]), None)


def _is_inside(run: ExecutionSummary, reading: ExecutionSummary, roots: Mapping[int, int]) -> bool:
    return roots[run.execution_id] == reading.execution_id or reading.contains(run)


def _statements(inside: Sequence[ExecutionSummary], roots: dict[int, int]) -> list[ExecutionSummary]:
    """The commands, and by `roots` what ran within each."""
    statements: list[ExecutionSummary] = []
    for run in inside:
        outer = next((each for each in reversed(statements) if each.contains(run)), None)
        if outer is not None:
            roots[run.execution_id] = outer.execution_id
        elif run.summary.command and not find_command(run.summary.command).is_result:
            roots[run.execution_id] = run.execution_id
            statements.append(run)
    return statements
