"""Rows of a lineage, whatever it was read from: plans, or what a producer reports."""

from __future__ import annotations

from collections.abc import Iterator

from eventlog_lineage.harvest.row_batches import RowBatches
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.observed_schemas import to_stored
from eventlog_lineage.store.schema.declaration import Row
from eventlog_lineage.store.schema.tables import (
    LINEAGE_EDGES,
    LINEAGE_GAPS,
    LINEAGE_IO,
    LINEAGE_JOINS,
    LINEAGE_SCHEMAS,
    LINEAGES,
    SHOWN_DATASETS,
)


def add_rows(lineage_id: str, lineage: StatementLineage, traced_at: int | None, batches: RowBatches) -> None:
    """Add the rows of a lineage.

    Args:
        traced_at: The start of the run that it is read from, epoch milliseconds.
    """
    batches.add(LINEAGES, _lineage_row(lineage_id, lineage, traced_at))
    batches.add(LINEAGE_EDGES, *_edge_rows(lineage, traced_at))
    batches.add(LINEAGE_IO, *_io_rows(lineage))
    batches.add(LINEAGE_JOINS, *_join_rows(lineage))
    batches.add(LINEAGE_GAPS, *_gap_rows(lineage))
    batches.add(LINEAGE_SCHEMAS, *_schema_rows(lineage_id, lineage))
    batches.add(SHOWN_DATASETS, *_dataset_rows(lineage_id, lineage))


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


def _join_rows(lineage: StatementLineage) -> Iterator[Row]:
    for join in lineage.joins:
        yield LINEAGE_JOINS.row.of(join, lineage_fingerprint=lineage.fingerprint)


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
