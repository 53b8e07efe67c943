"""Every rule on plan texts of real Sparks, against what a person has read and found right."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from eventlog_lineage.operators.registry import folder_of, rules
from eventlog_lineage.plan.plan_text import PlanText, read_plan
from eventlog_lineage.plan.tree.nodes import walk
from support.goldens import FIXTURES, golden_text

PLANS = sorted(FIXTURES.glob("*/*.plan"))


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: f"{plan.parent.name}/{plan.stem}")
def test_a_plan_is_told_as_its_golden_file_says(plan: Path) -> None:
    assert golden_text(plan) == plan.with_suffix(".lineage").read_text(), "run scripts/make_goldens.py, read the diff"


def test_every_golden_file_has_its_plan() -> None:
    assert {path.with_suffix(".plan") for path in FIXTURES.glob("*/*.lineage")} == set(PLANS)


def test_every_rule_is_met_by_a_fixture() -> None:
    met: set[str] = set()
    for plan in PLANS:
        read = read_plan(plan.read_text())
        parsed = PlanText(plan.read_text()).parsed  # the result of a command is read for it
        roots = [read.root, parsed.root if parsed else None, *(subquery.root for subquery in read.subqueries)]
        met |= {node.operator for root in roots if root is not None for node in walk(root)}
    names: dict[str, set[str]] = {}
    for name, rule in rules().items():
        names.setdefault(f"{folder_of(rule)}.{rule.__name__}", set()).add(name)
    assert [rule for rule, operators in names.items() if not operators & met] == []


def test_every_folder_of_fixtures_belongs_to_a_rule() -> None:
    folders = {name for rule in rules().values() for name in (folder_of(rule), rule.__name__)}
    assert {plan.parent.name for plan in PLANS} <= folders


def test_every_rule_says_what_it_does() -> None:
    assert [name for name, rule in rules().items() if not inspect.getdoc(rule)] == []
