"""Types of columns that follow from the expressions that make them and the types of their sources.

A scan of another system, and a logical plan, print no types, but other statements do: the type of `sum(orders.amount)`
follows from that of `amount`, whichever statement shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from eventlog_lineage.datasets.naming import short_name
from eventlog_lineage.operators.derivations.functions import base_name
from eventlog_lineage.operators.derivations.result_types import result_type
from eventlog_lineage.plan.grammar.expression import AttributeReference, Call, Expression, SubqueryExpression, parts_of
from eventlog_lineage.plan.grammar.parser import parse_expression

Column = tuple[str, str]
"""A dataset and one of its columns."""

_CUT = "…"


@dataclass(frozen=True, slots=True)
class Made:
    """How a column is made by a job.

    Attributes:
        expression: The expression over the words of its sources; empty for a copy.
        sources: The columns that it reads, in lower case.
    """

    expression: str
    sources: tuple[Column, ...]


def derived_types(
    known: Mapping[Column, str], made: Mapping[Column, Collection[Made]], is_users: Callable[[str], bool]
) -> dict[Column, str]:
    """Return the types of columns with those that follow, step by step, where all ways to make a column agree.

    Args:
        known: Column to type; empty if it is unknown.
        made: Column to the ways in which jobs make it.
        is_users: Returns whether a function of this name is a user's, whose type no plan prints.
    """
    types = {column: kind for column, kind in known.items() if kind}
    while True:
        found = {
            column: kinds.pop()
            for column, ways in made.items()
            if column not in types and len(kinds := {_derived(each, types, is_users) for each in ways} - {""}) == 1
        }
        if not found:
            return types
        types |= found


def _derived(made: Made, types: Mapping[Column, str], is_users: Callable[[str], bool]) -> str:
    """Return the type that a column has; empty if it does not follow."""
    if not made.expression:
        return types.get(made.sources[0], "")
    parsed = _parsed(made)
    if parsed is None or any(isinstance(each, Call) and is_users(base_name(each.function)) for each in _all(parsed)):
        return ""

    def type_of(part: AttributeReference | SubqueryExpression) -> str:
        return types.get(made.sources[part.expr_id - 1], "") if isinstance(part, AttributeReference) else ""

    return result_type(parsed, type_of)


@lru_cache(maxsize=1024)
def _parsed(made: Made) -> Expression | None:
    """Return the expression with its sources as attributes; None if not every word of a source is one of them."""
    words = {f"{short_name(dataset)}.{column}".lower(): at for at, (dataset, column) in enumerate(made.sources, 1)}
    if _CUT in made.expression or len(words) < len(made.sources):
        return None
    longest = sorted(map(re.escape, words), key=len, reverse=True)
    found = re.compile(rf"(?<![\w.])(?:{'|'.join(longest)})(?![\w.])", re.IGNORECASE)
    text = found.sub(lambda match: f"c#{words[match[0].lower()]}", made.expression)
    tables = {re.escape(word.rpartition(".")[0]) for word in words}
    if re.search(rf"(?<![\w.])(?:{'|'.join(tables)})\.\w", text, re.IGNORECASE):
        return None
    return parse_expression(text, dict.fromkeys(words.values(), ("c",)))


def _all(expression: Expression) -> Iterator[Expression]:
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(parts_of(part))
