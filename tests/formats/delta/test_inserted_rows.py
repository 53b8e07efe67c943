"""A MERGE that only inserts: its rows are projected without the aliases that the clause names."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.results.lineage_names import render_lineage
from eventlog_lineage.lineage.trace_statement import trace_texts

MERGE = """== Physical Plan ==
Execute MergeIntoCommand (1)
   +- MergeIntoCommand (2)


(1) Execute MergeIntoCommand
Output: []

(2) MergeIntoCommand
Arguments: SubqueryAlias s, SubqueryAlias t, `spark_catalog`.`core`.`t`, Delta[version=2, file:/wh/core.db/t], \
(id#1L = {key}), {clauses}, StructType(StructField(id,LongType,true),StructField(seen,StringType,true)), false

"""
INSERT = "[Insert [actions: [`id` = id#4L, `seen` = seen#9]]]"
KEPT = "[Update [condition: (day#5 > seen#3), actions: [`id` = id#1L, `seen` = seen#3]]], "
UPDATE = "[Update [actions: [`seen` = seen#9]]], "
ROWS = """== Physical Plan ==
Project (2)
+- Scan parquet spark_catalog.stage.s (1)


(1) Scan parquet spark_catalog.stage.s
Output [2]: [id#4L, day#5]
Batched: true
Location: PreparedDeltaFileIndex [file:/wh/stage.db/s]
ReadSchema: struct<id:bigint,day:string>

(2) Project
Output [2]: [id#4L AS id#20L, day#5 AS seen#21]
Input [2]: [id#4L, day#5]

"""


def resolved(key: str, clauses: str) -> list[str]:
    text = render_lineage(trace_texts(MERGE.format(key=key, clauses=clauses), ROWS))
    return [" ".join(line.split()[:3]) for line in text.splitlines()[1:]]


def test_a_renamed_column_of_the_source_is_the_one_that_the_rows_have() -> None:
    found = resolved("id#4L", INSERT)
    assert "seen <- spark_catalog.stage.s.day" in found
    assert not any(line.startswith("gap ") for line in found)


def test_a_clause_that_keeps_the_column_does_not_matter() -> None:
    found = resolved("id#4L", KEPT + INSERT)
    assert "seen <- spark_catalog.stage.s.day" in found
    assert not any(line.startswith("gap ") for line in found)


@pytest.mark.parametrize(("key", "clauses"), [("seen#9", INSERT), ("id#4L", UPDATE + INSERT)])
def test_a_key_or_another_clause_of_an_unknown_attribute_keeps_the_gap(key: str, clauses: str) -> None:
    assert any(line.startswith("gap unknown_source") for line in resolved(key, clauses))
