"""Rows of an assembled log: the log, its application, its executions and their metrics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import attrgetter

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.openlineage import catalog_namespaces
from eventlog_lineage.events.records import AssembledLog, Execution, OperatorMetrics
from eventlog_lineage.events.run_cost import RunCost
from eventlog_lineage.events.sources.event_log import EventLog
from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.model import Gap
from eventlog_lineage.plan.summary.plan_summary import PlanSummary
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.shown_tables import SEEN_CATALOGS, SEEN_PLACES
from eventlog_lineage.store.schema.staged_ids import staged_id
from eventlog_lineage.store.schema.tables import APPLICATIONS, EXECUTIONS, GAPS, HARVESTED_LOGS, IO_METRICS

_LARGEST = 2**63 - 1
_COST_COLUMNS = (
    "executor_run_ms",
    "executor_cpu_ms",
    "input_bytes",
    "shuffle_read_bytes",
    "shuffle_write_bytes",
    "memory_spilled_bytes",
    "disk_spilled_bytes",
)
"""Columns of `executions` that are named as the attributes of `RunCost`."""
_COST_VALUES = attrgetter(*_COST_COLUMNS)
_UNKNOWN_COST: dict[str, int | None] = dict.fromkeys(_COST_COLUMNS)

_ROWS = "number of output rows"
_READ_BYTES = (
    "size of files read",
    "size of static filtered files read",
)
_CONNECTOR_BYTES = ("total data file size (bytes)", "total delete file size (bytes)")
"""Metrics of a V2 scan's own (Iceberg 1.2+, `SparkScan.supportedCustomMetrics`)."""
_READ_FILES = ("number of files read", "number of static filtered files read", "number of result data files")
_WRITTEN_BYTES = ("written output", "bytes of written output")
_WRITTEN_FILES = ("number of written files",)
_SCAN_TABLE = re.compile(
    r"^(?:Gpu|Photon|Comet|Native)*(?:(?:Batch)?Scan \S+ ([\w-]+\.[\w.-]+)|BatchScan ([\w-]+(?:\.[\w-]+){2,}))\s*$"
)
_LOCATION = re.compile(r"\[([^,\]]+)")


def application_row(log: AssembledLog) -> Row:
    """Return the row of `applications`."""
    return APPLICATIONS.row.of(log.application)


def catalog_rows(log: AssembledLog) -> Iterator[Row]:
    """Yield the rows of `seen_catalogs`: the namespaces of catalogs in the application's settings."""
    app = log.application
    for catalog, namespace in catalog_namespaces(app.settings).items():
        yield SEEN_CATALOGS.row(catalog=catalog, namespace=namespace, shown_at=app.started_at)


def place_rows(log: AssembledLog, places: Iterable[tuple[str, str]]) -> Iterator[Row]:
    """Yield the rows of `seen_places`: the tables of an application and the places of their files in its warehouses.

    Args:
        log: The log's content.
        places: The tables and the places.
    """
    for dataset, location in places:
        yield SEEN_PLACES.row(dataset=dataset, location=location, shown_at=log.application.started_at)


def log_row(log: AssembledLog, source: EventLog) -> Row:
    """Return the row of `harvested_logs`.

    Args:
        log: The log's content.
        source: The log as it was listed.
    """
    return HARVESTED_LOGS.row(
        log_path=source.path,
        app_id=log.application.app_id,
        attempt_id=log.application.attempt_id,
        size=source.size,
        modified_at=source.modified_at,
        state=log.state,
        error=log.error or None,
    )


def failed_log_row(source: EventLog, error: str) -> Row:
    """Return the row of `harvested_logs` for a log on which the program fails.

    Args:
        source: The log as it was listed.
        error: The error's text.
    """
    return HARVESTED_LOGS.row(
        log_path=source.path,
        app_id=staged_id(source.app_id, None, ""),
        attempt_id=source.attempt_id,
        size=source.size,
        modified_at=source.modified_at,
        state="unreadable",
        error=error,
    )


def failed_log_gaps(source: EventLog, gap: Gap) -> Iterator[Row]:
    """Yield the rows of `gaps` for a log on which the program fails.

    Args:
        source: The log as it was listed.
        gap: The error.
    """
    yield GAPS.row.of(gap, app_id=staged_id(source.app_id, None, ""), attempt_id=source.attempt_id, execution_id=None)


