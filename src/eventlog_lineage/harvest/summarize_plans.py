"""Events with heads in the place of plan texts: what travels, and what is tied together, is small."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from eventlog_lineage.events.cpu_budget import CpuBudget
from eventlog_lineage.events.listener_events import Event, ExecutionStart, ParsedStatement, PartEnd
from eventlog_lineage.events.read_options import DEFAULT, ReadOptions
from eventlog_lineage.events.reading import read_part
from eventlog_lineage.events.sources.event_log import LogPart
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_summary import pack_summary
from eventlog_lineage.plan.summary.summary_cache import SummaryCache
from eventlog_lineage.plan.views import pack_views
from eventlog_lineage.redaction import Redaction

from .internal_errors import told


def summarized_events(
    part: LogPart, how: ReadOptions = DEFAULT, budget: CpuBudget | None = None
) -> Iterator[tuple[Event, str]]:
    """A part's events with heads in the place of plan texts; an error of ours ends the part only.

    Args:
        part: Of a log.
        how: What is taken out of it, and the limits.
        budget: The CPU time left for the log; None for a budget of the part's own.

    Yields:
        Each event, and the text of its plan as it was logged: who keeps it has to take the secrets out.
    """
    given = 0
    try:
        for event in read_part(part, replace(how, plans_as_logged=True), budget):
            headed = summarized_event(event, how.redaction)
            given += 1
            yield headed
    except Exception as error:  # what was read before it is kept
        yield PartEnd(part.index, lines=given, events=given, failed=told(error)), ""


def summarized_event(event: Event, redaction: Redaction) -> tuple[Event, str]:
    """An event with a head in the place of a plan's text (a Thrift server's: its views), and the text."""
    if isinstance(event, ExecutionStart):
        head = shared_summaries(redaction).read(PlanText(event.plan))
        if not head.fingerprint:
            return event.with_plan(""), ""
        return event.with_plan(pack_summary(head)), event.plan
    if isinstance(event, ParsedStatement):
        return replace(event, plan=pack_views(PlanText(event.plan).views)), ""
    return event, ""


@lru_cache(maxsize=8)
def shared_summaries(redaction: Redaction) -> SummaryCache:
    """The heads that this process has read so far."""
    return SummaryCache(redaction.text)
