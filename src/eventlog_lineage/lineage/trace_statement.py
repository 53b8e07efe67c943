"""Trace one statement: from its plan texts to its lineage."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import PurePath

from eventlog_lineage.lineage.results.lineage_names import with_source_names
from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.plan.plan_text import NO_TEXT, PlanText
from eventlog_lineage.plan.summary.fingerprint import renumbered

from .cross_check import with_differences
from .passes import run_passes
from .results.statement_lineage import StatementLineage, lineage_fingerprint, lineage_of
from .statement import NO_CONTEXT, AttributeLink, Statement, StatementContext
from .tracing.statement_trace import start_trace
from .tracing.time_limit import OutOfTimeError

OVER_TIME = Gap(
    GapReason.LIMIT_EXCEEDED,
    "",
    "tracing the statement takes more CPU time than its log has",
    "raise --max-seconds-per-log if the log is genuine, and harvest with --reprocess",
)


def trace(
    statement: Statement, texts: Mapping[str, PlanText], limit: AbstractContextManager[None] | None = None
) -> StatementLineage:
    """Trace a statement.

    Args:
        texts: Fingerprint to plan text, which keeps what is read from it; a plan without a text is a gap.
        limit: Of the CPU time, `TraceBudget.limited`; None for no limit.

    Returns:
        Its lineage, compared with what other tools report; a statement that moves no rows has no edges. An internal
        error or a reached limit is a gap of this statement and costs no other statement its lineage.
    """
    try:
        with limit or nullcontext():
            lineage = _traced(statement, texts)
    except OutOfTimeError:
        lineage = _without_lineage(OVER_TIME)
    except Exception as error:  # any failure is a row in gaps
        lineage = _failed(error)
    for each in statement.external:
        lineage = with_differences(lineage, each)
    return lineage


def _traced(statement: Statement, texts: Mapping[str, PlanText]) -> StatementLineage:
    lineage = lineage_of(run_passes(start_trace(statement, _texts_of(statement, texts))))
    if statement.catalog_settings.sources:
        own = statement.context.names.namespaces
        lineage = with_source_names(lineage, dict((*statement.catalog_settings.sources, *own)))
    return lineage


def trace_texts(
    *texts: str,
    size: int | None = None,
    links: Sequence[AttributeLink] = (),
    context: StatementContext = NO_CONTEXT,
) -> StatementLineage:
    """Trace a statement from its plan texts alone.

    Args:
        texts: The plans of its executions, the root's first; then those that bind attributes of the others.
        size: The number of its own texts; by default all of them.
        links: The attributes that one of the plans leaves unbound and another binds.
    """
    names = tuple(map(str, range(len(texts))))
    members = tuple(range(len(texts) if size is None else size))
    statement = Statement(members, names, tuple(links), context=context)
    return trace(statement, dict(zip(names, map(PlanText, texts), strict=True)))


def _texts_of(statement: Statement, texts: Mapping[str, PlanText]) -> tuple[PlanText, ...]:
    """Return a statement's texts, renumbered to the ids that its plans share: a stored text may be of any run."""
    found = [texts.get(fingerprint, NO_TEXT) for fingerprint in statement.fingerprints]
    ids = statement.context.rows.attribute_ids
    own = (PlanText(renumbered(plan.text, each)) for plan, each in zip(found, ids, strict=False))
    return (*own, *found[len(ids) :])


def _failed(error: Exception) -> StatementLineage:
    """Return the lineage of a statement whose trace fails: a gap."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{PurePath(frame.filename).name}:{frame.lineno}"
    what = f"{type(error).__name__}: {error} ({where})"[:500]
    gap = Gap(GapReason.INTERNAL_ERROR, "", what, "please report it with the log")
    # fingerprints are stored: no names of classes and modules
    return _without_lineage(gap, replace(gap, detail=str(error)))


def _without_lineage(gap: Gap, named: Gap | None = None) -> StatementLineage:
    """Return the lineage of a statement that has only a gap.

    Args:
        named: The gap that the fingerprint identifies; None for the same.
    """
    name = lineage_fingerprint((), (), (named or gap,))
    return StatementLineage(name, "query", None, "", (), (), (), (), (gap,))
