"""Scan plan texts for facts: each kind of fact has a scanner, which runs only on texts with one of its words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from eventlog_lineage.plan.printed_operators import PrintedOperator

from . import column_facts, delta_facts, iceberg_facts, paimon_facts, session_facts
from .plan_facts import PlanFact

if TYPE_CHECKING:
    from eventlog_lineage.plan.plan_text import PlanText


class FactScanner(NamedTuple):
    """How facts of one kind are found.

    Attributes:
        words: Each text with such facts contains one of these.
        scan: Returns the facts that operators state.
        is_exclusive: A text with such facts has no others: a table format reads its own log.
    """

    words: tuple[str, ...]
    scan: Callable[[Sequence[PrintedOperator]], list[PlanFact]]
    is_exclusive: bool = False


def scan_facts(plan: PlanText) -> tuple[PlanFact, ...]:
    """Return the distinct facts that a plan text states.

    Args:
        plan: The plan text. A text without such facts costs a few searches for words.
    """
    return distinct(facts_by_kind(plan, fact_kinds()))


def facts_by_kind(plan: PlanText, kinds: Collection[str]) -> dict[str, list[PlanFact]]:
    """Return facts of some kinds.

    Texts of one fingerprint state facts of the same kinds: only their numbers and hash codes differ.

    Args:
        plan: The plan text.
        kinds: Some of `fact_kinds`.

    Returns:
        Kind to facts; without the kinds that the text has no fact of.
    """
    text, scanners = plan.text, _scanners()
    asked = [kind for kind in kinds if any([word in text for word in scanners[kind].words])]  # noqa: C419 - faster
    if not asked:
        return {}
    found: dict[str, list[PlanFact]] = {}
    for kind in asked:
        if facts := scanners[kind].scan(plan.operators):
            found[kind] = facts
            if scanners[kind].is_exclusive:
                break
    return found


def distinct(found: Mapping[str, Collection[PlanFact]]) -> tuple[PlanFact, ...]:
    """Return the facts of all kinds without repetitions."""
    return tuple(dict.fromkeys(fact for facts in found.values() for fact in facts))


@cache
def _scanners() -> Mapping[str, FactScanner]:
    return {
        "states": FactScanner(delta_facts.STATE_WORDS, delta_facts.scan_states, is_exclusive=True),
        "delta": FactScanner(delta_facts.WORDS, delta_facts.scan_tables),
        "iceberg": FactScanner(iceberg_facts.WORDS, iceberg_facts.scan_tables),
        "paimon": FactScanner(paimon_facts.WORDS, paimon_facts.scan_tables),
        "columns": FactScanner(column_facts.WORDS, column_facts.scan_columns),
        "session": FactScanner(session_facts.session_words(), session_facts.scan_session),
    }


def fact_kinds() -> tuple[str, ...]:
    """Return the kinds of facts."""
    return tuple(_scanners())
