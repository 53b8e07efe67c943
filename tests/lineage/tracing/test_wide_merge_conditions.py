"""A wide MERGE whose clauses have conditions on columns with truncated values."""

from __future__ import annotations

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason

COLUMNS = ("id", "c1", "c2", "c3", "changed")
PLAN = """== Physical Plan ==
ReplaceData (5)
+- MergeRows (4)
   +- BroadcastHashJoin LeftOuter BuildRight (3)
      :- BatchScan lake.shop.t (1)
      +- BatchScan lake.shop.s (2)


(1) BatchScan lake.shop.t
Output [6]: [id#1, c1#2, c2#3, c3#4, changed#5, _file#6]
IcebergCopyOnWriteScan(table=lake.shop.t, schemaId=0, snapshotId=5, branch=null, filters=, groupedBy=)

(2) BatchScan lake.shop.s
Output [{width}]: [id#11, c1#12, c2#13, c3#14, changed#15{more}, __row_from_source#17]
IcebergScan(table=lake.shop.s, schemaId=0, snapshotId=6, branch=null, filters=, runtimeFilters=, groupedBy=)

(3) BroadcastHashJoin
Left keys [1]: [id#1]
Right keys [1]: [id#11]
Join type: LeftOuter
Join condition: None

(4) MergeRows
Input [12]: [id#1, c1#2, c2#3, c3#4, changed#5, _file#6, id#11, c1#12, c2#13, c3#14, changed#15, __row_from_source#17]
Arguments: isnotnull(__row_from_source#17), true, [keep(Update, (changed#15 > 3), 6, {first}, {second}, ... 4 more \
fields), keep(Copy, true, 6, id#1, c1#2, ... 4 more fields)], [keep(Copy, true, 6, id#1, c1#2, ... 4 more fields)], \
false, [__row_operation#20, id#21, c1#22, ... 4 more fields]

(5) ReplaceData
Input [7]: [__row_operation#20, id#21, c1#22, c2#23, c3#24, changed#25, _file#26]
Arguments: IcebergWrite(table=lake.shop.t, format=PARQUET)

"""


def lineage(first: str = "id#11", second: str = "c1#12", more: str = "") -> StatementLineage:
    return trace_texts(PLAN.format(first=first, second=second, more=more, width=7 if more else 6))


def sources(found: StatementLineage) -> dict[str | None, set[tuple[str | None, str | None]]]:
    columns: dict[str | None, set[tuple[str | None, str | None]]] = {}
    for edge in found.edges:
        if edge.dependency == "DIRECT":
            columns.setdefault(edge.target_column, set()).add((edge.source_dataset, edge.source_column))
    return columns


def test_a_column_of_a_condition_has_the_value_of_its_name_as_all_others_have() -> None:
    found = lineage()
    assert sources(found) == {name: {("lake.shop.s", name)} for name in COLUMNS}
    assert {edge.confidence for edge in found.edges if edge.target_column == "changed"} == {"inferred"}
    assert [gap.reason for gap in found.gaps] == [GapReason.TRUNCATED_FIELDS]


def test_a_printed_value_of_another_name_shows_that_the_clause_is_no_star() -> None:
    assert ("lake.shop.s", "changed") not in sources(lineage(second="c2#13")).get("changed", set())


def test_an_unused_source_column_without_a_namesake_shows_that_the_clause_is_no_star() -> None:
    assert ("lake.shop.s", "changed") not in sources(lineage(more=", other#16")).get("changed", set())
