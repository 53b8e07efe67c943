"""The gaps of rows whose query no plan of the log has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.metadata_aggregates import FROM_METADATA, metadata_hint
from eventlog_lineage.plan.plan_text import PlanText

_OPEN = "no plan says where "
_NO_ROWS = "no execution of the log has the plan of the rows of "
_PHYSICAL = "== Physical Plan ==\n"
_AGGREGATED = re.compile(r"\b(?:min|max|sum|avg)\([^()\n]*#\d+L?[^()\n]*\) AS [^,#\n]+#(\d{1,18})L?(?=[,\]])")


def with_gap(flow: Flow, unexplained: tuple[str, ...]) -> Flow:
    """A flow with a gap for the attributes that nothing explains, if there are any."""
    if not unexplained:
        return flow
    gap = Gap(
        GapReason.UNKNOWN_SOURCE,
        "",
        f"{_OPEN}{', '.join(unexplained)} come from"[:500],
        "rows that the driver's program made have no source; write them to a table to give them one",
    )
    return replace(flow, gaps=(*flow.gaps, gap))


def no_rows(write: Write) -> Gap:
    """The query below a write is in no execution of the log."""
    return Gap(
        GapReason.UNKNOWN_SOURCE,
        write.node_name,
        f"{_NO_ROWS}{', '.join(write.names)}"[:500],
        "Spark before 3.5 logs no plan of what it writes through a connector's V1 fallback: "
        "set spark.sql.ui.explainMode=extended, or use a later one",
    )


def answers(texts: Sequence[PlanText], told: Flow, columns: Sequence[Output]) -> list[Gap]:
    """A gap for the columns that a command computes and that the plan of its rows has as literals.

    Delta's (4.x) and Iceberg's optimizers answer aggregates from metadata under the names that the query gives them; of
    a command that prints its query as one line, `Aggregate [count(1) AS n#1L, max(id#3L) AS last#2L]`, that tells it.
    The count of a column that is never NULL counts rows, whatever the column.

    Args:
        texts: The plans of the statement's executions.
        told: The flow that tells its rows.
        columns: What is written.
    """
    literal = {each.number: each.name for each in columns if each.number >= 0 and not each.derivation.sources}
    if not literal or any(gap.reason is GapReason.UNKNOWN_SOURCE for gap in told.gaps):
        return []
    # logical plans have the query themselves
    physical = [each.text for each in texts if each.text.startswith(_PHYSICAL)]
    made = {int(number) for text in physical for number in _AGGREGATED.findall(text)}
    names = [name for number, name in literal.items() if number in made]
    detail = f"{', '.join(names)}: {FROM_METADATA}"[:500]
    return [Gap(GapReason.UNKNOWN_SOURCE, "LocalTableScan", detail, metadata_hint())] if names else []


def told_once(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Gaps, each once; that nothing explains the rows of a write is told by the write's own."""
    found = dict.fromkeys(gaps)
    if any(gap.detail.startswith(_NO_ROWS) for gap in found):
        return tuple(gap for gap in found if not gap.detail.startswith(_OPEN))
    return tuple(found)
