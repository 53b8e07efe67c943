"""Trace one statement: from its plan texts to its lineage."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from eventlog_lineage.lineage.cross_check import with_differences
from eventlog_lineage.lineage.passes import run_passes
from eventlog_lineage.lineage.results.lineage_fingerprint import lineage_fingerprint
from eventlog_lineage.lineage.results.statement_lineage import StatementLineage, lineage_of
from eventlog_lineage.lineage.statement import NO_CONTEXT, AttributeLink, Statement, StatementContext
from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.plan.plan_text import NO_TEXT, PlanText
from eventlog_lineage.plan.summary.fingerprint import renumbered

from .statement_trace import start_trace


def trace(statement: Statement, texts: Mapping[str, PlanText]) -> StatementLineage:
    """Trace a statement.

    Args:
        statement: The statement.
        texts: Fingerprint to plan text, which keeps what is read from it; a plan without a text is a gap.

    Returns:
        Its lineage, compared with what other tools report; a statement that moves no rows has no edges. An internal
        error is a gap of this statement and costs no other statement its lineage.
    """
    try:
        plans = _texts_of(statement, texts)
        lineage = lineage_of(run_passes(start_trace(statement, plans)))
    except Exception as error:  # any failure is a row in gaps
        lineage = _failed(error)
    for each in statement.external:
        lineage = with_differences(lineage, each)
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
        context: Evidence from outside its plans.
    """
    names = tuple(map(str, range(len(texts))))
    members = tuple(range(len(texts) if size is None else size))
    statement = Statement(members, names, tuple(links), context=context)
    return trace(statement, dict(zip(names, map(PlanText, texts), strict=True)))


def _texts_of(statement: Statement, texts: Mapping[str, PlanText]) -> tuple[PlanText, ...]:
    """Return a statement's texts, renumbered to the ids that its plans share: a stored text may be of any run.

    Args:
        statement: The statement.
        texts: Fingerprint to plan text.
    """
    found = [texts.get(fingerprint, NO_TEXT) for fingerprint in statement.fingerprints]
    ids = statement.context.attribute_ids
    own = (PlanText(renumbered(plan.text, each)) for plan, each in zip(found, ids, strict=False))
    return (*own, *found[len(ids) :])


def _failed(error: Exception) -> StatementLineage:
    """Return the lineage of a statement whose trace fails: a gap."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{PurePath(frame.filename).name}:{frame.lineno}"
    what = f"{type(error).__name__}: {error} ({where})"[:500]
    gap = Gap(GapReason.INTERNAL_ERROR, "", what, "please report it with the log")
    without_location = replace(gap, detail=str(error))  # fingerprints are stored: no names of classes and modules
    name = lineage_fingerprint((), (), (without_location,))
    return StatementLineage(name, "query", None, "", (), (), (), (), (gap,))
