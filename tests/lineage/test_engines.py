"""A native engine's plan tells the lineage of Spark's own plan of the same query (scripts/make_engine_plans.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.lineage.tracing.resolve_plan import resolve
from eventlog_lineage.model import EXACT
from eventlog_lineage.operators.flow import Flow
from eventlog_lineage.plan.plan_text import read_plan

PLANS = Path(__file__).parent / "engines"
NATIVE = sorted(plan for plan in PLANS.glob("*.plan") if not plan.name.endswith(".spark.plan"))
UNNAMED = {"aggregate", "average", "distinct", "join", "report", "rollup", "total"}
"""Where Comet does not print the outputs of its last aggregation, or may not, the edges are inferred."""


def flow_of(plan: Path) -> Flow:
    return resolve(read_plan(plan.read_text())).flow


def edges(flow: Flow) -> list[str]:
    """DIRECT and INDIRECT edges as lines a person can compare; INDIRECT ones each once."""
    direct = [
        f"{output.name} <- {origin.dataset}.{origin.column} {kind.value}{' masked' if influence.masking else ''}"
        for output in flow.outputs
        for (origin, kind), influence in sorted(output.derivation.sources.items(), key=str)
    ]
    indirect = {
        f"* <- {origin.dataset}.{origin.column} {condition.kind.value}"
        for condition in flow.conditions
        for origin, _ in condition.derivation.sources
    }
    return [*direct, *sorted(indirect)]


@pytest.mark.parametrize("plan", NATIVE, ids=lambda plan: plan.stem)
def test_a_native_plan_has_the_edges_of_sparks_own(plan: Path) -> None:
    flow, spark = flow_of(plan), flow_of(PLANS / f"{plan.name.partition('.')[0]}.spark.plan")

    assert [gap.detail for gap in flow.gaps] == []
    assert [output.name for output in flow.outputs] == [output.name for output in spark.outputs]
    assert edges(flow) == edges(spark)


@pytest.mark.parametrize("plan", NATIVE, ids=lambda plan: plan.stem)
def test_only_what_comet_does_not_print_is_inferred(plan: Path) -> None:
    query, engine = plan.name.split(".")[:2]
    sources = (output.derivation.sources for output in flow_of(plan).outputs)
    exact = all(influence.confidence == EXACT for each in sources for influence in each.values())
    assert exact or (engine == "comet" and query in UNNAMED)
