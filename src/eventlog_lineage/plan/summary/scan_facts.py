"""Scan plan texts for facts: each kind has a scanner, which runs only on texts that contain one of its words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING

from eventlog_lineage.extensions import FactScanner, formats

from . import catalog_facts, sample_facts, session_facts
from .plan_facts import PlanFact

if TYPE_CHECKING:
    from eventlog_lineage.plan.plan_text import PlanText


def scan_facts(plan: PlanText) -> tuple[PlanFact, ...]:
    """Return the distinct facts of a plan text.

    Args:
        plan: The plan text. For a text without facts, this is a few searches for words.
    """
    return distinct(facts_by_kind(plan, fact_kinds()))


def facts_by_kind(plan: PlanText, kinds: Collection[str]) -> dict[str, list[PlanFact]]:
    """Return facts of certain kinds.

    Texts with the same fingerprint have facts of the same kinds: only numbers and hash codes differ.

    Args:
        plan: The plan text.
        kinds: Some of `fact_kinds`.

    Returns:
        Kind to facts, for the kinds with facts.
    """
    text, scanners = plan.text, _scanners()
    present = [kind for kind in kinds if any([word in text for word in scanners[kind].words])]  # noqa: C419 - faster
    if not present:
        return {}
    found: dict[str, list[PlanFact]] = {}
    for kind in present:
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
    """Return the scanners by kind, those with exclusive facts first."""
    found = {f"{each.name}.{at}": scanner for each in formats() for at, scanner in enumerate(each.plan_facts)}
    found["session"] = FactScanner(session_facts.session_words(), session_facts.scan_session)
    found["catalog"] = FactScanner(catalog_facts.WORDS, catalog_facts.scan_catalogs)
    found["sample"] = FactScanner(sample_facts.WORDS, sample_facts.scan_samples)
    return dict(sorted(found.items(), key=lambda item: not item[1].is_exclusive))


def fact_kinds() -> tuple[str, ...]:
    """Return the kinds of facts."""
    return tuple(_scanners())
