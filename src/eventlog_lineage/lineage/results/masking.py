"""Lineage without the literals of the statements: for those whose plans hold their customers' data."""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.lineage.results.statement_lineage import StatementLineage
from eventlog_lineage.model import GapReason
from eventlog_lineage.plan.expressions.lexer import find_attributes
from eventlog_lineage.plan.nodes import Field, PlanNode

_TELL_TEXT = frozenset({GapReason.UNPARSED_EXPRESSION, GapReason.UNPARSED_PLAN, GapReason.UNKNOWN_TARGET})
"""Gaps whose details are a piece of the plan's text."""


def without_literals(lineage: StatementLineage) -> StatementLineage:
    """A statement's lineage with `?` for each literal in its expressions, and gaps without text of the plan."""
    edges = tuple(replace(edge, expression=edge.pattern) for edge in lineage.edges)
    gaps = tuple(replace(gap, detail="masked") if gap.reason in _TELL_TEXT else gap for gap in lineage.gaps)
    return replace(lineage, edges=edges, gaps=gaps)


def attributes_only(node: PlanNode) -> dict[str, Field]:
    """An operator's fields with nothing but attributes in them: what else they hold may be a literal."""
    return {label: Field(_attributes(field.text)) for label, field in node.fields.items()}


def _attributes(text: str) -> str:
    """The attributes in a text, once each; a name is what stands before its id, up to a bracket, a comma or a space."""
    names: dict[int, tuple[str, ...]] = {}
    for piece in text.replace("(", " ").replace("[", " ").replace(",", " ").split():
        name, found, number = piece.rstrip(")]").rpartition("#")
        digits = number.removesuffix("L")
        if found and name and digits.isdecimal() and len(digits) < 19:
            names.setdefault(int(digits), (name,))
    tokens = (text[token.start : token.end] for token in find_attributes(text, names))
    return ", ".join(dict.fromkeys(tokens))
