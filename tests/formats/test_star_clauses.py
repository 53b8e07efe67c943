"""`UPDATE SET *` and `INSERT *` of wide tables, of which a command prints the first columns."""

from __future__ import annotations

from eventlog_lineage.catalog.application_facts import ScannedTable
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.statement import HiddenTables, StatementContext
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


HUDI = """== Physical Plan ==
Execute MergeIntoHoodieTableCommand (1)
   +- MergeIntoHoodieTableCommand (2)


(1) Execute MergeIntoHoodieTableCommand
Output: []

(2) MergeIntoHoodieTableCommand
Arguments: MergeIntoTable (c0#200L = c0#100L), [updateaction(None, {updated}, ... 3 more fields)], [insertaction(None, \
{inserted}, ... 6 more fields)]
"""


def test_a_star_of_hudi_is_completed_next_to_a_clause_of_fewer_columns() -> None:
    pairs = [f"assignment({own}, {value})" for own, value in zip(TARGET, SOURCE, strict=True)]
    text = HUDI.format(updated=", ".join(pairs[1:24]), inserted=", ".join(pairs[:24]))
    names = tuple(f"c{each}" for each in range(COUNT))
    hidden = HiddenTables(
        scanned=(ScannedTable("spark_catalog.raw.news", "hudi", names, (names,)),), commit_location="/w"
    )
    lineage = trace_texts(text, context=StatementContext(hidden=hidden))
    assert sources(lineage) == {name: (f"raw.news.{name}", "inferred") for name in names}
    assert [gap.detail for gap in lineage.gaps if str(gap.reason) == "truncated_fields"] == [
        "3 of 27 assignments of a clause are truncated"
    ]
