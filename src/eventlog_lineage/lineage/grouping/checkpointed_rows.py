"""Find the execution that made the rows of a checkpoint, which other plans read through an RDD.

`Dataset.checkpoint` and `localCheckpoint` run the query as an execution of their own, with a job if they are eager, and
return a `LogicalRDD` with the query's attributes (2.1 to 4.3). Two checkpoints of one table can have the same
attribute ids, and one side of a join of a checkpoint with itself has new ids; the RDD's number distinguishes them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from eventlog_lineage.plan.summary.row_scans import RowScan

from .execution_summary import ExecutionSummary

_Batch = tuple[str, "int | None"]
"""The run of a streaming query, and the number of one of its micro-batches."""

_CALLS = frozenset({"checkpoint", "localCheckpoint"})


class Checkpoints:
    """The executions of an application whose rows other executions read.

    Args:
        ordered: All executions, in the order of their ids.
        readers: The ids of micro-batches whose rows are passed to a `foreachBatch` function.
    """

    def __init__(self, ordered: Sequence[ExecutionSummary], readers: Collection[int] = ()) -> None:
        self._readers = frozenset(readers)
        batches = {_batch_of(each) for each in ordered if each.execution_id in self._readers}
        self._by_rdd = _by_rdd(ordered, batches)
        self._eager = {each.execution_id for each in self._by_rdd.values()}
        makers = self._eager | self._readers
        self._makers = [each for each in ordered if each.call in _CALLS or each.execution_id in makers]

    def maker_of(self, execution: ExecutionSummary, scan: RowScan) -> ExecutionSummary | None:
        """Return the execution that made the rows of a scan; None for rows of no checkpoint.

        Args:
            execution: The execution whose plan has the scan.
            scan: The scan.
        """
        found = self._by_rdd.get(scan.rdd) if scan.rdd is not None else None
        if found is not None or not scan.ids:
            return found
        makers = (
            self._with_ids(execution, scan) or self._of_originals(execution, scan) or self._in_jobs(execution, scan)
        )
        return next(reversed(makers), None)

    def _with_ids(self, execution: ExecutionSummary, scan: RowScan) -> list[ExecutionSummary]:
        """Return the executions before another one that may have made a scan's rows, by its attributes."""
        ids = frozenset(scan.ids)
        makers = [each for each in self._before(execution) if ids.issubset(each.summary.ids)]
        in_jobs = {self._by_rdd[rdd].execution_id for rdd in execution.job_facts.checkpoints if rdd in self._by_rdd}
        certain = [each for each in makers if each.execution_id in in_jobs]
        made = self._eager if scan.rdd is not None else set()
        lazy = [each for each in makers if each.execution_id not in made]
        return certain or lazy or makers

    def _of_originals(self, execution: ExecutionSummary, scan: RowScan) -> list[ExecutionSummary]:
        """Return the execution that made the rows of a scan with new ids, if only one can have.

        In a join of a checkpoint with itself, one side has new ids (`DeduplicateRelations`), the other one those of the
        checkpoint's query.
        """
        makers: dict[tuple[str, tuple[int, ...]], ExecutionSummary] = {}
        for original in execution.summary.row_scans:
            if original.ids != scan.ids and original.names == scan.names and original.rdd == scan.rdd:
                found = self._with_ids(execution, original)
                for each in found[-1:] if scan.rdd is not None else found:
                    makers[each.summary.fingerprint, each.summary.ids] = each
        return list(makers.values()) if len(makers) == 1 else []

    def _in_jobs(self, execution: ExecutionSummary, scan: RowScan) -> list[ExecutionSummary]:
        """Return the execution that made the only checkpoint which a plan's jobs read, if no other scan has its ids.

        A checkpoint that is joined with the table that it was made of has new ids (`DeduplicateRelations`).
        """
        makers = {
            self._by_rdd[rdd].execution_id: self._by_rdd[rdd]
            for rdd in execution.job_facts.checkpoints
            if rdd in self._by_rdd and self._by_rdd[rdd].execution_id < execution.execution_id
        }
        others = [each for each in execution.summary.row_scans if each.ids != scan.ids]
        is_only = len(makers) == 1 and not others and scan.rdd is None
        return list(makers.values()) if is_only else []

    def _before(self, execution: ExecutionSummary) -> Iterable[ExecutionSummary]:
        is_checkpoint = execution.call in _CALLS or execution.execution_id in self._eager
        for each in self._makers:
            if each.execution_id >= execution.execution_id:
                return
            if each.execution_id not in self._readers:
                yield each
            elif is_checkpoint and _batch_of(each) == _batch_of(execution):
                yield each  # other statements match the batch's rows by name (`streaming.batch_rows`)


def _by_rdd(ordered: Iterable[ExecutionSummary], batches: Collection[_Batch]) -> dict[int, ExecutionSummary]:
    """Return the execution that made each checkpoint, by its RDD's number: the first one with a job of the RDD.

    Args:
        ordered: All executions, in the order of their ids.
        batches: The micro-batches whose rows are passed to a `foreachBatch` function.
    """
    found: dict[int, ExecutionSummary] = {}
    seen: set[int] = set()
    for execution in ordered:
        new = [rdd for rdd in execution.job_facts.checkpoints if rdd not in seen]
        seen.update(new)
        if new and (execution.call in _CALLS or _checkpoints_in(batches, execution, max(new))):
            found[max(new)] = execution
    return found


def _checkpoints_in(batches: Collection[_Batch], execution: ExecutionSummary, rdd: int) -> bool:
    """Return whether a `foreachBatch` function made an RDD by a checkpoint, whose first job an execution runs.

    The executions of a micro-batch all have the call site of the method that started the stream (3.5 to 4.3). A query
    that is the first one to read a lazy checkpoint prints its RDD.
    """
    is_query = _batch_of(execution) in batches and not execution.summary.command
    return is_query and all(scan.rdd != rdd for scan in execution.summary.row_scans)


def _batch_of(execution: ExecutionSummary) -> _Batch:
    return execution.stream_run_id, execution.stream_batch_id
