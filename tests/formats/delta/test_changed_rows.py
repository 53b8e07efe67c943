"""The filters that Delta puts above the rows of a MERGE into a table with a change feed are not the user's."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts

PLAN = """== Physical Plan ==
Filter (3)
+- Project (2)
   +- Scan parquet spark_catalog.shop.orders (1)


(1) Scan parquet spark_catalog.shop.orders
Output [2]: [id#1L, name#2]
ReadSchema: struct<id:bigint,name:string>

(2) Project
Output [2]: [CASE WHEN isnotnull(id#1L) THEN array(struct(id, id#1L)) END AS projectedCDC#3, array(name#2) AS tags#4]
Input [2]: [id#1L, name#2]

(3) Filter
Input [2]: [projectedCDC#3, tags#4]
Condition : CONDITION
"""


@pytest.mark.parametrize(
    ("condition", "filtered"),
    [
        ("(size(projectedCDC#3, true) > 0)", []),
        ("((size(projectedCDC#3) > 0) AND isnotnull(projectedCDC#3))", []),
        ("(isnotnull(packedData#3._row_dropped_) AND NOT packedData#3._row_dropped_)", []),
        ("((size(tags#4, true) > 0) AND (size(projectedCDC#3, true) > 0))", ["id", "name"]),
        ("(size(tags#4, true) > 0)", ["name"]),
    ],
)
def test_the_filter_of_written_rows_is_the_connectors(condition: str, filtered: list[str]) -> None:
    found = trace_texts(PLAN.replace("CONDITION", condition))
    assert sorted(each.source_column or "" for each in found.edges if each.transformation == "FILTER") == filtered
