"""The operators of a plan are stored and rendered as Spark printed them, the same whichever run printed them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.harvest.statement_rows import plan_rows
from eventlog_lineage.lineage.results.lineage_names import render_plan
from eventlog_lineage.plan.grammar.attribute_ids import unescaped
from eventlog_lineage.plan.plan_text import PlanText, read_plan
from eventlog_lineage.plan.summary.fingerprint import number_plan, renumbered
from eventlog_lineage.store.schema.tables import PLAN_NODES

TESTS = Path(__file__).resolve().parents[1]

PRINTED = "concat(s#1, , [x], #5 ) AS c1#2, replace(s#1, ... 5 more fields, ]) AS c2#3"
PLAN = f"""== Physical Plan ==
* Project (2)
+- Scan parquet spark_catalog.db.t (1)


(1) Scan parquet spark_catalog.db.t
Output [1]: [s#1]
Batched: true
ReadSchema: struct<s:string>

(2) Project [codegen id : 1]
Output [2]: [{PRINTED}]
Input [1]: [s#1]
"""


def test_literals_that_look_like_structure_are_stored_as_printed() -> None:
    details = [
        dict(zip(PLAN_NODES.column_names, row, strict=True))["detail"]
        for row in plan_rows("p", PlanText(PLAN), mask_literals=False)
    ]
    assert any(f"Output: {PRINTED}" in str(detail) for detail in details)
    assert all(unescaped(str(detail)) == str(detail) for detail in details)


def test_literals_that_look_like_structure_are_rendered_as_printed() -> None:
    assert f"Project (2): {PRINTED}" in render_plan(read_plan(PLAN))


@pytest.mark.parametrize("name", ["delta-3-3", "delta-extended-4-1"])
def test_texts_of_one_fingerprint_give_the_same_rows(name: str) -> None:
    first: dict[str, PlanText] = {}
    compared = 0
    for log in find_logs([str(TESTS / "lakehouse_logs" / f"{name}.zstd")]):
        for execution in read_log(log).executions:
            if isinstance(execution.plan, PlanText) and not execution.plan.is_missing:
                known = first.setdefault(execution.plan.numbered.fingerprint, execution.plan)
                for mask_literals in (False, True) if known.text != execution.plan.text else ():
                    one, other = (plan_rows("p", plan, mask_literals=mask_literals) for plan in (known, execution.plan))
                    assert one == other
                    compared += 1
    assert compared > 20


@pytest.mark.parametrize("folder", ["aggregate", "delta", "join", "python_eval", "union"])
def test_rows_do_not_depend_on_the_ids_of_a_run(folder: str) -> None:
    random = Random(folder)
    compared = 0
    for file in sorted((TESTS / "operators" / "fixtures" / folder).glob("*.plan")):
        text = file.read_text(encoding="utf-8")
        plan = number_plan(text)
        again = renumbered(text, random.sample(range(100_000), len(plan.ids)))
        if number_plan(again).fingerprint == plan.fingerprint:  # else an id became that of a literal
            assert plan_rows("p", PlanText(text), mask_literals=False) == plan_rows(
                "p", PlanText(again), mask_literals=False
            )
            compared += 1
    assert compared


def test_what_varies_from_run_to_run_is_not_stored() -> None:
    nights = [
        PLAN.replace("replace(s#1", f"replace({words} s#1")
        for words in (
            "rand(-41) DeltaCatalog@db6c021 2026-11-20 [plan_id=12] RDD[7] [id=#91]",
            "rand(977) DeltaCatalog@7aa01fe2 2026-11-21 [plan_id=399] RDD[12] [id=#3]",
        )
    ]
    one, other = (plan_rows("p", PlanText(text), mask_literals=False) for text in nights)
    assert one == other
    assert "replace(rand(…) DeltaCatalog@… 2026-… [plan_id=…] RDD[…] [plan_id=…] s#1" in repr(one)
    assert nights[0] != nights[1]
