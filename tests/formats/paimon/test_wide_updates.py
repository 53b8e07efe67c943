"""Paimon's UPDATE of a wide table, whose relation lists the first columns only."""

from __future__ import annotations

from eventlog_lineage.lineage.trace_statement import trace_texts

UPDATE = """== Physical Plan ==
Execute UpdatePaimonTableCommand (1)
   +- UpdatePaimonTableCommand (2)


(1) Execute UpdatePaimonTableCommand
Output: []

(2) UpdatePaimonTableCommand
Arguments: RelationV2[k#1L, c1#2, ... 16 more fields] pai.d.wide d.wide, \
org.apache.paimon.table.PrimaryKeyFileStoreTable@6a20d001, {condition}, [assignment(c9#10, (c8#9 + c9#10))]
"""


def test_assignments_of_columns_that_the_relation_does_not_list_are_complete() -> None:
    lineage = trace_texts(UPDATE.format(condition="(c5#6 > 4.0)"))
    edges = {(each.source_column, each.target_column, str(each.transformation)) for each in lineage.edges}
    assert edges == {("c8", "c9", "TRANSFORMATION"), ("c9", "c9", "TRANSFORMATION"), ("c5", None, "FILTER")}
    assert lineage.gaps == ()


def test_attributes_next_to_a_subquery_may_be_its_own() -> None:
    lineage = trace_texts(UPDATE.format(condition="k#1L IN (list#40 [id#30L])"))
    assert "16 of 18 columns are truncated" in [gap.detail for gap in lineage.gaps]
