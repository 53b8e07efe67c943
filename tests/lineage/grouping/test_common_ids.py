"""The ids of a statement's plans, which all of its runs share."""

from __future__ import annotations

from eventlog_lineage.catalog.application_facts import NO_SETTINGS, ExecutionSummary
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.plan.plan_text import PlanText

MERGE = """== Physical Plan ==
Execute MergeIntoCommand (1)
   +- MergeIntoCommand (2)


(1) Execute MergeIntoCommand
Output: []

(2) MergeIntoCommand
Arguments: SubqueryAlias s, SubqueryAlias t, `spark_catalog`.`d`.`t`, Delta[version=1, file:/d/t], (k#{0}L = k#{1}L), \
[Update [actions: [`c1` = c1#{2}]]], []
"""
READ = """== Physical Plan ==
Project (2)
+- Scan parquet spark_catalog.d.t (1)


(1) Scan parquet spark_catalog.d.t
Output [2]: [k#{0}L, k#{1}L]

(2) Project
Output [2]: [k#{0}L, {2}]
"""


def numbers(first: int, second: int, third: int, hidden: str) -> list[int]:
    texts = MERGE.format(first, second, third), READ.format(first, second, hidden)
    plans = [PlanText(text) for text in texts]
    runs = [
        ExecutionSummary(at, 0 if at else None, "", at, 9 - at, plan.summary, "", None) for at, plan in enumerate(plans)
    ]
    (found,) = group_executions(runs, NO_SETTINGS)
    own, *_ = found.context.rows.attribute_ids
    ids = plans[0].numbered.ids
    return [own[ids.index(each)] for each in (first, second, third)]


def test_ids_that_a_truncated_list_hides_keep_their_numbers() -> None:
    hidden = "... 30 more fields"
    assert numbers(100, 140, 141, hidden) == numbers(500, 540, 541, hidden) == [1, 32, 33], "a long way is the same"
    assert numbers(100, 120, 121, hidden) == [1, 21, 22], "the hidden ids of the first relation are not those of others"


def test_without_a_truncated_list_ids_have_no_distances() -> None:
    assert numbers(100, 140, 141, "k#100L") == numbers(100, 120, 190, "k#100L") == [1, 2, 3]
