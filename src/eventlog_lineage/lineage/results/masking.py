"""Remove the literals of statements from lineage: plans may contain customers' data."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.grammar.symbols import Field
from eventlog_lineage.plan.grammar.tokens import find_attributes
from eventlog_lineage.plan.tree.nodes import PlanNode

_WITH_PLAN_TEXT = frozenset({GapReason.UNPARSED_EXPRESSION, GapReason.UNPARSED_PLAN, GapReason.UNKNOWN_TARGET})
"""Reasons of gaps whose details quote the plan's text."""


def without_literals(lineage: StatementLineage) -> StatementLineage:
    """Return a lineage with `?` for each literal in its expressions, and with gaps that do not quote the plan."""
    edges = tuple(replace(edge, expression=edge.pattern) for edge in lineage.edges)
    gaps = tuple(replace(gap, detail="masked") if gap.reason in _WITH_PLAN_TEXT else gap for gap in lineage.gaps)
    joins = tuple(replace(join, expression=join.pattern) for join in lineage.joins)
    return replace(lineage, edges=edges, gaps=gaps, joins=joins)


def attributes_only(node: PlanNode) -> dict[str, Field]:
    """Return an operator's fields reduced to their attributes: anything else may be a literal."""
    return {label: Field(_attributes(field.text)) for label, field in node.fields.items()}


def _attributes(text: str) -> str:
    """Return the distinct attributes in a text; a name starts after a bracket, a comma or a space."""
    names: dict[int, tuple[str, ...]] = {}
    for piece in text.replace("(", " ").replace("[", " ").replace(",", " ").split():
        name, found, expr_id = piece.rstrip(")]").rpartition("#")
        digits = expr_id.removesuffix("L")
        if found and name and digits.isdecimal() and len(digits) < 19:
            names.setdefault(int(digits), (name,))
    tokens = (text[token.start : token.end] for token in find_attributes(text, names))
    return ", ".join(dict.fromkeys(tokens))
