"""A condition that compares a subquery with the outer query is a JOIN."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts

WRITTEN = """== Physical Plan ==
Execute InsertIntoDataSourceDirCommand (1)
   +- InsertIntoDataSourceDirCommand (2)
         +- Project (5)
            :  +- Aggregate (8)
            :     +- Filter (7)
            :        +- SubqueryAlias (6)
            :           +- LogicalRelation (3)
            +- SubqueryAlias (4)
               +- LogicalRelation (3)


(1) Execute InsertIntoDataSourceDirCommand
Output: []

(2) InsertIntoDataSourceDirCommand
Arguments: Storage(Location: /data/out), csv, true

(3) LogicalRelation
Arguments: parquet, [id#1, depot#2, region#3, cap#4], `cx`.`depots`, false

(4) SubqueryAlias
Arguments: d

(5) Project
Arguments: [depot#2, scalar-subquery#9 [region#3] AS cap#10]

(6) SubqueryAlias
Arguments: e

(7) Filter
Arguments: {condition}

(8) Aggregate
Arguments: [max(cap#4) AS max(cap)#11]

"""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("(region#3 = outer(region#3))", {("region", "JOIN")}),
        ("((id#1 > 5) AND (region#3 = outer(region#3)))", {("region", "JOIN"), ("id", "FILTER")}),
        ("(id#1 = outer(id#1))", {("id", "JOIN")}),
        ("(id#1 > 5)", {("id", "FILTER")}),
    ],
)
def test_both_queries_have_the_ids_of_a_table_that_both_read_up_to_3_1(
    condition: str, expected: set[tuple[str, str]]
) -> None:
    edges = trace_texts(WRITTEN.format(condition=condition)).edges
    assert {(each.source_column, each.transformation) for each in edges if each.target_column is None} == expected
