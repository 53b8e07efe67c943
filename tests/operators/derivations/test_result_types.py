"""Types follow from functions and arguments, by Spark's rules."""

from __future__ import annotations

import time

import pytest

from eventlog_lineage.operators.derivations.result_types import literal_type, result_type
from eventlog_lineage.plan.grammar.expression import AttributeReference, SubqueryExpression
from eventlog_lineage.plan.grammar.parser import parse_expression

TYPES = {
    1: ("price", "decimal(10,2)"),
    2: ("n", "int"),
    3: ("name", "string"),
    4: ("day", "date"),
    5: ("tags", "array<string>"),
    6: ("addr", "struct<city:string,zip:int>"),
    7: ("phones", "map<string,bigint>"),
    8: ("share", "double"),
    9: ("unknown", ""),
    10: ("big", "decimal(38,10)"),
    11: ("lines", "array<struct<sku:string,price:decimal(9,2)>>"),
    12: ("at", "timestamp"),
}
NAMES = {number: (name,) for number, (name, _) in TYPES.items()}


def type_of(part: AttributeReference | SubqueryExpression) -> str:
    return TYPES[part.expr_id][1] if isinstance(part, AttributeReference) else "bigint"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("count(name#3)", "bigint"),
        ("sum(n#2)", "bigint"),
        ("sum(price#1)", "decimal(20,2)"),
        ("sum(share#8)", "double"),
        ("sum(unknown#9)", ""),
        ("avg(price#1)", "decimal(14,6)"),
        ("avg(n#2)", "double"),
        ("MakeDecimal(sum(UnscaledValue(price#1)),20,2)", "decimal(20,2)"),
        ("CheckOverflow((price#1 * price#1), DecimalType(21,4))", "decimal(21,4)"),
        ("(price#1 + price#1)", "decimal(11,2)"),
        ("(price#1 * price#1)", "decimal(21,4)"),
        ("(price#1 / price#1)", "decimal(23,13)"),
        ("(price#1 * 1.10)", "decimal(14,4)"),
        ("(big#10 * big#10)", "decimal(38,6)"),
        ("(n#2 + n#2)", "int"),
        ("(n#2 + 1)", "int"),
        ("(share#8 / 2.0)", "double"),
        ("(price#1 + unknown#9)", ""),
        ("(price#1 > 40.00)", "boolean"),
        ("NOT (n#2 = 1)", "boolean"),
        ("isnotnull(n#2)", "boolean"),
        ("sha2(cast(name#3 as binary), 256)", "string"),
        ("concat(name#3,  of , name#3)", "string"),
        ("concat(tags#5, tags#5)", "array<string>"),
        ("upper(name#3)", "string"),
        ("row_number() windowspecdefinition(n#2, day#4 ASC NULLS FIRST, specifiedwindowframe(RowFrame, a, b))", "int"),
        ("lag(day#4, -1, null)", "date"),
        ("max(price#1)", "decimal(10,2)"),
        ("CASE WHEN (n#2 > 1) THEN gold WHEN (n#2 > 0) THEN silver ELSE basic END", "string"),
        ("CASE WHEN (n#2 > 1) THEN 1 ELSE 0 END", "int"),
        ("CASE WHEN (n#2 > 1) THEN price#1 ELSE 0.00 END", "decimal(10,2)"),
        ("CASE WHEN (n#2 > 1) THEN gold ELSE 1 END", ""),
        ("coalesce(name#3, none)", "string"),
        ("cast(n#2 as decimal(20,0))", "decimal(20,0)"),
        ("addr#6.zip", "int"),
        ("lines#11.price", "array<decimal(9,2)>"),
        ("lines#11[0].sku", "string"),
        ("element_at(phones#7, a)", "bigint"),
        ("map_keys(phones#7)", "array<string>"),
        ("collect_list(day#4)", "array<date>"),
        ("named_struct(a, n#2, b, name#3)", "struct<a:int,b:string>"),
        ("named_struct(a, n#2, b, unknown#9)", ""),
        ("date_trunc(MONTH, at#12, Some(UTC))", "timestamp"),
        ("round(price#1, 1)", "decimal(10,1)"),
        ("tidy(name#3)", ""),
        ("web", "string"),
    ],
)
def test_a_type_follows_from_functions_and_arguments(text: str, kind: str) -> None:
    assert result_type(parse_expression(text, NAMES), type_of) == kind


@pytest.mark.parametrize("text", ["null", "true", "2026-11-20", "[1,2]", "1.5", "", "INTERVAL '1' DAY", "0x1F"])
def test_a_literal_that_may_be_of_several_types_has_none(text: str) -> None:
    assert literal_type(text) == ""


def test_a_long_expression_is_not_typed() -> None:
    text = "(" * 3000 + "n#2" + " + 1)" * 3000
    assert result_type(parse_expression(text, {2: ("n",)}), type_of) == ""


def test_the_fields_of_an_array_of_wide_structs_are_looked_up_without_copying_its_type() -> None:
    """Each field copied a type of megabytes once: the time of 8,000 fields was quadratic."""
    kind = f"array<struct<{','.join(f'f{number}:int' for number in range(400_000))}>>"
    started = time.process_time()
    for number in range(3000):
        expression = parse_expression(f"lines#11.f{number}", NAMES)
        assert result_type(expression, lambda _: kind) == ""  # too long to be split
    assert time.process_time() - started < 1
