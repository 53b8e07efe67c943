"""Add fields that the lines of a tree string omit: the results of aggregates, the column of a Range.

An aggregate prints the names of its results (`output=[k#1, total#2]`), and so does `TakeOrderedAndProject`; the
optimized and the analyzed plan have the expressions under the same ids (`Aggregate.aggregateExpressions`,
`Project.projectList`, 2.4 to 4.3). Without them (simple text, `sparkPlanInfo`), the operators above show which
attributes must exist; what follows from that is inferred.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat

from eventlog_lineage.attribute_patterns import ID, NUMBER
from eventlog_lineage.plan.grammar.attribute_ids import ANY_ID, PLAN_ID, attribute_of, ids_in, read_attribute, unescaped
from eventlog_lineage.plan.grammar.escaping import PlanEscaper, unfiltered
from eventlog_lineage.plan.grammar.forms import read_role
from eventlog_lineage.plan.grammar.parser import split_alias
from eventlog_lineage.plan.grammar.readings import unmatched
from eventlog_lineage.plan.grammar.symbols import EXPRESSIONS, Field, Listed, listed, split
from eventlog_lineage.plan.printed.operator_lines import DescribedOperator, list_field

from .nodes import LOGICAL_RESULTS
from .truncation import SYNTHETIC, Below, ListCompletion, LogicalLists, MissingAttributes, more_fields

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
        listed: The results of each aggregate.
        has_ambiguous_names: Whether names or literals look like a plan's structure: these are escaped.
    """

    aggregates: Mapping[int, Sequence[str]] = field(default_factory=dict)
    listed: Sequence[list[str]] = ()
    projections: Mapping[int, Sequence[str]] = field(default_factory=dict)
    has_ambiguous_names: bool = False
    lists: LogicalLists = field(default_factory=LogicalLists)


def logical_results(plans: Sequence[str], escaper: PlanEscaper | None) -> LogicalResults:
    """Return the named expressions of logical plans.

    Args:
        plans: The optimized and the analyzed plan; none if the text has no logical plans.
        escaper: Escapes ambiguous names; None for a plan without any.
    """
    results: dict[str, dict[int, list[str]]] = {"Aggregate": {}, "Project": {}}
    listed: list[list[str]] = []
    for plan in plans:
        own: dict[str, dict[int, list[str]]] = {"Aggregate": {}, "Project": {}}
        for match in _LINE.finditer(plan):
            items = list(_items(match[2], match[1] == "Aggregate", escaper))
            listed += [items] if match[1] == "Aggregate" else []
            for item in items:
                attribute = read_attribute(item)
                if attribute and " AS " in item:
                    own[match[1]].setdefault(attribute[1], []).append(item)
        results = {word: own[word] | known for word, known in results.items()}
    return LogicalResults(results["Aggregate"], listed, results["Project"], escaper is not None, LogicalLists(plans))


def best_defined(candidates: Sequence[str], ids: Callable[[], Collection[int]]) -> str:
    """Return the named expression with the fewest attributes that its operator does not have.

    Args:
        ids: Returns the ids of the attributes that the operator has.
    """
    if len(candidates) == 1:
        return candidates[0]
    available = ids()
    return min(candidates, key=lambda item: sum(expr_id not in available for expr_id in ids_in(item)[:-1]))


def _items(arguments: str, is_aggregate: bool, escaper: PlanEscaper | None) -> Iterator[str]:
    """Yield the named expressions of a line: the only list of a projection, the last one of an aggregate."""
    if escaper is None:
        yield from read_role("Aggregate" if is_aggregate else "Project", arguments, "columns")
        return
    text = escaper.text(arguments)
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


_NORMALIZED = re.compile(r"knownfloatingpointnormalized\(normalizenanandzero\((.*)\)\)$", re.DOTALL)
_SUBQUERY = re.compile(rf"(?:ReusedSubquery )?Subquery [\w-]+#({NUMBER}), {PLAN_ID}")
_DISTINCT_CALL = re.compile(r"(?P<start>\w+\(distinct )(?P<arguments>.*)\)", re.DOTALL)


