"""`Summer#2024` is a literal of a plan unless the plan lists an attribute of this id."""

from __future__ import annotations

import pytest

from eventlog_lineage.redaction import without_secrets

PLAN = """== Physical Plan ==
(1) Scan parquet db.u
Output [2]: [id#1, password#2]

(2) Filter
Input [2]: [id#1, password#2]
Condition : {}
"""


@pytest.mark.parametrize(
    ("condition", "masked"),
    [
        ("(password#2 = Summer#2024)", "(password#2 = ***)"),
        ("array_contains([Summer#2024,Winter#7], password#2)", "array_contains([***,***], password#2)"),
        ("(coalesce(password#2, Summer#2024) = x)", "(coalesce(password#2, ***) = x)"),
        ("a\nOutput [1]: [f(password#2, Summer#2024, 42) AS e#5L]", "a\nOutput [1]: [f(password#2, ***, 42) AS e#5L]"),
        ("(password#2 = upper(id#1))", "(password#2 = upper(id#1))"),
        ("(id#1 = Summer#2024)", "(id#1 = Summer#2024)"),
        ("exists(a#1, lambdafunction((lambda x#7 = password#2), lambda x#7, false))",) * 2,
    ],
)
def test_a_literal_with_a_number_sign_is_masked_and_attributes_stay(condition: str, masked: str) -> None:
    assert without_secrets(PLAN.format(condition)) == PLAN.format(masked)


def test_a_truncated_plan_lists_not_all_attributes() -> None:
    plan = PLAN.format("(password#2 = digest#9)").replace("[id#1, password#2]", "[id#1, password#2, ... 5 more fields]")
    assert without_secrets(plan) == plan


@pytest.mark.parametrize(
    "plan",
    [
        "(4) Execute InsertInto\nArguments: file:/secrets/wh/option0, Append, `d`.`target1`, [id, password]\n",
        "Arguments: false, Append, `spark_catalog`.`default`.`target1`, [id, password]",
        "(1) Scan csv spark_catalog.default.users12 token\nOutput [1]: [id#1]\n",
    ],
)
def test_names_of_tables_and_paths_next_to_a_sensitive_column_stay(plan: str) -> None:
    assert without_secrets(plan) == plan
