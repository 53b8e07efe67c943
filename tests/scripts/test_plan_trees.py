"""Plans as Spark's objects, and who made the difference of a statement.

SELECT k, max(CASE WHEN status = 'x' THEN amount END) AS `x#1, y#2`
FROM (SELECT id % 10 AS k, status, amount FROM orders ORDER BY status) GROUP BY k
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TREES = json.loads((Path(__file__).parent / "plan_trees.json").read_text(encoding="utf-8"))
BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def _benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def test_a_tree_has_the_sources_of_its_columns_by_role() -> None:
    from plan_trees import read_plan  # noqa: PLC0415 - a program of benchmarks

    analyzed, optimized = (read_plan(json.dumps(TREES[name])) for name in ("analyzed", "optimized"))
    value = {"DIRECT": {"orders.amount"}, "CONDITIONAL": {"orders.status"}}
    assert analyzed.columns == optimized.columns == [{"DIRECT": {"orders.id"}}, value]
    assert analyzed.rows == {"GROUP_BY": {"orders.id"}, "SORT": {"orders.status"}}
    assert optimized.rows == {"GROUP_BY": {"orders.id"}}


@pytest.mark.parametrize(
    ("where", "source", "is_extra", "maker"),
    [
        (("rows", "SORT"), "orders.status", False, "optimizer"),
        (("rows", "GROUP_BY"), "orders.id", False, "ours"),
        (("rows", "FILTER"), "orders.amount", False, "truth"),
        (("rows", ""), "orders.id", True, "optimizer"),
        (("rows", ""), "orders.status", True, "ours"),
        ((1, "CONDITIONAL"), "orders.status", False, "ours"),
        ((1, "DIRECT"), "orders.status", True, "ours"),
        (None, "", False, "ours"),
    ],
)
def test_the_plan_decides_who_made_a_difference(
    where: tuple[int | str, str] | None, source: str, is_extra: bool, maker: str
) -> None:
    from plan_trees import read_plan  # noqa: PLC0415 - a program of benchmarks
    from random_proofs import Difference, Proof, verdict  # noqa: PLC0415

    proof = Proof(*(read_plan(json.dumps(TREES[name])) for name in ("analyzed", "optimized")), text="")
    assert verdict(Difference("rows", "", where, frozenset([source]), is_extra), proof) == maker


@pytest.mark.parametrize(("is_written", "maker"), [(False, "truth"), (True, "ours")])
def test_a_check_for_null_is_a_filter_if_the_statement_has_it(is_written: bool, maker: str, tmp_path: Path) -> None:
    from random_proofs import Difference, proofs, verdict  # noqa: PLC0415 - a program of benchmarks

    logical, expressions = "org.apache.spark.sql.catalyst.plans.logical", "org.apache.spark.sql.catalyst.expressions"
    columns = next(node["output"] for node in TREES["analyzed"] if node["class"].endswith("Relation"))
    amount = next(column for column in columns if column[0]["name"] == "amount")
    check = [{"class": f"{expressions}.IsNotNull", "num-children": 1, "child": 0}, *amount]
    checked = {"class": f"{logical}.Filter", "num-children": 1, "condition": check, "child": 0}
    plans = {
        "name": "s1",
        "analyzed": json.dumps([checked, *TREES["analyzed"]] if is_written else TREES["analyzed"]),
        "optimized": json.dumps([checked, *TREES["optimized"]]),
        "text": "",
    }
    (tmp_path / "trees.jsonl").write_text(json.dumps(plans) + "\n", encoding="utf-8")
    missing = Difference("rows", "", ("rows", "FILTER"), frozenset(["orders.amount"]))
    assert verdict(missing, proofs(tmp_path / "trees.jsonl")["s1"]) == maker
