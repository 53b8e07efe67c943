"""Replace plan texts by summaries in events, which are small enough to send and to group into statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from eventlog_lineage.events.cpu_budget import CpuBudget
from eventlog_lineage.events.listener_events import Event, ExecutionStart, ParsedStatement, PartEnd
from eventlog_lineage.events.read_options import DEFAULT, ReadOptions
from eventlog_lineage.events.reading import read_part
from eventlog_lineage.events.sources.event_log import LogPart
from eventlog_lineage.plan.plan_text import PlanText, views_of
from eventlog_lineage.plan.summary.summary_cache import SummaryCache
from eventlog_lineage.redaction import Redaction

from .internal_errors import describe_error


def summarized_events(
    part: LogPart, options: ReadOptions = DEFAULT, budget: CpuBudget | None = None
) -> Iterator[tuple[Event, str]]:
    """Yield a part's events with summaries instead of plan texts; an internal error ends the part only.

    Args:
        part: Of a log.
        options: What is taken out of it, and the limits.
        budget: The CPU time left for the log; None for a budget of the part's own.

    Yields:
        Each event, and the text of its plan as it was logged: a caller that keeps the text takes the secrets out.
    """
    given = 0
    try:
        for event in read_part(part, replace(options, plans_as_logged=True), budget):
            summarized = summarized_event(event, options.redaction)
            given += 1
            yield summarized
    except Exception as error:  # what was read before it is kept
        yield PartEnd(part.index, lines=given, events=given, failed=describe_error(error)), ""


def summarized_event(event: Event, redaction: Redaction) -> tuple[Event, str]:
    """Return an event with the summary of its plan (a Thrift server's: the views), and the plan's text.

    Args:
        event: The event as it was read.
        redaction: Takes the secrets out of what a summary keeps.
    """
    if isinstance(event, ExecutionStart) and isinstance(event.plan, PlanText):
        summary = shared_summaries(redaction).read(event.plan)
        return event.with_plan(summary), event.plan.text if summary.fingerprint else ""
    if isinstance(event, ParsedStatement):
        return replace(event, plan=views_of(event.plan)), ""
    return event, ""


@lru_cache(maxsize=8)
def shared_summaries(redaction: Redaction) -> SummaryCache:
    """Return the summaries that this process has read so far."""
    return SummaryCache(redaction.text)
