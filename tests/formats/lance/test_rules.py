"""Lance: what its plans do not print is a gap."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.trace_statement import trace_texts
from eventlog_lineage.model import GapReason

SCAN = """== Physical Plan ==
* ColumnarToRow (2)
+- BatchScan {name} (1)


(1) BatchScan {name}
Output [1]: [id#27L]
limit: Optional.empty
offset: Optional.empty
pushedAggregation: Optional.empty
topNSortOrders: Optional.empty
whereConditions: {where}

(2) ColumnarToRow [codegen id : 1]
Input [1]: [id#27L]

"""

SCAN_LINE = """== Physical Plan ==
*(1) ColumnarToRow
+- BatchScan b29d7d0e_shop$a_b[id#27L] class org.lance.spark.read.LanceScan RuntimeFilters: []
"""

COMMAND = "== Physical Plan ==\n{name} (1)\n\n\n(1) {name}\nArguments: {arguments}\n\n"


@pytest.mark.parametrize(
    ("where", "columns"),
    [
        ("Optional.empty", set()),
        ("Optional[(op IS NOT NULL)]", set()),
        ("Optional[(op IS NOT NULL) AND (op == 'i')]", {"op"}),
        ("Optional[(op IS NOT NULL) AND (NOT (op == 'd')) AND (amount > 5.0)]", {"op", "amount"}),
    ],
    ids=["none", "not null", "equals", "not and greater"],
)
def test_the_filters_that_a_scan_applies_influence_all_rows(where: str, columns: set[str]) -> None:
    lineage = trace_texts(SCAN.format(name="b29d7d0e_shop$a_b", where=where))
    assert {edge.source_column for edge in lineage.edges if edge.target_column is None} == columns


def test_a_scan_of_a_catalogs_folder_is_the_tables() -> None:
    lineage = trace_texts(SCAN.format(name="b29d7d0e_shop$a_b", where="Optional.empty"))
    assert [use.dataset.name for use in lineage.accesses] == ["spark_catalog.shop.a_b"]


def test_a_scan_of_a_path_is_no_table_of_a_catalog() -> None:
    lineage = trace_texts(SCAN.format(name="c2", where="Optional.empty"))
    assert [(use.dataset.name, use.dataset.kind) for use in lineage.accesses] == [("lance:c2", "other")]


def test_a_scan_without_its_filters_is_a_gap() -> None:
    lineage = trace_texts(SCAN_LINE)
    assert [(gap.reason, gap.detail) for gap in lineage.gaps] == [
        (GapReason.UNKNOWN_SOURCE, "the filters of BatchScan b29d7d0e_shop$a_b")
    ]
    assert [edge.source_dataset for edge in lineage.edges] == ["spark_catalog.shop.a_b"]


@pytest.mark.parametrize("name", ["AddColumnsBackfill", "Optimize", "Vacuum", "AddIndex"])
@pytest.mark.parametrize("arguments", ["", "[a]", "shop.orders", "catalog@1f"])
def test_a_command_without_its_table_is_a_gap(name: str, arguments: str) -> None:
    lineage = trace_texts(COMMAND.format(name=name, arguments=arguments))
    assert lineage.target is None
    assert [gap.reason for gap in lineage.gaps] == [GapReason.UNKNOWN_TARGET]
