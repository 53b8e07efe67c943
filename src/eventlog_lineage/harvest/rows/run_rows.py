"""Rows that differ between runs of one lineage: snapshots of tables, micro-batches with their offsets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone

from eventlog_lineage.events.records import AssembledLog
from eventlog_lineage.lineage.catalog_settings import CatalogSettings
from eventlog_lineage.lineage.results.snapshot_uses import find_snapshots, source_names
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.lineage.stream_locations import locate_streams
from eventlog_lineage.plan.summary.plan_summary import PlanSummary
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.tables import BATCH_SOURCES, RUN_SNAPSHOTS


def snapshot_rows(
    log: AssembledLog,
    statements: Sequence[Statement],
    summaries: Mapping[int, PlanSummary],
    catalog_settings: CatalogSettings,
) -> Iterator[Row]:
    """Yield the rows of `run_snapshots`: the snapshots that each statement read and made, as far as the log has them.

    Args:
        log: The log's content.
        statements: The statements of the log.
        summaries: Execution id to the summary of its plan.
        catalog_settings: The settings of the application's catalogs.
    """
    app = log.application
    executions = {execution.execution_id: execution for execution in log.executions}
    for use in find_snapshots(statements, executions, summaries, catalog_settings, log.progress):
        yield RUN_SNAPSHOTS.row(
            app_id=app.app_id,
            attempt_id=app.attempt_id,
            execution_id=use.execution_id,
            dataset=use.dataset,
            direction=use.direction,
            snapshot_id=use.snapshot_id,
            snapshot_confidence=use.confidence,
        )


def batch_rows(
    log: AssembledLog,
    statements: Sequence[Statement],
    summaries: Mapping[int, PlanSummary],
    catalog_settings: CatalogSettings,
) -> Iterator[Row]:
    """Yield the rows of `batch_sources`: one for each source of each micro-batch that reported its progress.

    Args:
        log: The log's content.
        statements: The statements of the log.
        summaries: Execution id to the summary of its plan.
        catalog_settings: The settings of the application's catalogs.
    """
    app = log.application
    places = locate_streams(log.progress)
    roots = _batch_statements(log, statements)
    for each in log.progress:
        root_statement = roots.get((each.run_id, each.batch_id))
        known = places[each.run_id]
        if root_statement is not None:
            names = source_names(root_statement, summaries, catalog_settings)
        else:
            names = [some[0].name if some and len(some) == 1 else "" for some in known.sources]
        for number, (description, start, end, rows) in enumerate(each.sources, 1):
            yield BATCH_SOURCES.row(
                app_id=app.app_id,
                attempt_id=app.attempt_id,
                stream_query_id=each.query_id,
                stream_run_id=each.run_id,
                stream_batch_id=each.batch_id,
                query_name=each.name,
                execution_id=root_statement.root if root_statement is not None else None,
                started_at=_milliseconds(each.timestamp),
                source_number=number,
                source_dataset=names[number - 1] or None if number <= len(names) else None,
                source_description=description,
                start_offset=start,
                end_offset=end,
                input_rows=rows,
                sink_dataset=known.sink.name if known.sink is not None else None,
                sink_description=each.sink,
                output_rows=each.rows_written,
            )


def _batch_statements(log: AssembledLog, statements: Sequence[Statement]) -> dict[tuple[str, int | None], Statement]:
    """Return the statement of each micro-batch, by the run of its stream and the batch's id.

    Statements that a function of `foreachBatch` runs are left out.

    Args:
        log: The log's content.
        statements: The statements of the log.
    """
    by_id = {execution.execution_id: execution for execution in log.executions}
    found: dict[tuple[str, int | None], Statement] = {}
    for statement in statements:
        if statement.context.stream is not None and statement.context.batch is None:
            root = by_id[statement.root]
            found.setdefault((root.stream_run_id, root.stream_batch_id), statement)
    return found


def _milliseconds(timestamp: str) -> int | None:
    """Return the epoch milliseconds of `2026-11-21T11:06:24.545Z`; None for a text that is not a time."""
    try:
        parsed = datetime.fromisoformat(timestamp.replace("Z", "+00:00"))
    except ValueError:
        return None
    return round(parsed.astimezone(timezone.utc).timestamp() * 1000)
