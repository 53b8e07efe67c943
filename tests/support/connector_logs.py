"""The logs of `scripts/connectors/make_logs.py`, over real servers."""

from __future__ import annotations

from pathlib import Path

from eventlog_lineage.lineage.application import TracedStatement

LOGS = Path(__file__).resolve().parent.parent / "connector_logs"


def edges(statement: TracedStatement) -> set[str]:
    """The edges of a statement: `target column, or * for all rows, source column, transformation`."""
    found = (each for each in statement.lineage.edges if each.source_dataset)
    return {f"{e.target_column or '*'} {e.source_dataset}.{e.source_column} {e.transformation}" for e in found}