def complete_fields(
    root: int, below: Below, described: Mapping[int, DescribedOperator], logical: LogicalResults
) -> None:
    """Add the fields that the lines of a tree's operators omit.

    Args:
        described: Index to the operator of a line; updated.
    """
    order = list(_order(root, below))
    keys = _named_keys(described.values())
    absent = MissingAttributes(order, below, described, logical.lists)
    tops = [at for at in order if described[at].name == "TakeOrderedAndProject"]
    projected = {at: frozenset(absent.requested[at]) for at in tops}  # both branches of a self-join have equal ids
    if tops and any(" more fields" in field.text for each in described.values() for field in each.fields.values()):
        for at in tops:  # their columns may name what is in truncated lists
            printed = partial(_printed_below, at, below, described)
            _name_projected(described[at], projected[at], logical.projections, absent, printed)
        absent = MissingAttributes(order, below, described, logical.lists)
        projected = {}
    lists = ListCompletion(below, described, absent, logical.lists)
    for at in reversed(order):
        operator = described[at]
        lists.complete(at, operator)
        if "Functions" in operator.fields and "Results" not in operator.fields:
            filtered = _with_filters(operator.fields["Functions"].items, _steps(at, below, described))
            _name_results(at, operator, _evidence(operator, keys, filtered, logical), absent)
        elif at in projected:
            printed = partial(_printed_below, at, below, described)
            _name_projected(operator, projected[at], logical.projections, absent, printed)
        elif operator.name == "Range" and "Output" not in operator.fields:
            _name_range(at, operator, absent)
        lists.record_outputs(at, operator)


def _evidence(
    operator: DescribedOperator, keys: Mapping[str, str], filtered: tuple[str, ...], logical: LogicalResults
) -> _ResultEvidence:
    input_ids = {expr_id for label in ("Keys", "Functions") for expr_id in ids_in(operator.fields[label].text)}
    outputs = frozenset(attribute_of(item)[1] for item in operator.outputs or ())
    return _ResultEvidence(
        logical.aggregates, logical.listed, keys, input_ids, outputs - input_ids, logical.has_ambiguous_names, filtered
    )


def _printed_below(at: int, below: Below, described: Mapping[int, DescribedOperator]) -> set[int]:
    lines = (described[inner] for inner in _order(at, below) if inner != at)
    return {expr_id for operator in lines for field in operator.fields.values() for expr_id in ids_in(field.text)}


def _order(root: int, below: Below) -> Iterator[int]:
    stack = [root]
    while stack:
        at = stack.pop()
        yield at
        stack.extend(reversed(below[at]))


@dataclass(frozen=True, slots=True)
class _ResultEvidence:
    """Evidence for the results of aggregates from outside their lines.

    Attributes:
        results: Id to the named expressions that define it, from logical plans.
        listed: The results of each aggregate of the logical plans.
        keys: Attribute of a computed grouping key to its expression: `score#7453` to `score#106`.
        input_ids: The ids in the aggregate's keys and functions.
        output_ids: The ids of its results except keys.
        filtered: The aggregate's functions with their filters.
    """

    results: Mapping[int, Sequence[str]]
    listed: Sequence[list[str]]
    keys: Mapping[str, str]
    input_ids: Collection[int]
    output_ids: frozenset[int] = frozenset()
    has_ambiguous_names: bool = False
    filtered: tuple[str, ...] = ()

    def of(self, item: str) -> str | None:
        """Return the named expression of a result as logical plans have it; None if it is that of two results."""
        found = read_attribute(item)
        defined = self.results.get(found[1]) if found else None
        if not found or not defined:
            return None
        best = best_defined(defined, lambda: self.input_ids)
        child = alias[0] if (alias := split_alias(best, {})) else ""  # the name can have another result's
        return best if self.output_ids.isdisjoint(ids_in(unescaped(child))) else None

    def outputs(self, keys: Sequence[str], functions: Sequence[str]) -> list[str] | None:
        """Return the results that logical plans have for an aggregate; None if none has its keys and functions."""
        calls = [self.function(each) for each in functions]
        items = next((items for items in self.listed if calls and _are_results(items, keys, calls)), None)
        return items and [item if item in keys else "{}#{}".format(*attribute_of(item)) for item in items]

    def is_key(self, key: str, text: str) -> bool:
        """Return whether a result is a computed grouping key, `upper(s#1)` is `upper(s#1)#9`."""
        return key in self.keys and unescaped(self.keys[key]) == unescaped(text)

    def function(self, text: str) -> str:
        """Return a function as logical plans print it: over the expressions of computed keys and logical subqueries."""
        text = _SUBQUERY.sub(r"scalar-subquery#\1 []", text)
        for key in sorted(self.keys, key=len, reverse=True):
            text = text.replace(key, self.keys[key]) if key in text else text
        return text


