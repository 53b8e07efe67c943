"""`LOAD DATA` moves files: the columns are those of the table, which other plans of the application list."""

from __future__ import annotations

import pytest

from eventlog_lineage.catalog.application_facts import NO_SETTINGS, ExecutionSummary
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.lineage.trace_statement import trace
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.plan_text import PlanText

LOAD = """== Physical Plan ==
Execute LoadDataCommand (1)
   +- LoadDataCommand (2)


(1) Execute LoadDataCommand
Output: []

(2) LoadDataCommand
Arguments: `spark_catalog`.`shop`.`visits`, /data/visits, false, false

"""
READ = """== Physical Plan ==
Scan hive spark_catalog.shop.visits (1)


(1) Scan hive spark_catalog.shop.visits
Output [1]: [id#1]
Arguments: [id#1], HiveTableRelation [`spark_catalog`.`shop`.`visits`, org.apache.Serde, \
Data Cols: [id#1, city#2], Partition Cols: []]

"""
FILES = "file:///data/visits"


def loaded(*texts: str, load: int = 0) -> StatementLineage:
    """The statement with this number of an application with these plans."""
    plans = [PlanText(text) for text in texts]
    runs = [
        ExecutionSummary(number, number, "", number, number, plan.summary, "", None)
        for number, plan in enumerate(plans)
    ]
    (found,) = [each for each in group_executions(runs, NO_SETTINGS) if each.root == load]
    return trace(found, {plan.summary.fingerprint: plan for plan in plans})


def edges(lineage: StatementLineage) -> list[tuple[str | None, str | None, str | None, str]]:
    return [
        (each.source_dataset, each.source_column, each.target_column, str(each.confidence)) for each in lineage.edges
    ]


@pytest.mark.parametrize("texts", [(LOAD, READ), (READ, LOAD)], ids=["read after", "read before"])
def test_each_column_comes_from_the_files(texts: tuple[str, ...]) -> None:
    found = loaded(*texts, load=texts.index(LOAD))
    assert edges(found) == [(FILES, None, "id", "inferred"), (FILES, None, "city", "inferred")]
    assert {str(each.transformation) for each in found.edges} == {"IDENTITY"}
    assert found.gaps == ()


def test_a_partition_column_is_a_literal() -> None:
    partition = LOAD.replace("false, false", "false, true, Map(day -> 2026-11-20)")
    found = loaded(partition, READ.replace("Partition Cols: []", "Partition Cols: [day#3]"))
    assert edges(found)[-1] == (None, None, "day", "exact")
    assert found.mode == "overwrite"


@pytest.mark.parametrize(
    "texts",
    [(LOAD,), (LOAD, READ.replace("city#2]", "city#2...")), (LOAD, READ, READ.replace("city#2]", "city#2, more#3]"))],
    ids=["no other plan", "truncated", "columns that change"],
)
def test_unknown_columns_are_a_gap(texts: tuple[str, ...]) -> None:
    found = loaded(*texts)
    assert edges(found) == []
    assert [gap.reason for gap in found.gaps] == [GapReason.UNKNOWN_SOURCE]
    assert [(each.dataset.name, each.direction) for each in found.accesses] == [
        (FILES, "read"),
        ("spark_catalog.shop.visits", "write"),
    ]
