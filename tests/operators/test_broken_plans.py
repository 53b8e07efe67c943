"""Plans that Spark never printed: found by `scripts/fuzz.py`. A gap at most, and never an error of ours."""

from __future__ import annotations

import pytest

from eventlog_lineage.lineage.tracing.trace_statement import trace_texts
from eventlog_lineage.model import GapReason

BROKEN = {
    "a union of nothing": "Union (1)\n\n\n(1) Union\n",
    "an update that lists no value": (
        "UpdateCommand (1)\n\n\n(1) UpdateCommand\nArguments: Delta[version=5, file:/w/t], (id#1L = 2)\n"
    ),
    "an assignment of nothing": (
        "MergeIntoPaimonTable (1)\n\n\n(1) MergeIntoPaimonTable\nArguments: PrimaryKeyFileStoreTable[shop.orders], "
        "SubqueryAlias t, SubqueryAlias s, (a#1L = b#2L), [updateaction(None, assignment(a#1L))]\n"
    ),
}


@pytest.mark.parametrize("plan", BROKEN.values(), ids=BROKEN)
def test_a_plan_that_is_broken_is_no_error_of_ours(plan: str) -> None:
    found = trace_texts(f"== Physical Plan ==\n{plan}\n")
    assert GapReason.INTERNAL_ERROR not in {gap.reason for gap in found.gaps}
