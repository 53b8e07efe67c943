"""Expressions are parsed as Spark prints them; what no expression has stays text, and no reference is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.plan.grammar.expression import (
    Alias,
    AttributeReference,
    Call,
    CaseWhen,
    Expression,
    FilteredAggregate,
    GetField,
    GetItem,
    LambdaFunction,
    LambdaVariable,
    Literal,
    Phrase,
    SubqueryExpression,
    WindowExpression,
    parts_of,
    plain_text,
)
from eventlog_lineage.plan.grammar.parser import parse_expression, split_alias
from eventlog_lineage.plan.grammar.tokens import ATTRIBUTE, SUBQUERY, AttributeNames, tokenize
from support.plans.strategies import PIECES, literals

NAMES: AttributeNames = {1: ("a",), 2: ("b",), 3: ("addr",), 4: ("items",), 5: ("sum(a#1)",), 9: ("x, y",)}
A, B = AttributeReference(1, "a"), AttributeReference(2, "b")


def parsed(text: str) -> Expression:
    """An expression over the attributes of these tests."""
    return parse_expression(text, NAMES)


def group(*parts: Expression) -> Phrase:
    """Parts in brackets."""
    return Phrase((Literal("("), *parts, Literal(")")))


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("a#1", A),
        ("a#1L", A),
        ("paid", Literal("paid")),
        ("", Literal("")),
        ("sum(a#1)#5L", AttributeReference(5, "sum(a#1)")),
        ("(a#1 + 1)", group(A, Literal(" + 1"))),
        ("upper(a#1)", Call("upper", (A,))),
        ("count(1)", Call("count", (Literal("1"),))),
        ("current_date()", Call("current_date", ())),
        ("coalesce(a#1, b#2, )", Call("coalesce", (A, B, Literal("")))),
        ("cast(a#1 as string)", Call("cast", (Phrase((A, Literal(" as string"))),))),
        ("a#1 AS c#7", Alias(A, "c", 7)),
        ("a#1 AS b#2 AS c#7", Alias(Alias(A, "b", 2), "c", 7)),
        ("addr#3.geo.lat", GetField(GetField(AttributeReference(3, "addr"), "geo"), "lat")),
        ("items#4[0].sku", GetField(GetItem(AttributeReference(4, "items"), Literal("0")), "sku")),
        ("items#4[a#1]", GetItem(AttributeReference(4, "items"), A)),
        ("Subquery subquery#711, [id=#2537]", SubqueryExpression(711)),
        ("ReusedSubquery Subquery scalar-subquery#71, [id=#25]", SubqueryExpression(71)),
        ("Subquery subquery#711, [id=#2537].max(v)", GetField(SubqueryExpression(711), "max(v)")),
        ("a#1 IN subquery#8", Phrase((A, Literal(" IN "), SubqueryExpression(8)))),
        ("plus(a#1)#23", Call("plus", (A,))),
        ("f(f(a#1)#2)#3", Call("f", (Call("f", (A,)),))),
        ("Brand#12", Literal("Brand#12")),
        ("RLIKE(a#1, \\(x\\))", Call("RLIKE", (A, Literal("\\(x\\)")))),
    ],
)
def test_values(text: str, expression: Expression) -> None:
    assert parsed(text) == expression


def test_choices() -> None:
    condition = group(B, Literal(" > 1"))
    assert parsed("CASE WHEN (b#2 > 1) THEN a#1 ELSE b#2 END") == CaseWhen(((condition, A),), B)
    assert parsed("CASE WHEN (b#2 > 1) THEN a#1 WHEN b#2 THEN x END") == CaseWhen(
        ((condition, A), (B, Literal("x"))), None
    )
    assert parsed("if ((b#2 > 1)) a#1 else b#2") == CaseWhen(((group(condition), A),), B)
    nested = parsed("CASE WHEN a#1 THEN CASE WHEN b#2 THEN 1 ELSE 2 END END")
    assert nested == CaseWhen(((A, CaseWhen(((B, Literal("1")),), Literal("2"))),), None)


def test_ifs_end_where_their_surroundings_do() -> None:
    inner = CaseWhen(((group(A), B),), Literal("0"))
    assert parsed("coalesce(if (a#1) b#2 else 0, 1)") == Call("coalesce", (inner, Literal("1")))
    assert parsed("if (a#1) b#2 else if (a#1) b#2 else 0") == CaseWhen(((group(A), B),), inner)


def test_windows() -> None:
    frame = "RowFrame, unboundedpreceding$(), currentrow$()"
    text = f"sum(a#1) windowspecdefinition(b#2, a#1 DESC NULLS LAST, specifiedwindowframe({frame}))"
    order = Phrase((A, Literal(" DESC NULLS LAST")))
    assert parsed(text) == WindowExpression(Call("sum", (A,)), (B,), (order,), frame)


def test_filtered_aggregates() -> None:
    assert parsed("sum(a#1) FILTER (WHERE (b#2 > 1))") == FilteredAggregate(
        Call("sum", (A,)), group(B, Literal(" > 1"))
    )
    assert parsed("sum(a#1) FILTER (WHERE b#2)") == FilteredAggregate(Call("sum", (A,)), B)


def test_lambdas() -> None:
    text = "transform(items#4, lambdafunction((lambda x#7 + a#1), lambda x#7, false))"
    body = group(LambdaVariable(7, "x"), Literal(" + "), A)
    assert parsed(text) == Call("transform", (AttributeReference(4, "items"), LambdaFunction(body, (7,))))


def test_names_are_whole_whatever_they_hold() -> None:
    assert parsed("concat(x, y#9, sum(a#1)#5)") == Call(
        "concat", (AttributeReference(9, "x, y"), AttributeReference(5, "sum(a#1)"))
    )


@pytest.mark.parametrize(
    ("text", "alias"),
    [
        ("a#1 AS c#7L", ("a#1", "c", 7)),
        ("(a#1 + 1) AS a AS b#7", ("(a#1 + 1)", "a AS b", 7)),
        ("a#1 AS b#2 AS c#7", ("a#1 AS b#2", "c", 7)),
        ("CAST(x AS DECIMAL(12,2))#7", None),
        ("x AS CAST(y AS INT)#7", ("x", "CAST(y AS INT)", 7)),
        ("a#1", None),
        ("a#1 AS b", None),
        ("ts#1 AS t#7-T600000ms", ("ts#1", "t", 7)),
    ],
)
def test_an_alias_is_an_expression_a_name_and_an_id(text: str, alias: tuple[str, str, int] | None) -> None:
    assert split_alias(text, {}) == alias


def test_an_alias_has_the_name_that_the_plan_knows() -> None:
    assert split_alias("a#1 AS b AS c#7", {7: ("c",)}) == ("a#1 AS b", "c", 7)
    assert split_alias("a#1 AS b AS c#7", {7: ("b AS c",)}) == ("a#1", "b AS c", 7)


leaves = st.one_of(
    st.sampled_from(
        (
            A,
            B,
            AttributeReference(5, "sum(a#1)"),
            AttributeReference(9, "x, y"),
            SubqueryExpression(71),
            LambdaVariable(6, "v"),
        )
    ),
    st.sampled_from(("1", "paid", "2026-11-20", "Brand#12", "null")).map(Literal),
)


def _deeper(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    groups = st.tuples(inner, st.sampled_from((" + ", " AND ", " = ", " >= ")), inner).map(
        lambda parts: Phrase((Literal("("), parts[0], Literal(parts[1]), parts[2], Literal(")")))
    )
    calls = st.tuples(st.sampled_from(("upper", "coalesce", "<lambda>")), st.lists(inner, min_size=1, max_size=3)).map(
        lambda parts: Call(parts[0], tuple(parts[1]))
    )
    choices = st.tuples(st.lists(st.tuples(inner, inner), min_size=1, max_size=2), st.one_of(st.none(), inner)).map(
        lambda parts: CaseWhen(tuple(parts[0]), parts[1])
    )
    return st.one_of(
        groups, calls, choices, inner.map(lambda child: Call("cast", (Phrase((child, Literal(" as int"))),)))
    )


expressions = st.recursive(leaves, _deeper, max_leaves=12)


def printed(expression: Expression) -> str:
    """An expression as Spark prints it."""
    match expression:
        case Literal(text):
            return text
        case AttributeReference(number, name):
            return f"{name}#{number}"
        case LambdaVariable(number, name):
            return f"lambda {name}#{number}"
        case SubqueryExpression(number):
            return f"Subquery subquery#{number}, [id=#3]"
        case Phrase(parts):
            return "".join(map(printed, parts))
        case Call(function, arguments):
            return f"{function}({', '.join(map(printed, arguments))})"
        case CaseWhen(branches, otherwise):
            cases = " WHEN ".join(f"{printed(condition)} THEN {printed(value)}" for condition, value in branches)
            return f"CASE WHEN {cases}{f' ELSE {printed(otherwise)}' if otherwise is not None else ''} END"
    raise AssertionError(expression)


@given(expressions)
def test_what_is_printed_is_parsed_back(expression: Expression) -> None:
    assert printed(parsed(printed(expression))) == printed(expression)
    assert shape(parsed(printed(expression))) == shape(expression)


def shape(expression: Expression) -> object:
    """An expression without its texts."""
    match expression:
        case Phrase(parts):
            return [shape(part) for part in parts if not isinstance(part, Literal)] or "text"
        case Call(function, arguments):
            return (function, [shape(argument) for argument in arguments])
        case CaseWhen(branches, otherwise):
            pairs = [(shape(condition), shape(value)) for condition, value in branches]
            return ("CASE", pairs, shape(otherwise) if otherwise is not None else None)
        case Literal(_):
            return "text"
    return expression


def references(expression: Expression) -> list[int]:
    """The ids of all attributes and subqueries in an expression."""
    found: list[int] = []
    stack: list[object] = [expression]
    while stack:
        part = stack.pop()
        if isinstance(part, (AttributeReference, SubqueryExpression)):
            found.append(part.expr_id)
        elif isinstance(part, tuple):
            stack.extend(part)
        elif not isinstance(part, (str, int, type(None))):
            stack.extend(getattr(part, name) for name in type(part).__dataclass_fields__)
    return sorted(found)


fragments = st.lists(
    st.sampled_from(
        (*PIECES, "a#1", "b#2L", "x, y#9", "sum(a#1)#5", " ELSE ", " WHEN ", "if (", " else ", "lambda v#6", "f(", "g(")
    ),
    max_size=14,
).map("".join)


@given(st.one_of(st.text(), fragments, literals))
def test_no_reference_is_lost_and_nothing_raises(text: str) -> None:
    expression = parsed(text)
    if split_alias(text, NAMES) is None and "." not in text:  # a field's name may hold anything but a comma
        tokens = tokenize(text, NAMES)
        printed = [token.expr_id for token in tokens if token.kind in {ATTRIBUTE, SUBQUERY}]
        assert references(expression) == sorted(printed)


def test_plain_text_is_told_of_what_refers_to_nothing() -> None:
    assert plain_text(parsed("max(v, 2)")) == "max(v, 2)"
    assert plain_text(parsed("(1 + x)")) == "(1 + x)"
    assert plain_text(parsed("max(a#1)")) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("invoke(ParseUrlEvaluator(true).evaluate(a#1, HOST))", [1]),
        ("invoke(StructsToJsonEvaluator(Map(),StructType()).evaluate(named_struct(x, a#1, y, b#2L)))", [1, 2]),
        ("upper(invoke(a#1.makeValid()))", [1]),
    ],
)
def test_methods_take_their_receiver_and_arguments(text: str, expected: list[int]) -> None:
    expression, stack = parsed(text), [parsed(text)]
    assert references(expression) == expected
    while stack:
        part = stack.pop()
        assert not isinstance(part, GetField)
        stack.extend(parts_of(part))


def test_a_field_outside_of_invoke_is_no_method() -> None:
    assert parsed("a#1.max(v)") == GetField(AttributeReference(1, "a"), "max(v)")
