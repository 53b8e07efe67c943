"""Cache summaries of plan texts: plans repeat from run to run, and with them most of their summaries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from .plan_text import PlanText
from .summary.plan_facts import PlanFact, cleaned_fact
from .summary.plan_summary import PlanSummary, digest_of_analyzed, summarize_plan
from .summary.scan_facts import distinct, fact_kinds, facts_by_kind, find_row_scans

_MOST = 10_000
_NONE: frozenset[int] = frozenset()


class SummaryCache:
    """Summarizes plan texts, and caches the common part of texts with the same fingerprint.

    When a plan is printed again, only its attribute ids and facts are read, and only facts of the kinds that the first
    text has: most plans have none, and scanning for them takes longer than the rest. Texts that contain secrets are
    never cached. A summary contains only names of commands, numbers and names of tables: the first text of a plan is
    redacted before it is read, and the facts of later texts are redacted.

    Args:
        clean: Redacts the secrets in a text; returns the same text if it has none.
    """

    def __init__(self, clean: Callable[[str], str]) -> None:
        self._clean = clean
        self._known: dict[str, tuple[PlanSummary, tuple[str, ...]]] = {}

    def read(self, plan: PlanText) -> PlanSummary:
        """Return the summary of a text, redacted."""
        if plan.is_missing:
            return PlanSummary("")
        known = self._known.get(plan.numbered.fingerprint)
        if known is not None:
            return self._repeated(*known, plan)
        cleaned = self._clean(plan.text)
        if cleaned != plan.text:
            return summarize_plan(PlanText(cleaned))
        facts = facts_by_kind(plan, fact_kinds())
        summary = summarize_plan(plan, distinct(facts))
        self._remember(summary, tuple(facts))
        return summary

    def _repeated(self, known: PlanSummary, kinds: tuple[str, ...], plan: PlanText) -> PlanSummary:
        """Return the summary of a text whose fingerprint is known.

        Args:
            known: The summary of the first text, with indexes in place of ids.
        """
        ids = plan.numbered.ids
        return PlanSummary(
            known.fingerprint,
            known.command,
            ids,
            frozenset([ids[index] for index in known.unbound]) if known.unbound else _NONE,
            frozenset([ids[index] for index in known.requested]) if known.requested else _NONE,
            known.is_internal_query,
            known.command_line,
            self._facts(plan, kinds) if kinds else (),
            digest_of_analyzed(plan.sections) if known.analyzed and plan.sections is not None else "",
            find_row_scans(plan.sections) if known.row_scans and plan.sections is not None else (),
            known.has_local_rows,
        )

    def _remember(self, summary: PlanSummary, kinds: tuple[str, ...]) -> None:
        indexes = {expr_id: index for index, expr_id in enumerate(summary.ids)}
        if not indexes.keys() >= summary.unbound | summary.requested:
            return  # an id that the numbering treats as part of a literal
        if len(self._known) >= _MOST:
            self._known.clear()
        unbound, requested = _indexed(summary.unbound, indexes), _indexed(summary.requested, indexes)
        known = replace(summary, ids=(), unbound=unbound, requested=requested, facts=())
        self._known[summary.fingerprint] = (known, kinds)

    def _facts(self, plan: PlanText, kinds: tuple[str, ...]) -> tuple[PlanFact, ...]:
        return tuple([cleaned_fact(fact, self._clean) for fact in distinct(facts_by_kind(plan, kinds))])


def _indexed(ids: Iterable[int], indexes: dict[int, int]) -> frozenset[int]:
    return frozenset(indexes[expr_id] for expr_id in ids)
