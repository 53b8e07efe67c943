"""`CREATE VIEW v (…)`: the names that the statement gives to its columns."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts

# Spark 4.3.0: CREATE VIEW v (id, `…`, c COMMENT 'x') AS SELECT a, b, c FROM t
PLAN = """== Physical Plan ==
Execute CreateViewCommand (1)
   +- CreateViewCommand (2)
         +- Project (4)
            +- Relation (3)


(1) Execute CreateViewCommand
Output: []

(2) CreateViewCommand
Arguments: `spark_catalog`.`mart`.`v`, [(id,None), ({},None), (c,Some(x))], SELECT 1, false, true, PersistedView, true

(3) Relation
Arguments: [a#1, b#2, c#3], parquet

(4) Project
Arguments: [a#1, b#2, c#3]

"""


@pytest.mark.parametrize("name", ["late", "late (min)", "a, b", "x#1"])
def test_a_views_columns_have_the_names_of_the_statement(name: str) -> None:
    lineage = trace_texts(PLAN.format(name))
    assert [edge.target_column for edge in lineage.edges if edge.target_column] == ["id", name, "c"]
