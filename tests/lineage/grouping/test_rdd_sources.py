"""The tables of rows that a plan reads from an RDD."""

from __future__ import annotations

from eventlog_lineage.catalog.application_facts import ExecutionSummary
from eventlog_lineage.events.records import JobFacts, RddRows
from eventlog_lineage.lineage.grouping.plan_links import rdd_sources
from eventlog_lineage.plan.summary.plan_summary import PlanSummary
from eventlog_lineage.plan.summary.scan_facts import RowScan


def test_an_attribute_that_the_plan_does_not_number_is_left_out() -> None:
    """A watermark follows the id of its attribute: `window#32-T600000ms`."""
    plan = PlanSummary("f", ids=(23, 26), row_scans=(RowScan((32, 26, 23), 13, "window, qty, shelf"),))
    facts = JobFacts(rows=(RddRows(13, ("BatchScan lake.raw.copies",)),))
    (source,) = rdd_sources([ExecutionSummary(1, 1, "", 1, 1, plan, job_facts=facts)], {})
    assert source.attributes == (1, 0)
