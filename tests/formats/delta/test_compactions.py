"""A table compacts its files after a write: the execution that rewrites them is not the write's query."""

from __future__ import annotations

import pytest

from eventlog_lineage.catalog.stream_tables import StreamLocations
from eventlog_lineage.lineage.results.lineage_names import render_lineage
from eventlog_lineage.lineage.statement import StatementContext
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import Dataset

CREATED = """== Physical Plan ==
AtomicCreateTableAsSelect (1)


(1) AtomicCreateTableAsSelect
Arguments: org.apache.spark.sql.delta.catalog.DeltaCatalog@a6e33c6, core.t, [temp_cluster_by(id)], \
Project [id#4L, day#5], TableSpec(Map(),Some(delta),Map(),None,None,None,false), false

"""
APPENDED = """== Physical Plan ==
AppendDataExecV1 (1)


(1) AppendDataExecV1
Arguments: DeltaTableV2(org.apache.spark.sql.SparkSession@7,file:/wh/core.db/t,Some(CatalogTable(
Catalog: spark_catalog
Database: core
Table: t
)),Some(core.t),None,Map()), Project [id#4L, day#5], x

"""


def scan(table: str, index: str, location: str) -> str:
    return f"""== Physical Plan ==
* ColumnarToRow (2)
+- Scan parquet {table} (1)


(1) Scan parquet {table}
Output [2]: [id#4L, day#5]
Batched: true
Location: {index} [file:/wh/{location}]
ReadSchema: struct<id:bigint,day:string>

(2) ColumnarToRow [codegen id : 1]
Input [2]: [id#4L, day#5]

"""


QUERY = scan("spark_catalog.stage.s", "PreparedDeltaFileIndex", "stage.db/s")
COMPACTION = scan("", "TahoeBatchFileIndex", "core.db/t")


@pytest.mark.parametrize("command", [CREATED, APPENDED])
@pytest.mark.parametrize("executions", [(QUERY, COMPACTION), (QUERY, COMPACTION, COMPACTION)])
def test_the_rows_are_those_of_the_query(command: str, executions: tuple[str, ...]) -> None:
    lineage = trace_texts(command, *executions)
    found = [" ".join(line.split()[:3]) for line in render_lineage(lineage).splitlines()[1:]]
    assert found == ["id <- spark_catalog.stage.s.id", "day <- spark_catalog.stage.s.day"]


def test_listed_files_of_another_table_are_a_source() -> None:
    batch = scan("", "TahoeBatchFileIndex", "stage.db/s")
    text = render_lineage(trace_texts(APPENDED, batch))
    assert "id <- file:///wh/stage.db/s.id" in " ".join(text.split())


def test_a_streams_rows_are_those_of_its_source() -> None:
    batch = scan("", "TahoeBatchFileIndex", "stage.db/s")
    streamed = StreamLocations(sink=Dataset("file:///wh/core.db/t", "path"))
    lineage = trace_texts(batch, batch, COMPACTION, context=StatementContext(stream=streamed))
    sources = {edge.source_dataset for edge in lineage.edges}
    assert (lineage.target and lineage.target.name, sources) == ("file:///wh/core.db/t", {"file:///wh/stage.db/s"})
