"""`Expand`: the names that an UNPIVOT puts into its rows."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace_texts

# Spark 4.3.0: SELECT id, quarter, value FROM invoices UNPIVOT (value FOR quarter IN (q1 AS `…`, q2 AS `…`))
PLAN = """== Physical Plan ==
* Expand (2)
+- Scan parquet spark_catalog.default.invoices (1)


(1) Scan parquet spark_catalog.default.invoices
Output [3]: [id#455L, q1#461, q2#462]
Batched: true
ReadSchema: struct<id:bigint,q1:double,q2:double>

(2) Expand [codegen id : 1]
Input [3]: [id#455L, q1#461, q2#462]
Arguments: [[id#455L, {}, q1#461], [id#455L, {}, q2#462]], [id#455L, quarter#464, value#465]

"""


def traced(*names: str) -> StatementLineage:
    return trace_texts(PLAN.format(*names))


@pytest.mark.parametrize("names", [("Q#1, 26", "Q(2)"), ("Q#1", "Q#2"), ("a, b, c", "d"), ("q1", "q2")])
def test_names_are_literals_whatever_they_contain(names: tuple[str, str]) -> None:
    lineage = traced(*names)
    found = [(edge.target_column, edge.source_column) for edge in lineage.edges]
    assert found == [("id", "id"), ("quarter", None), ("value", "q1"), ("value", "q2")]
    assert lineage.gaps == ()


def test_a_row_that_cannot_be_divided_is_a_gap() -> None:
    lineage = traced("a, q2#462, b", "c")
    assert [str(gap.reason) for gap in lineage.gaps] == ["unparsed_expression"]