def execution_rows(
    log: AssembledLog, summaries: Mapping[int, PlanSummary], statements: Sequence[Statement], roots: Mapping[int, int]
) -> Iterator[Row]:
    """Yield the rows of `executions`; a root has the counts and the cost of all executions of its statement.

    Args:
        log: The log's content.
        summaries: Execution id to the summary of its plan.
        statements: The statements of the log.
        roots: Execution id to the root of its statement.
    """
    app = log.application
    lineage_ids = {statement.root: statement.lineage_id for statement in statements}
    written = {execution.execution_id: _written(execution.metrics) for execution in log.executions}
    cost = {execution.execution_id: execution.cost for execution in log.executions}
    several = [statement for statement in statements if len(statement.members) > 1]
    totals = {statement.root: _sum(written[member] for member in statement.members) for statement in several}
    costs = {statement.root: _total_cost(cost[member] for member in statement.members) for statement in several}
    for execution in log.executions:
        number = execution.execution_id
        rows, size, files = totals.get(number) or written[number]
        task = execution.scheduler or app.scheduler
        yield EXECUTIONS.row(
            app_id=app.app_id,
            attempt_id=app.attempt_id,
            execution_id=number,
            root_execution_id=roots[number],
            description=execution.description,
            started_at=execution.started_at,
            ended_at=execution.ended_at,
            duration_ms=_duration(execution),
            status=execution.status,
            error=execution.error or None,
            plan_fingerprint=summaries[number].fingerprint or None,
            lineage_id=lineage_ids.get(number),
            rows_written=rows,
            bytes_written=size,
            files_written=files,
            stream_query_id=execution.stream_query_id or None,
            stream_batch_id=execution.stream_batch_id,
            sql_text=execution.sql_text or execution.described_sql or None,
            user_name=execution.user_name or None,
            scheduler=task.scheduler if task else None,
            scheduler_task=task.task if task else None,
            scheduler_run=(task.run or None) if task else None,
            **_cost_columns(costs.get(number) or cost[number]),
        )


def metrics_rows(log: AssembledLog, roots: Mapping[int, int]) -> Iterator[Row]:
    """Yield the rows of `io_metrics`, by statement and dataset; a write has no dataset: it is the statement's target.

    Args:
        log: The log's content.
        roots: Execution id to the root of its statement.
    """
    app = log.application
    totals: dict[tuple[int, str, str], list[int | None]] = {}
    for execution in log.executions:
        for operator in execution.metrics:
            direction, name = _accessed(operator)
            key = (roots[execution.execution_id], name, direction)
            counts = _read_counts(operator) if direction == "read" else _written_counts(operator)
            totals[key] = _add(totals.get(key), counts)
    for (root, name, direction), (rows, size, files) in totals.items():
        if direction == "write" and rows is size is files is None:
            continue  # an operator of a write that only reads, as in Iceberg's row-level commands
        yield IO_METRICS.row(
            app_id=app.app_id,
            attempt_id=app.attempt_id,
            execution_id=root,
            dataset=name,
            direction=direction,
            rows=rows,
            bytes=size,
            files=files,
        )


def gap_rows(log: AssembledLog) -> Iterator[Row]:
    """Yield the rows of `gaps` of the log itself; those of its statements belong to their lineages."""
    app = log.application
    for gap in log.gaps:
        yield GAPS.row.of(gap, app_id=app.app_id, attempt_id=app.attempt_id, execution_id=None)


def _cost_columns(cost: RunCost | None) -> dict[str, int | None]:
    """Return the values of the columns with what an execution costs, by their names; all None if that is unknown."""
    return _UNKNOWN_COST if cost is None else dict(zip(_COST_COLUMNS, _COST_VALUES(cost), strict=True))


def _total_cost(costs: Iterable[RunCost | None]) -> RunCost | None:
    known = [cost for cost in costs if cost is not None]
    return reduce(RunCost.plus, known) if known else None


def _duration(execution: Execution) -> int | None:
    if execution.started_at is None or execution.ended_at is None:
        return None
    return execution.ended_at - execution.started_at


def _accessed(operator: OperatorMetrics) -> tuple[str, str]:
    """Return the direction and the dataset of an operator with metrics; a write has no dataset."""
    if _is_write(operator):
        return "write", ""
    if match := _SCAN_TABLE.match(operator.node_name):
        return "read", naming.table_name(match[1] or match[2])
    if match := _LOCATION.search(operator.location):
        return "read", naming.path_name(match[1])
    return "read", operator.node_name


def _is_write(operator: OperatorMetrics) -> bool:
    name = operator.node_name
    return name.startswith(("Execute", "Write")) or find_command(name.partition(" ")[0]).writes_rows


def _read_counts(operator: OperatorMetrics) -> tuple[int | None, int | None, int | None]:
    values = operator.values
    size = _first(values, _READ_BYTES)
    parts = [values[name] for name in _CONNECTOR_BYTES if name in values]
    return values.get(_ROWS), sum(parts) if size is None and parts else size, _first(values, _READ_FILES)


def _written_counts(operator: OperatorMetrics) -> tuple[int | None, int | None, int | None]:
    values = operator.values
    return values.get(_ROWS), _first(values, _WRITTEN_BYTES), _first(values, _WRITTEN_FILES)


def _written(operators: Iterable[OperatorMetrics]) -> tuple[int | None, int | None, int | None]:
    return _sum(_written_counts(operator) for operator in operators if _is_write(operator))


def _first(values: Mapping[str, int], names: Iterable[str]) -> int | None:
    return next((values[name] for name in names if name in values), None)


def _sum(counts: Iterable[Sequence[int | None]]) -> tuple[int | None, int | None, int | None]:
    total: list[int | None] | None = None
    for each in counts:
        total = _add(total, each)
    rows, size, files = total or (None, None, None)
    return rows, size, files


def _add(total: Sequence[int | None] | None, counts: Sequence[int | None]) -> list[int | None]:
    """Add counts; a count that no operator has stays unknown.

    Args:
        total: The sum so far; None if unknown.
        counts: Counts of operators.
    """
    if total is None:
        return list(counts)
    return [
        right if left is None else min(left + (right or 0), _LARGEST) for left, right in zip(total, counts, strict=True)
    ]
