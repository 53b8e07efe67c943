"""The named expressions of logical plans: what the lines of a physical plan print by name only.

An aggregate prints the names of its results (`output=[k#1, total#2]`), and so does `TakeOrderedAndProject`; the
optimized and the analyzed plan have the expressions under the same ids (`Aggregate.aggregateExpressions`,
`Project.projectList`, 2.4 to 4.3).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from eventlog_lineage.attribute_patterns import ID
from eventlog_lineage.plan.expressions.attribute_ids import ids_in, read_attribute
from eventlog_lineage.plan.expressions.item_costs import unmatched
from eventlog_lineage.plan.expressions.lists import split_items, split_named
from eventlog_lineage.plan.formatted.ambiguous_details import PlanEscaper

_LINE = re.compile(
    r"(?:^|[- ~'])(Aggregate|Project) (\[.*?\])(?:, Statistics\([^\n]*\))?$(?=\n[ :]*[+:]- |\s*\Z)",
    re.MULTILINE | re.DOTALL,
)
"""An aggregate or a projection, whose literals can have line breaks; the line of its input follows.

From 4.1 on `~` is before operators that stream; `'` is before unresolved ones. Cost text adds statistics.
"""
_BETWEEN = "], ["
_ALIAS = re.compile(rf" AS [^\s,()\[\]]+{ID}[,\]]")


@dataclass(frozen=True, slots=True)
class LogicalResults:
    """Named expressions by the id of their name; the optimized plan takes precedence.

    A relation that is read twice has several: both copies of a common table expression print their results under the
    same ids, over attributes with other ids (`DeduplicateRelations`, 3.2 to 4.3).

    Attributes:
        aggregates: The results of aggregates.
        projections: What projections compute.
        has_ambiguous_names: Whether names or literals look like a plan's structure: these are escaped.
    """

    aggregates: Mapping[int, Sequence[str]] = field(default_factory=dict)
    projections: Mapping[int, Sequence[str]] = field(default_factory=dict)
    has_ambiguous_names: bool = False


def logical_results(plans: Sequence[str], escaper: PlanEscaper | None) -> LogicalResults:
    """Return the named expressions of logical plans.

    Args:
        plans: The optimized and the analyzed plan; none if the text has no logical plans.
        escaper: Escapes ambiguous names; None for a plan without any.
    """
    results: dict[str, dict[int, list[str]]] = {"Aggregate": {}, "Project": {}}
    for plan in plans:
        own: dict[str, dict[int, list[str]]] = {"Aggregate": {}, "Project": {}}
        for match in _LINE.finditer(plan):
            for item in _items(match[2], match[1] == "Aggregate", escaper):
                attribute = read_attribute(item)
                if attribute and " AS " in item:
                    own[match[1]].setdefault(attribute[1], []).append(item)
        results = {word: own[word] | known for word, known in results.items()}
    return LogicalResults(results["Aggregate"], results["Project"], escaper is not None)


def best_defined(candidates: Sequence[str], ids: Callable[[], Collection[int]]) -> str:
    """Return the named expression with the fewest attributes that its operator does not have.

    Args:
        candidates: The named expressions of one attribute.
        ids: Returns the ids of the attributes that the operator has.
    """
    if len(candidates) == 1:
        return candidates[0]
    available = ids()
    return min(candidates, key=lambda item: sum(expr_id not in available for expr_id in ids_in(item)[:-1]))


def _items(arguments: str, is_aggregate: bool, escaper: PlanEscaper | None) -> Iterator[str]:
    """Yield the named expressions of a line: the only list of a projection, the last one of an aggregate.

    Args:
        arguments: The line's arguments.
        is_aggregate: Whether it is an aggregate's.
        escaper: Escapes ambiguous names; None for a plan without any.
    """
    if escaper is None:
        lists = [part for part in split_items(arguments) if part.startswith("[")]
        yield from split_named(lists[-1][1:-1], None) if lists else ()
        return
    text = escaper.text(escaper.functions.text(arguments))
    yield from escaper.named_list(_last_list(text) if is_aggregate else text[1:-1])


def _last_list(text: str) -> str:
    """Return the results of `[keys], [results]`; an aggregate without keys prints one list.

    Keys have no aliases: what looks like a border after one is part of a literal, `split(a#1)[1], [,(], -1) AS b#2]`.
    """
    borders: list[int] = []
    alias = _ALIAS.search(text)
    at = text.find(_BETWEEN, 0, alias.start() if alias else len(text))
    while at >= 0:
        borders.append(at)
        at = text.find(_BETWEEN, at + 1, alias.start() if alias else len(text))
    border = next((at for at in borders if not unmatched(text[1:at])), borders[0] if borders else None)
    return text[1:-1] if border is None else text[border + len(_BETWEEN) : -1]
