"""The recipes of CONTRIBUTING are true: what they add is in the code, and each kind of change has one."""

from __future__ import annotations

import pytest

from support.docs.recipes import ROOT, RecipeDiff, recipe_diffs

TRIED = "How to add a column"
"""The recipe whose diff a test applies (`tests/store/schema/test_new_edge_column.py`): the code does not have it."""

RECIPES = ("operator", "table format", "event", "codec", "column", "question")

DIFFS = [each for each in recipe_diffs() if each.section != TRIED]


@pytest.mark.parametrize("diff", DIFFS, ids=lambda diff: f"{diff.section}: {diff.path}")
def test_the_code_has_the_lines_that_a_recipe_adds(diff: RecipeDiff) -> None:
    lines = (ROOT / diff.path).read_text(encoding="utf-8").splitlines()
    assert [line for line in (*diff.before, *diff.added) if line.strip() and line not in lines] == []


@pytest.mark.parametrize("kind", RECIPES)
def test_each_kind_of_change_has_a_recipe_with_a_diff(kind: str) -> None:
    assert any(each.section in {f"How to add a {kind}", f"How to add an {kind}"} for each in recipe_diffs())
