"""A plan is kept once for all its runs: a MERGE is told whichever run each of its texts is from."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.catalog.application_facts import catalog_settings_of
from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.lineage.application import execution_summaries
from eventlog_lineage.lineage.grouping.statement_groups import group_executions
from eventlog_lineage.lineage.trace_statement import trace
from eventlog_lineage.plan.plan_text import PlanText, summary_of
from eventlog_lineage.plan.summary.fingerprint import number_plan, renumbered

LOGS = Path(__file__).resolve().parents[2] / "lakehouse_logs"


@pytest.mark.parametrize("name", ["delta-3-5", "delta-4-1", "paimon-3-5"])
def test_a_merge_is_told_with_the_texts_of_other_runs(name: str) -> None:
    (log,) = find_logs([str(LOGS / f"{name}.zstd")])
    read = read_log(log)
    summaries = {each.execution_id: summary_of(each.plan) for each in read.executions}
    catalog_settings = catalog_settings_of(read.application.settings)
    texts = {summaries[each.execution_id].fingerprint: each.plan.text for each in read.executions}
    descriptions = {each.execution_id: each.description for each in read.executions}
    compared = 0
    for group in group_executions(execution_summaries(read.executions, read.application.settings), catalog_settings):
        if group.context.rows.attribute_ids and descriptions[group.root].startswith("merge: "):
            mixed = dict(texts)
            for place, fingerprint in enumerate(group.fingerprints):
                ids = number_plan(texts[fingerprint]).ids
                mixed[fingerprint] = renumbered(texts[fingerprint], [each + 100_000 * place for each in ids])
            told, again = (
                trace(group, {name: PlanText(text) for name, text in each.items()}) for each in (texts, mixed)
            )
            assert told.edges == again.edges
            assert any(edge.source_column and edge.dependency == "DIRECT" for edge in again.edges)
            compared += 1
    assert compared >= 5


def test_ids_are_given_anew_and_nothing_else() -> None:
    text = "== Physical Plan ==\nProject (1)\n\n\n(1) Project\nOutput [2]: [id#7L, (a#9 = Brand#12) AS b#8]\n"
    assert number_plan(text).ids == (7, 8)
    again = renumbered(text, [1, 2])
    assert number_plan(again).fingerprint == number_plan(text).fingerprint
    assert "Brand#12" in again
    assert renumbered(text, [1]) == text
