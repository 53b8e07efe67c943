"""`UPDATE SET *` and `INSERT *` of wide tables, of which a command prints the first columns."""

from __future__ import annotations

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace_texts

COUNT = 30
PRINTED = 24
SOURCE = [f"c{each}#{100 + each}L" for each in range(COUNT)]
TARGET = [f"c{each}#{200 + each}L" for each in range(COUNT)]
MERGE = """== Physical Plan ==
Execute MergeIntoPaimonTable (1)
   +- MergeIntoPaimonTable (2)


(1) Execute MergeIntoPaimonTable
Output: []

(2) MergeIntoPaimonTable
Arguments: SparkTable(org.apache.paimon.table.PrimaryKeyFileStoreTable@55fcaa6d), SubqueryAlias t, SubqueryAlias s, \
(c0#200L = c0#100L), [updateaction(None, {listed}, ... {missing} more fields)], []
"""
JOB = f"""== Physical Plan ==
* SortMergeJoin FullOuter (3)
:- BatchScan raw.news (1)
+- BatchScan sales.kept (2)


(1) BatchScan raw.news
Output [{COUNT}]: [{", ".join(SOURCE)}]
PaimonScan: [news]

(2) BatchScan sales.kept
Output [{COUNT}]: [{", ".join(TARGET)}]
class org.apache.paimon.spark.PaimonSplitScan

(3) SortMergeJoin
Left keys [1]: [c0#100L]
Right keys [1]: [c0#200L]
Join type: FullOuter
Join condition: None
"""


def merged(values: list[str], missing: int = COUNT - PRINTED) -> StatementLineage:
    listed = ", ".join(f"assignment({own}, {value})" for own, value in zip(TARGET, values, strict=False))
    return trace_texts(MERGE.format(listed=listed, missing=missing), JOB)


def sources(lineage: StatementLineage) -> dict[str, tuple[str, str]]:
    """The source and the confidence of each column."""
    return {
        each.target_column: (f"{each.source_dataset}.{each.source_column}".partition(".")[2], str(each.confidence))
        for each in lineage.edges
        if each.target_column and str(each.dependency) == "DIRECT"
    }


def test_the_columns_that_are_not_printed_have_the_source_s_columns_of_the_same_name() -> None:
    lineage = merged(SOURCE[:PRINTED])
    wanted = {f"c{each}": (f"raw.news.c{each}", "exact" if each < PRINTED else "inferred") for each in range(COUNT)}
    assert sources(lineage) == wanted
    assert lineage.gaps == ()


def test_a_clause_with_another_value_is_not_completed() -> None:
    lineage = merged([SOURCE[1], *SOURCE[1:PRINTED]])
    assert "c29" not in sources(lineage)
    assert [str(gap.reason) for gap in lineage.gaps] == ["truncated_fields"]


def test_a_clause_of_fewer_columns_than_the_table_has_is_not_completed() -> None:
    lineage = merged(SOURCE[:PRINTED], missing=2)
    assert "c25" not in sources(lineage)
    assert [str(gap.reason) for gap in lineage.gaps] == ["truncated_fields"]


def test_columns_that_keep_their_values_are_no_sign_of_a_star() -> None:
    lineage = merged(TARGET[:PRINTED])
    assert [str(gap.reason) for gap in lineage.gaps] == ["truncated_fields"]
