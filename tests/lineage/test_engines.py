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
UNNAMED = {"aggregate", "average", "distinct", "join", "renamed", "report", "rollup", "total"}
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


SEVERAL_READINGS = """== Physical Plan ==
CometProject (3)
+- CometHashAggregate (2)
   +- CometScan parquet spark_catalog.shop.orders (1)


(1) CometScan parquet spark_catalog.shop.orders
Output [2]: [id#1L, customer#2L]
ReadSchema: struct<id:bigint,customer:bigint>

(2) CometHashAggregate
Input [2]: [id#1L, customer#2L]
Keys [1]: [customer#2L]
Functions [1]: [max(id#1L)]

(3) CometProject
Input [2]: [a#3L, b#4L]
Arguments: [a#3L, b#4L], [a#3L, b#4L]
"""


def test_results_that_comet_does_not_name_are_a_gap_if_a_key_and_a_function_can_be_either() -> None:
    flow = resolve(read_plan(SEVERAL_READINGS)).flow

    columns = {"spark_catalog.shop.orders.id", "spark_catalog.shop.orders.customer"}
    assert [{f"{each.dataset}.{each.column}" for each, _ in one.derivation.sources} for one in flow.outputs] == [
        columns
    ] * 2
    assert [gap.detail.partition(":")[0] for gap in flow.gaps] == ["a, b"]
