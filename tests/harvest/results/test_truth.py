"""The store that a harvest of the sample logs makes, against the truth that was written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from eventlog_lineage.harvest.run import HarvestResult
from support.sample_logs_truth import Statement, load_truth
from support.truth import FoundEdge, FoundStatement, differences

LOGS = Path(__file__).resolve().parents[2] / "sample_logs"
TRUTH = [statement for path in sorted(LOGS.glob("*.truth")) for statement in load_truth(path)]
CASES = [(name, truth) for truth in TRUTH if truth.kind != "helper" for name in truth.logs]

_STATEMENT = """
    SELECT e.app_id, e.attempt_id, e.execution_id, e.status
    FROM executions e JOIN applications a USING (app_id, attempt_id)
    WHERE a.log_path LIKE '%/' || $log AND e.description = $description
      AND EXISTS (SELECT 1 FROM execution_column_lineage l WHERE l.app_id = e.app_id AND l.attempt_id = e.attempt_id
                  AND l.execution_id = e.execution_id AND (l.target_dataset IS NOT NULL) = $writes)
"""
_EDGES = """
    SELECT source_dataset, source_column, target_column, target_ordinal, dependency, transformation, masking, confidence
    FROM execution_column_lineage WHERE app_id = ? AND attempt_id = ? AND execution_id = ?
"""
_IO = "SELECT dataset, direction, mode FROM dataset_io WHERE app_id = ? AND attempt_id = ? AND execution_id = ?"
_GAPS = "SELECT reason || ': ' || detail FROM gaps WHERE app_id = ? AND attempt_id = ? AND execution_id = ?"


@pytest.fixture(scope="module")
def tables(sample_store: tuple[Path, HarvestResult]) -> Iterator[duckdb.DuckDBPyConnection]:
    """The store's tables in memory: hundreds of statements are asked for, each in four queries."""
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{sample_store[0] / 'lineage.duckdb'}' AS store (READ_ONLY)")
        for name in ("applications", "executions", "execution_column_lineage", "dataset_io", "gaps"):
            connection.execute(f"CREATE TABLE {name} AS FROM store.{name}")
        yield connection


def found(tables: duckdb.DuckDBPyConnection, name: str, truth: Statement) -> FoundStatement:
    asked = {"log": name, "description": truth.description, "writes": truth.kind == "write"}
    statements = tables.execute(_STATEMENT, asked).fetchall()
    assert len(statements) == 1
    *key, status = statements[0]
    io = tables.execute(_IO, key).fetchall()
    writes = [(dataset, mode) for dataset, direction, mode in io if direction == "write"]
    return FoundStatement(
        target=writes[0][0] if writes else None,
        mode=writes[0][1] if writes else "",
        status=status,
        edges=tuple(FoundEdge(*row) for row in tables.execute(_EDGES, key).fetchall()),
        sources=frozenset(dataset for dataset, direction, _ in io if direction == "read"),
        gaps=tuple(row[0] for row in tables.execute(_GAPS, key).fetchall()),
    )


@pytest.mark.spark
@pytest.mark.parametrize(("name", "truth"), CASES, ids=[f"{name}/{truth.description}" for name, truth in CASES])
def test_the_store_tells_a_statement_as_its_author_wrote_it_down(
    tables: duckdb.DuckDBPyConnection, name: str, truth: Statement
) -> None:
    assert differences(truth, found(tables, name, truth)) == []
