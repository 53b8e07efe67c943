"""Queries with which Spark infers the schema of CSV files."""

from __future__ import annotations

import pytest

from eventlog_lineage.plan.plan_text import PlanText, infers_schema

FORMATTED = """== Physical Plan ==
CollectLimit (3)
+- * Filter (2)
   +- Scan text  (1)


(1) Scan text 
Output [1]: [value#61]
Location: InMemoryFileIndex [file:/landing/orders/a.csv]
ReadSchema: struct<value:string>

(2) Filter [codegen id : 1]
Input [1]: [value#61]
Condition : (length(trim(value#61, None)) > 0)

(3) CollectLimit
Input [1]: [value#61]
Arguments: 1
"""  # noqa: W291 - as Spark prints it
TREE = """== Physical Plan ==
CollectLimit 1
+- *(1) Filter ((length(trim(value#6, None)) > 0) AND NOT StartsWith(value#6, #))
   +- FileScan text [value#6] Batched: false, Location: InMemoryFileIndex[file:/landing/orders/a.csv]
"""
LINES = """== Physical Plan ==
DeserializeToObject (2)
+- Scan text  (1)


(1) Scan text 
Output [1]: [value#189]
Location: InMemoryFileIndex [file:/lake/csv/part-00001-87a5cd2a-c000.csv, ... 3 entries]
ReadSchema: struct<value:string>

(2) DeserializeToObject
Input [1]: [value#189]
Arguments: invoke(value#189.toString()), obj#204: java.lang.String
"""  # noqa: W291 - as Spark prints it
SAMPLED = LINES.replace("+- Scan text", "+- * Sample (2)\n   +- Scan text")


@pytest.mark.parametrize("text", [FORMATTED, TREE, LINES, SAMPLED], ids=["formatted", "tree", "lines", "sampled lines"])
def test_the_lines_from_which_spark_infers_a_schema_have_no_lineage(text: str) -> None:
    assert infers_schema(text)
    assert PlanText(text).is_internal_query


@pytest.mark.parametrize(
    "text",
    [
        FORMATTED.replace("length(trim(", "length(upper("),
        FORMATTED.replace("Scan text ", "Scan csv "),
        FORMATTED.replace("CollectLimit (3)\n+- ", "Execute InsertIntoHadoopFsRelationCommand (3)\n+- "),
        LINES.replace("part-00001-87a5cd2a-c000.csv, ... 3 entries", "lines"),
        LINES.replace("value#189.toString()", "upper(value#189)"),
    ],
    ids=["another filter", "another format", "a write", "a folder", "other values"],
)
def test_other_queries_of_text_have_their_lineage(text: str) -> None:
    assert not infers_schema(text)
