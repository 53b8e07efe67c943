"""The operators of a plan are stored and rendered as Spark printed them."""

from __future__ import annotations

from eventlog_lineage.harvest.rows.plan_rows import plan_rows
from eventlog_lineage.lineage.results.render import render_plan
from eventlog_lineage.plan.expressions.escapes import is_escaped
from eventlog_lineage.plan.plan_text import PlanText, read_plan
from eventlog_lineage.store.schema.tables import PLAN_NODES

PRINTED = "concat(s#1, , [x], #5 ) AS c1#2, replace(s#1, ... 5 more fields, ]) AS c2#3"
PLAN = f"""== Physical Plan ==
* Project (2)
+- Scan parquet spark_catalog.db.t (1)


(1) Scan parquet spark_catalog.db.t
Output [1]: [s#1]
Batched: true
ReadSchema: struct<s:string>

(2) Project [codegen id : 1]
Output [2]: [{PRINTED}]
Input [1]: [s#1]
"""


def test_literals_that_look_like_structure_are_stored_as_printed() -> None:
    details = [
        dict(zip(PLAN_NODES.column_names, row, strict=True))["detail"]
        for row in plan_rows("p", PlanText(PLAN), mask_literals=False)
    ]
    assert any(f"Output: {PRINTED}" in str(detail) for detail in details)
    assert not any(is_escaped(str(detail)) for detail in details)


def test_literals_that_look_like_structure_are_rendered_as_printed() -> None:
    assert f"Project (2): {PRINTED}" in render_plan(read_plan(PLAN))