def _are_results(items: Sequence[str], keys: Sequence[str], functions: Sequence[str]) -> bool:
    computed = [item for item in items if item not in keys]
    return all(" AS " in item for item in computed) and all(each in ", ".join(computed) for each in functions)


def _are_partial(functions: Iterable[str]) -> bool:
    return any(function.startswith(("partial_", "merge_")) for function in functions)


def _steps(at: int, below: Below, described: Mapping[int, DescribedOperator]) -> Iterator[Sequence[str]]:
    while len(below[at]) == 1:
        at = below[at][0]
        if field := described[at].fields.get("Functions"):
            if not _are_partial(field.items):
                return
            yield field.items


def _with_filters(functions: Sequence[str], steps: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the functions of an aggregation's last step with their filters, which only the first step prints.

    `sum(v#1) FILTER (WHERE a#2)` and `sum(v#1) FILTER (WHERE b#3)` are `sum(v#1), sum(v#1)` in the last step.

    Args:
        steps: The functions of the steps below it, the first step last.
    """
    filtered: dict[str, list[str]] = {}
    for items in steps:
        first_step: dict[str, list[str]] = {}
        for item in items:
            if item.startswith("partial_"):
                completed = item.removeprefix("partial_")
                first_step.setdefault(unfiltered(completed), []).append(completed)
        filtered |= first_step
    queues = {core: iter(texts) for core, texts in filtered.items()}
    return tuple(next(queues[each], each) if each in queues else each for each in functions)


def _named_keys(described: Iterable[DescribedOperator]) -> dict[str, str]:
    """Return the computed grouping keys, including normalized numbers (`NormalizeFloatingNumbers`)."""
    found: dict[str, str] = {}
    for operator in described:
        for item in operator.fields["Keys"].items if "Keys" in operator.fields else ():
            alias = split_alias(item, {}) if " AS " in item else None
            if alias is not None:
                child = alias[0]
                match = _NORMALIZED.match(child)
                found[f"{item[len(child) + 4 :]}"] = match[1] if match else child
    return found


def _name_results(at: int, operator: DescribedOperator, results: _ResultEvidence, absent: MissingAttributes) -> None:
    """Set `Aggregate Attributes` and `Results` of an aggregate as in formatted text, as far as they are printed."""
    keys, functions = listed(operator.fields["Keys"].items), listed(operator.fields["Functions"].items)
    operator.fields["Functions"] = list_field(list(functions))
    values = [f"{function}#{SYNTHETIC + at * 10_000 + index}" for index, function in enumerate(functions)]
    is_distinct = not functions and _has_keys_only(operator.outputs, keys) and absent.has_later_step(at)
    if is_distinct or _are_partial(functions):
        _name_partial_results(operator, keys, values)
        return
    operator.fields["Aggregate Attributes"] = list_field(values)
    outputs = listed(_outputs(at, operator, absent, results))
    indexes = _function_indexes(operator, outputs, keys, functions)
    named = [_result(item, index, operator, results) for item, index in zip(outputs, indexes, strict=False)]
    operator.fields["Results"] = list_field([*named, *more_fields(outputs.missing)])
    if functions.missing and _calls_others(named, values, keys):
        operator.fields["Functions"] = list_field([*functions, *more_fields(functions.missing)])
    if results.has_ambiguous_names:
        operator.fields[LOGICAL_RESULTS] = list_field(list(_logical_results(outputs, keys, results)))
    absent.mark_bound(outputs.ids)


def _function_indexes(operator: DescribedOperator, outputs: Listed, keys: Listed, functions: Listed) -> Iterable[int]:
    """Return the index of each output's function: negative for keys, and if functions and outputs do not align."""
    inferred = len(keys) + (len(operator.inferred) or len(functions))
    count = outputs.size if operator.outputs is not None else inferred
    return range(-keys.size, len(outputs)) if count == keys.size + functions.size else repeat(-1)


def _has_keys_only(outputs: Sequence[str] | None, keys: Listed) -> bool:
    """Return whether an aggregate prints outputs, all of which are its keys."""
    return bool(outputs) and set(keys.ids).issuperset(listed(outputs or ()).ids)


def _calls_others(results: Iterable[str], values: Sequence[str], keys: Iterable[str]) -> bool:
    """Return whether results have functions in the truncated part of a list: over attributes other than keys."""
    known = set(ids_in(" ".join(keys)))
    for each in results:
        text = each
        for value in values:
            text = text.replace(value, "")
        if not known.issuperset(ids_in(text)[:-1]):
            return True
    return False


def _name_partial_results(operator: DescribedOperator, keys: Listed, values: Sequence[str]) -> None:
    printed = listed(operator.outputs if operator.outputs is not None else [*keys, *values])
    operator.fields["Aggregate Attributes"] = list_field(list(printed)[len(keys) :])
    hidden = [key for key in keys if operator.inferred.intersection(ids_in(key)) and key not in printed]
    operator.fields["Results"] = list_field([*printed, *hidden])


def _logical_results(outputs: Listed, keys: Listed, results: _ResultEvidence) -> Iterator[str]:
    """Yield what the logical plans compute; another operator computes a key that has no AS."""
    yield from filter(None, (results.of(item) for item in outputs if item not in keys.items))


def _name_projected(
    operator: DescribedOperator,
    missing: Set[int],
    projections: Mapping[int, Sequence[str]],
    absent: MissingAttributes,
    printed_below: Callable[[], Collection[int]],
) -> None:
    """Add the expressions of a `TakeOrderedAndProject`, whose line prints their names only.

    Args:
        missing: The ids that it names and that no line below prints.
        projections: Id to the named expressions that define it, from logical plans.
    """
    computed = missing & projections.keys()
    if not computed:
        return
    head, border, columns = operator.fields["Arguments"].text.rpartition(_BETWEEN)
    items = ((item, attribute_of(item)[1]) for item in split(EXPRESSIONS, columns.removesuffix("]")))
    completed = (best_defined(projections[each], printed_below) if each in computed else item for item, each in items)
    operator.fields["Arguments"] = Field(f"{head}{border}{', '.join(completed)}]")
    absent.mark_bound(computed)


def _outputs(at: int, operator: DescribedOperator, absent: MissingAttributes, results: _ResultEvidence) -> list[str]:
    """Return the outputs of an aggregate; of one that prints none, those of logical plans, or what is requested above.

    Args:
        operator: The aggregate; updated.
    """
    keys, functions = listed(operator.fields["Keys"].items), operator.fields["Functions"].items
    if operator.outputs is None:
        operator.outputs = results.outputs(list(keys), functions)
    if operator.outputs is not None:
        return operator.outputs
    requested = sorted(absent.requested_above(at).items())
    if requested:
        operator.inferred.update(expr_id for expr_id, _ in requested)
        return [*keys, *(f"{name}#{expr_id}" for expr_id, name in requested)]
    names = [ANY_ID.sub("", function) for function in functions]
    ids = [absent.id_above(at, name) or SYNTHETIC + at * 10_000 + 5_000 + index for index, name in enumerate(names)]
    operator.inferred.update(ids)
    return [*keys, *(f"{name}#{expr_id}" for name, expr_id in zip(names, ids, strict=True))]


def _defined(text: str, operator: DescribedOperator, results: _ResultEvidence) -> str:
    """Return a result of a logical plan, with the aggregate's own attributes for its functions."""
    functions, values = operator.fields["Functions"].items, operator.fields["Aggregate Attributes"].items
    child = alias[0] if (alias := split_alias(text, {})) else text
    name = text[len(child) :]
    child = next((key for key in operator.fields["Keys"].items if results.is_key(key, child)), child)
    for over in (functions, [results.function(function) for function in functions]):
        if len(results.filtered) == len(values):
            child = _with_values(child, [*results.filtered, *over], [*values, *values])
        else:
            child = _with_values(child, over, values)
    return f"{_only_like(child, functions, values) or child}{name}"


def _result(item: str, index: int, operator: DescribedOperator, results: _ResultEvidence) -> str:
    """Return a result as formatted text prints it: `(sum(v#1)#7 / 2.0) AS half#8`.

    Args:
        index: The index of its function; negative for a key, or if the function is unknown.
    """
    keys, functions = operator.fields["Keys"].items, operator.fields["Functions"].items
    values = operator.fields["Aggregate Attributes"].items
    name, expr_id = attribute_of(item)
    if any(key == item or key.endswith(f" AS {item}") for key in keys):
        return item
    if text := results.of(item):
        defined = _defined(text, operator, results)
        at_place = 0 <= index < len(values) and _calls_alike(defined, functions[index])
        return f"{values[index]} AS {name}#{expr_id}" if at_place else defined
    ordered = operator.outputs is not None or len(values) < 2 or not any("(distinct " in each for each in functions)
    if ordered and 0 <= index < len(values):
        return f"{values[index]} AS {name}#{expr_id}"
    if len(values) != 1 or (operator.outputs is None and len(operator.inferred) > 1):
        return item  # a gap: it can be a key with another name, and DISTINCT functions are printed last
    operator.inferred.add(expr_id)
    return f"{values[0]} AS {name}#{expr_id}"


def _calls_alike(result: str, function: str) -> bool:
    """Return whether a result is a function whose literals the optimizer computed.

    The results of a cached plan are in the analyzed plan only.

    >>> _calls_alike("max((v#1 * cast(2 as double))) AS m#2", "max((v#1 * 2.0))")
    True
    """
    alias = split_alias(result, {})
    call = alias[0] if alias else ""
    return call.partition("(")[0] == function.partition("(")[0] and ids_in(call) == ids_in(function)


def _only_like(text: str, functions: Sequence[str], values: Sequence[str]) -> str | None:
    """Return the value of the only function that a call can be, whose arguments Spark ordered in another way.

    `count(distinct greatest(a#1, b#2))` is `count(distinct greatest(b#2, a#1)#3)` in the physical plan.
    """
    call = _DISTINCT_CALL.fullmatch(text)
    if call is None:
        return None
    alike = [value for function, value in zip(functions, values, strict=True) if function.startswith(call["start"])]
    return alike[0] if len(alike) == 1 else None


def _with_values(text: str, functions: Sequence[str], values: Sequence[str]) -> str:
    """Replace functions in an expression by the attributes of their values.

    The lines of the physical and of the logical plan can differ in how their literals are read: escapes do not matter.
    """
    for function, value in sorted(zip(functions, values, strict=True), key=lambda pair: -len(pair[0])):
        pieces, at = [], 0
        for match in re.finditer(rf"(?<!\w){re.escape(unescaped(function))}(?!#)", unescaped(text)):
            pieces += [text[at : match.start()], value]
            at = match.end()
        text = "".join([*pieces, text[at:]])
    return text


def _name_range(at: int, operator: DescribedOperator, absent: MissingAttributes) -> None:
    """Add the single column of a Range, `id`, which its line omits."""
    expr_id = next(
        (expr_id for expr_id, name in absent.requested_above(at).items() if name == "id"), SYNTHETIC + at * 10_000
    )
    operator.fields["Output"] = list_field([f"id#{expr_id}L"])
    absent.mark_bound([expr_id])
