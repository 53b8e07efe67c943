"""Fields of values that a function takes from another row, or from one row of a group."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from eventlog_lineage.model import EXACT, Influence, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, Origin
from eventlog_lineage.operators.derivations.expression_analysis import analyze
from eventlog_lineage.operators.derivations.kept_structs import kept_derivation
from eventlog_lineage.plan.grammar.parser import parse_expression

T = Transformation
NAMES = {1: ("addr",), 2: ("_w0",), 3: ("ts",), 4: ("k",)}
WINDOW = "windowspecdefinition(k#4, ts#3 ASC NULLS FIRST, specifiedwindowframe(RowFrame, -1, -1))"


def column(name: str) -> Derivation:
    origin = Origin("db.t", name)
    return Derivation({(origin, T.IDENTITY): Influence(masking=False, confidence=EXACT)}, (origin,), None, origin)


SCOPE: Mapping[int, Derivation] = {
    1: column("addr"),
    2: Derivation({**column("a").sources, **column("s").sources}, ("struct",), {"a": column("a"), "s": column("s")}),
    3: column("ts"),
    4: column("k"),
}


@pytest.mark.parametrize(
    ("text", "field", "wanted"),
    [
        ("first(addr#1, false)", "city", {"addr.city AGGREGATION"}),
        ("max_by(addr#1, ts#3)", "city", {"addr.city AGGREGATION", "ts CONDITIONAL"}),
        ("any_value(_w0#2, false)", "s", {"s AGGREGATION"}),
        (f"lag(_w0#2, -1, null) {WINDOW}", "s", {"s TRANSFORMATION", "k WINDOW", "ts WINDOW"}),
        (f"max(_w0#2) {WINDOW}", "s", {"s AGGREGATION", "a CONDITIONAL", "k WINDOW", "ts WINDOW"}),
    ],
)
def test_a_field_has_the_sources_of_the_field_and_what_chooses_the_row(text: str, field: str, wanted: set[str]) -> None:
    analysis = analyze(parse_expression(text, NAMES))
    whole = Derivation(
        {(Origin("db.t", "addr"), T.AGGREGATION): Influence(masking=False, confidence=EXACT)}
        | {
            key: influence
            for reference in analysis.references
            if reference.kind in {T.CONDITIONAL, T.WINDOW}
            for key, influence in SCOPE[reference.expr_id].through(reference.kind).items()
        },
        (text,),
    )
    value = kept_derivation(analysis, whole, lambda reference: SCOPE.get(reference.expr_id))
    found = {f"{origin.column} {kind}" for origin, kind in value.field(field).sources}
    assert found == wanted


@pytest.mark.parametrize(
    ("text", "conditional"),
    [
        ("if (isnull(v#1)) null else UDF(knownnotnull(v#1), k#2)", 0),
        ("if (isnull(v#1)) null else UDF:plus(v#1, k#2)", 0),
        ("if ((isnull(v#1) || isnull(k#2))) null else UDF(v#1, k#2)", 0),
        ("if (isnull(k#2)) null else UDF:plus(v#1, (k#2 + 1))", 1),
        ("if ((isnull(v#1) OR isnull(k#2))) null else f(knownnotnull(v#1), knownnotnull(k#2))", 0),
        (
            "if (((isnull(v#1) OR isnull((v#1 + 1))) OR isnull(k#2))) null else f(knownnotnull(v#1), \
knownnotnull((v#1 + 1)), knownnotnull(k#2))",
            0,
        ),
        ("if (isnull(v#1)) null else f(v#1, k#2)", 1),
        ("if (isnull(k#2)) null else f(knownnotnull(v#1), k#2)", 1),
        ("if (isnull(v#1)) 0 else f(knownnotnull(v#1), k#2)", 1),
        ("if ((isnull(v#1) AND isnull(k#2))) null else f(knownnotnull(v#1), knownnotnull(k#2))", 2),
    ],
)
def test_a_null_test_of_a_functions_primitive_argument_is_no_condition(text: str, conditional: int) -> None:
    analysis = analyze(parse_expression(text, {1: ("v",), 2: ("k",)}))
    kinds = [reference.kind for reference in analysis.references]
    assert kinds.count(T.CONDITIONAL) == conditional
    assert {1, 2} <= {each.expr_id for each in analysis.references if each.kind is T.TRANSFORMATION}
