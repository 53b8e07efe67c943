"""Rows of a statement's lineage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from eventlog_lineage.harvest.row_batches import RowBatches
from eventlog_lineage.lineage.results.masking import without_literals
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.lineage.tracing.trace_statement import trace
from eventlog_lineage.observed_schemas import to_stored
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.store.schema.history_tables import LINEAGE_SCHEMAS
from eventlog_lineage.store.schema.rows import Row
from eventlog_lineage.store.schema.shown_tables import SHOWN_DATASETS
from eventlog_lineage.store.schema.tables import LINEAGE_EDGES, LINEAGE_GAPS, LINEAGE_IO, LINEAGES, PLAN_NODES

from .plan_rows import plan_rows


def add_lineage(
    statement: Statement,
    texts: Mapping[str, str],
    batches: RowBatches,
    *,
    traced_at: int | None = None,
    mask_literals: bool = False,
) -> None:
    """Trace a statement once for all its runs, and add the rows of its lineage and of its plans' operators.

    Args:
        statement: The statement of one run.
        texts: Fingerprint to plan text.
        batches: Receives the rows.
        traced_at: Start of the run, in epoch milliseconds; None if it is unknown.
        mask_literals: Leave the statement's literals out of them.
    """
    plans = {name: PlanText(texts[name]) for name in statement.fingerprints if name in texts}
    lineage = trace(statement, plans)
    if mask_literals:
        lineage = without_literals(lineage)
    batches.add(LINEAGES, _lineage_row(statement.lineage_id, lineage, traced_at))
    batches.add(LINEAGE_EDGES, *_edge_rows(lineage, traced_at))
    batches.add(LINEAGE_IO, *_io_rows(lineage))
    batches.add(LINEAGE_GAPS, *_gap_rows(lineage))
    batches.add(LINEAGE_SCHEMAS, *_schema_rows(statement.lineage_id, lineage))
    batches.add(SHOWN_DATASETS, *_dataset_rows(statement.lineage_id, lineage))
    for fingerprint in dict.fromkeys(statement.fingerprints[: statement.size]):
        if fingerprint in plans:
            batches.add(PLAN_NODES, *plan_rows(fingerprint, plans[fingerprint], mask_literals=mask_literals))


def _lineage_row(lineage_id: str, lineage: StatementLineage, traced_at: int | None) -> Row:
    return LINEAGES.row(
        lineage_id=lineage_id,
        lineage_fingerprint=lineage.fingerprint,
        command=lineage.command,
        target_dataset=lineage.target.name if lineage.target else None,
        mode=lineage.mode,
        traced_at=traced_at,
    )


def _edge_rows(lineage: StatementLineage, traced_at: int | None) -> Iterator[Row]:
    for position, edge in enumerate(lineage.edges):
        yield LINEAGE_EDGES.row.of(
            edge, lineage_fingerprint=lineage.fingerprint, position=position, traced_at=traced_at
        )


def _io_rows(lineage: StatementLineage) -> Iterator[Row]:
    for use in lineage.accesses:
        yield LINEAGE_IO.row(
            lineage_fingerprint=lineage.fingerprint,
            dataset=use.dataset.name,
            direction=use.direction,
            mode=use.mode,
            columns=use.columns,
        )


def _gap_rows(lineage: StatementLineage) -> Iterator[Row]:
    for gap in lineage.gaps:
        yield LINEAGE_GAPS.row.of(gap, lineage_fingerprint=lineage.fingerprint)


def _schema_rows(lineage_id: str, lineage: StatementLineage) -> Iterator[Row]:
    for position, observation in enumerate(lineage.observations):
        stored = to_stored(observation)
        columns = [
            {"name": column.name, "data_type": column.data_type, "derivation": column.derivation}
            for column in stored.columns
        ]
        yield LINEAGE_SCHEMAS.row.of(stored, lineage_id=lineage_id, position=position, columns=columns)


def _dataset_rows(lineage_id: str, lineage: StatementLineage) -> Iterator[Row]:
    for table, location in lineage.aliases:
        yield SHOWN_DATASETS.row(lineage_id=lineage_id, dataset=table, kind="", format="", location=location)
    for dataset in lineage.datasets:
        yield SHOWN_DATASETS.row(
            lineage_id=lineage_id,
            dataset=dataset.name,
            kind=dataset.kind,
            format=dataset.format,
            location=dataset.location,
        )
