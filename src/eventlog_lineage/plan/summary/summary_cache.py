"""The heads of plan texts that come one after another: a night repeats its plans, and most of a head is the plan's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from eventlog_lineage.plan.plan_text import PlanText

from .plan_facts import PlanFact, cleaned_fact
from .plan_summary import PlanSummary, name_of_analyzed, summarize_plan
from .scan_facts import distinct, fact_kinds, facts_by_kind

_MOST = 10_000
_NONE: frozenset[int] = frozenset()


class SummaryCache:
    """Reads heads, and remembers those of texts without secrets by the plans' fingerprints.

    Of a plan that is printed again only the attribute ids and the snapshots are read, and of these only the kinds that
    it had before: most plans have none, and looking for them takes longer than the rest. Nothing of a head but names of
    commands, numbers and names of tables comes from its text, so that a text of which no head is remembered is looked
    through for secrets before it is read, and of the others nothing is kept that the first one has not had as well.

    Args:
        clean: Takes the secrets out of a text, and gives the text itself where there are none.
    """

    def __init__(self, clean: Callable[[str], str]) -> None:
        self._clean = clean
        self._heads: dict[str, tuple[PlanSummary, tuple[str, ...]]] = {}

    def read(self, plan: PlanText) -> PlanSummary:
        """Return the summary of a text without its secrets."""
        if plan.is_missing:
            return PlanSummary("")
        known = self._heads.get(plan.numbered.fingerprint)
        if known is not None:
            return self._again(*known, plan)
        cleaned = self._clean(plan.text)
        if cleaned != plan.text:
            return summarize_plan(PlanText(cleaned))
        facts = facts_by_kind(plan, fact_kinds())
        head = summarize_plan(plan, distinct(facts))
        self._remember(head, tuple(facts))
        return head

    def _again(self, known: PlanSummary, kinds: tuple[str, ...], plan: PlanText) -> PlanSummary:
        ids = plan.numbered.ids
        return PlanSummary(
            known.fingerprint,
            known.command,
            ids,
            frozenset([ids[place] for place in known.open]) if known.open else _NONE,
            frozenset([ids[place] for place in known.wanted]) if known.wanted else _NONE,
            known.is_internal_query,
            known.command_line,
            self._facts(plan, kinds) if kinds else (),
            name_of_analyzed(plan.sections) if known.analyzed and plan.sections is not None else "",
        )

    def _remember(self, head: PlanSummary, kinds: tuple[str, ...]) -> None:
        places = {number: place for place, number in enumerate(head.ids)}
        if not places.keys() >= head.open | head.wanted:
            return  # an id that the numbering takes for a literal's
        if len(self._heads) >= _MOST:
            self._heads.clear()
        opened, wanted = _placed(head.open, places), _placed(head.wanted, places)
        known = replace(head, ids=(), open=opened, wanted=wanted, facts=())
        self._heads[head.fingerprint] = (known, kinds)

    def _facts(self, plan: PlanText, kinds: tuple[str, ...]) -> tuple[PlanFact, ...]:
        return tuple([cleaned_fact(fact, self._clean) for fact in distinct(facts_by_kind(plan, kinds))])


def _placed(numbers: Iterable[int], places: dict[int, int]) -> frozenset[int]:
    return frozenset(places[number] for number in numbers)
