"""`HashAggregate` and other aggregations: group rows, in one or several steps.

`CometHashAggregate` prints `Input`, `Keys` and `Functions` (0.5 to 0.12); its consumer's `Input` has the outputs.
Keys keep their ids there, unless the query names them. The other outputs are derived from the functions, in their
order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations

from eventlog_lineage.model import INFERRED, OPAQUE, GapReason, Transformation, merge
from eventlog_lineage.operators.derivations import functions
from eventlog_lineage.operators.derivations.derivation import Derivation, Origin, joined
from eventlog_lineage.operators.flow import Flow, Grouping, Output
from eventlog_lineage.operators.operation import Operation, Scope
from eventlog_lineage.operators.registry import operator
from eventlog_lineage.operators.rules.python_rows import opaque
from eventlog_lineage.operators.rules.union import has_side_marks, without_left_side
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of, read_attribute, unescaped
from eventlog_lineage.plan.grammar.parser import split_alias
from eventlog_lineage.plan.grammar.symbols import listed
from eventlog_lineage.plan.tree.nodes import LOGICAL_RESULTS


def unnamed_results(op: Operation, keys: Sequence[Output], values: Sequence[Derivation]) -> tuple[Output, ...]:
    """Return the outputs of an aggregation from its consumer's input.

    Returns:
        The consumer's attributes: keys by id (exact) or by name, the others by order and type (inferred); if these
        leave several readings, each may depend on all values (opaque).
    """
    consumed = op.node.consumer_input
    if consumed is None:
        op.gap(GapReason.DANGLING_ATTRIBUTE, "the plan does not print the outputs of this aggregation")
        return tuple(keys)
    attributes = [attribute_of(item) for item in consumed.items]
    found, others = _keys_of(attributes, keys)
    unknown = [item for item, key in zip(consumed.items, found, strict=True) if key is None]
    candidates = [key.derivation for key in others]
    derived = _derived(unknown, candidates, values)
    if derived is None:
        derived = _any_of(op, unknown, [*candidates, *values])
    return tuple(
        Output(name, expr_id, key.derivation if key else derived.pop(0))
        for (name, expr_id), key in zip(attributes, found, strict=True)
    )


_UNNAMED = "the plan does not print which results of this aggregation these are"
_ANALYZED = "set spark.sql.ui.explainMode=extended: the logical plans print them"
_MOST_ORDERS = 1_000


def _derived(
    unknown: Sequence[str], keys: Sequence[Derivation], values: Sequence[Derivation]
) -> list[Derivation] | None:
    """Return the derivations of outputs without a name: the functions' values in order, keys anywhere between them.

    Returns:
        The only order that fits the types of the outputs, as far as they show; None if several orders do, or none.
    """
    if unknown and len(keys) + len(values) == 1:
        orders = [[*keys, *values] * len(unknown)]
    elif len(unknown) == len(values) == 1:
        orders = [list(values)]
    else:
        orders = list(islice(_orders(len(unknown), keys, values), _MOST_ORDERS))
    fitting = [order for order in orders if all(map(_fits, unknown, order))]
    if len(fitting) != 1 or len(orders) == _MOST_ORDERS:
        return None
    return [each.step(Transformation.IDENTITY, confidence=INFERRED) for each in fitting[0]]


def _orders(count: int, keys: Sequence[Derivation], values: Sequence[Derivation]) -> Iterator[list[Derivation]]:
    for places in permutations(range(count), len(keys)) if count == len(keys) + len(values) else ():
        placed = dict(zip(places, keys, strict=True))
        rest = iter(values)
        yield [placed[at] if at in placed else next(rest) for at in range(count)]


def _fits(attribute: str, value: Derivation) -> bool:
    """Return whether a value can be an attribute, whose id ends in `L` if it is a bigint."""
    return not value.known_type or (value.known_type == "bigint") == attribute.endswith("L")


def _any_of(op: Operation, unknown: Sequence[str], candidates: Sequence[Derivation]) -> list[Derivation]:
    """Return the derivations of outputs that may each be any of several values; a gap at the last step."""
    if not any(map(functions.is_partial, op.node.listed("Functions"))):
        names = ", ".join(name for name, _ in map(attribute_of, unknown))
        op.gap(GapReason.DANGLING_ATTRIBUTE, f"{names}: {_UNNAMED}", _ANALYZED)
    combined = merge(each.through(Transformation.IDENTITY, confidence=OPAQUE) for each in candidates)
    return [Derivation(combined, ("of(", *joined(candidates), ")"))] * len(unknown)


_EXPANDED = "(gid#"
"""`RewriteDistinctAggregates` distinguishes the rows of several DISTINCT aggregates by a column with this name."""

_MERGED = "(merge "
"""Photon's later steps name the buffers of the step before, `finalmerge_avg(merge sum#1, count#2)`."""


def _keys_of(attributes: Sequence[tuple[str, int]], keys: Sequence[Output]) -> tuple[list[Output | None], list[Output]]:
    """Return the key that each attribute is, by its id or else by its name, and the keys that none of them is."""
    by_id = {key.expr_id: key for key in keys}
    ids = {expr_id for _, expr_id in attributes}
    renamed = {key.name: key for key in keys if key.expr_id not in ids}
    found = [by_id.get(expr_id) or renamed.pop(name, None) for name, expr_id in attributes]
    return found, list(renamed.values())


_TYPED = re.compile(r"(\w+)\([\w.$]+@[0-9a-f]+, Some\(")
"""An `Aggregator` of objects: `sumagg(SumAgg$@27bf05af, Some(newInstance(class Order)), …` (`TypedAggregateExpression`,
2.4 to 4.3) prints the class that its code takes, and no column."""

_FILTER = " FILTER (WHERE "
_Source = tuple[Origin, Transformation]


@operator("HashAggregate", "ObjectHashAggregate", "SortAggregate", "MergingSessions")
def aggregate(op: Operation) -> Flow:
    """Output keys and results; a partial step's functions are completed by a later step.

    `Functions` of the final step name attributes from below the partial step, so their dependencies are taken from the
    partial step, by text or by position. Keys are GROUP_BY only at the last step: earlier steps may have the column of
    a `count(DISTINCT x)` among their keys. A key that is an expression is named after it there, `upper(status#2) AS
    upper(status#2)#9` (`RewriteDistinctAggregates`), and the step's functions and results refer to it by that name:
    `partial_count(distinct upper(status#2)#9)`. EXCEPT ALL and INTERSECT ALL group nothing that the user sees.
    """
    below = op.raw_input
    keys, texts = op.keys("Keys"), op.complete(op.node.listed("Functions"), "functions")
    below = without_left_side(_sorted_by_keys(op, below, keys) if op.node.operator == "SortAggregate" else below)
    grouping = below.grouping
    if grouping is not None and not _continues(texts, keys, grouping):
        below, grouping = below.completed(), None
    groups = op.outputs(keys, below.scope)
    own = {key.expr_id: key.derivation for key in groups}
    step = _Step(op, texts, own | dict(below.scope), grouping)
    bound = step.functions()
    step.name_results(bound)
    is_internal = has_side_marks(below) if grouping is None else not grouping.keys
    grouped_by = () if is_internal else tuple(key.derivation for key in groups)
    inputs = below.scope if grouping is None else grouping.inputs
    if "Results" in op.node.fields:
        outputs = _named_results(op, step.scope, {**inputs, **own})
    else:
        outputs = unnamed_results(op, groups, [derivation for _, derivation in bound])
    flow = Flow(outputs, below.conditions, below.reads, Grouping(grouped_by, bound, inputs), gaps=below.gaps)
    return flow if _may_continue(texts, keys) else flow.completed()


def _named_results(op: Operation, scope: Scope, logical_scope: Scope) -> tuple[Output, ...]:
    """Return the outputs of the printed results, or those of the logical plan where it names known attributes only."""
    outputs = op.outputs(op.complete(op.node.listed("Results"), "columns"), scope)
    logical = op.node.items(LOGICAL_RESULTS)
    return _as_logical(op, outputs, logical, logical_scope) if logical else outputs


def _sorted_by_keys(op: Operation, below: Flow, keys: Sequence[str]) -> Flow:
    """Return the input without the sort by the keys, or by the expressions that they name."""
    aliases = (split_alias(key, op.plan.names) for key in keys)
    return below.ordered_for([*keys, *(alias[0] for alias in aliases if alias is not None)])


def _as_logical(
    op: Operation, outputs: tuple[Output, ...], items: tuple[str, ...], scope: Mapping[int, Derivation]
) -> tuple[Output, ...]:
    """Return the results of the logical plan, over the input of the first step, if all attributes are known."""
    names = {functions.base_name(text.partition("(")[0]) for text in op.node.listed("Functions")}
    if not names <= functions.AGGREGATES:
        return outputs  # a user's function: only its position shows that it aggregates
    logical: dict[int, Output] = {}
    for item in items:
        alias = split_alias(item, op.names)
        if alias and _has_attributes(op, alias[0], scope):
            logical[alias[2]] = op.named(item, scope)
    return tuple(
        known if (known := logical.get(output.expr_id)) and not _reads_fields(output, known) else output
        for output in outputs
    )


def _reads_fields(output: Output, other: Output) -> bool:
    """Return whether an output has fields of the other one's sources: `first(items#1)#2[0].sku`, not `items`.

    Args:
        other: The same output in the logical plan, where a field is that of a call.
    """
    own, others = output.derivation.sources.keys(), other.derivation.sources.keys()
    if own == others:
        return False
    known = all(any(_contains(around, source) for around in others) for source in own)
    return known and all(any(_contains(around, source) for source in own) for around in others)


def _contains(source: _Source, other: _Source) -> bool:
    """Return whether a source is another one, or a column around it, with an influence of the same kind."""
    (origin, kind), (inner, other_kind) = source, other
    same = kind is other_kind and origin.dataset == inner.dataset and origin.attribute == inner.attribute
    return same and f"{inner.column}.".startswith(f"{origin.column}.")


def _continues(texts: tuple[str, ...], keys: tuple[str, ...], grouping: Grouping) -> bool:
    if any("(distinct " in text[:80] or _EXPANDED in text or _MERGED in text for text in texts):
        return True
    if grouping.functions:  # an aggregation is completed before another one starts
        return any(not text.startswith("partial_") for text in texts)
    return not texts and len(keys) == len(grouping.keys)


def _may_continue(texts: tuple[str, ...], keys: tuple[str, ...]) -> bool:
    expanded = any(key.startswith("gid#") for key in keys)
    return not texts or expanded or any(functions.is_partial(text) for text in texts)


def _has_attributes(op: Operation, text: str, scope: Mapping[int, Derivation]) -> bool:
    references = op.plan.analysis(text).references
    return all(each.expr_id in scope for each in references if not each.subquery)


@dataclass(frozen=True, slots=True)
class _Step:
    """One step of an aggregation: its functions, their inputs, and the incomplete functions of earlier steps."""

    op: Operation
    texts: tuple[str, ...]
    scope: dict[int, Derivation]
    grouping: Grouping | None

    def functions(self) -> tuple[tuple[str, Derivation], ...]:
        """Return each function's core text and derivation."""
        partial: dict[str, list[Derivation]] = {}
        for text, derivation in self.grouping.functions if self.grouping else ():
            partial.setdefault(text, []).append(derivation)
        return tuple(self._function(text, index, partial) for index, text in enumerate(self.texts))

    def _function(self, text: str, index: int, partial: dict[str, list[Derivation]]) -> tuple[str, Derivation]:
        core = unescaped(_core(text))  # steps can differ in how their literals are read
        if _MERGED in text and (buffers := self.op.references(text, self.scope)):
            return core, buffers[0]  # all buffers of a function have the same sources
        found = None
        if not text.startswith("partial_"):
            # `sum(v) FILTER (WHERE a)` and `sum(v) FILTER (WHERE b)` have the same text above the first step
            same = partial.get(core, ())
            found = (same.pop(0) if len(same) > 1 else same[0]) if same else self._partial_function(core, index)
        if found is None and (typed := _TYPED.match(core)):
            whole_row = opaque(self.op.raw_input.outputs, typed[1])
            return core, whole_row.step(Transformation.AGGREGATION)
        return core, found or self.op.bind(_phaseless(text), self.scope, aggregate=True)

    def _partial_function(self, core: str, index: int) -> Derivation | None:
        """Return the partial step's function of another text: by position, or as the only similar one.

        Gluten's earlier steps aggregate a projection's column, `partial_sum(_pre_0#9)`, and the last one names the
        user's expression: there, position and function name must match.

        Args:
            core: The function's text, without its phase and its filter.
        """
        if self.grouping is None:
            return None
        partial = self.grouping.functions
        alike = _unnumbered(core)
        at_place = partial[index][0] if len(partial) == len(self.texts) else ""
        if _unnumbered(at_place) == alike or ("_pre_" in at_place and _named(at_place) == _named(core)):
            return partial[index][1]
        found = [derivation for text, derivation in partial if _unnumbered(text) == alike]
        return found[0] if len(found) == 1 else None

    def name_results(self, bound: tuple[tuple[str, Derivation], ...]) -> None:
        """Bind aggregate attributes to the functions, and a partial step's results to its buffers.

        A function can have several buffers, `avg` has two: then each may belong to any of the functions.
        Results of a partial step are its keys and its buffers, with new ids (`sum#127` for `sum#125`).
        """
        values = [derivation for _, derivation in bound]
        attributes = self.op.node.attributes("Aggregate Attributes")
        own = values if len(attributes) == len(values) else [_combined(values)] * len(attributes)
        for (_, expr_id), value in zip(attributes, own, strict=True):
            self.scope[expr_id] = value
        if not self.texts or any(map(functions.is_partial, self.texts)):  # others' are expressions over the attributes
            self._name_buffers(attributes, values)

    def _name_buffers(self, attributes: Sequence[tuple[str, int]], values: list[Derivation]) -> None:
        keys = len(listed(self.op.node.items("Keys")))
        buffers = [read_attribute(item) for item in self.op.node.items("Results")[keys:]]
        matched = len(buffers) == len(attributes)
        for index, buffer in enumerate(buffers):
            if buffer is not None and buffer[1] not in self.scope:
                self.scope[buffer[1]] = self.scope[attributes[index][1]] if matched else _combined(values)


def _phaseless(text: str) -> str:
    for phase in ("partial_", "merge_", "finalmerge_"):
        text = text.removeprefix(phase)
    return text


def _core(text: str) -> str:
    """Return a function's text without its phase and its filter: only the first step prints `FILTER (WHERE …)`."""
    text = _phaseless(text)
    at = text.find(_FILTER)
    while at >= 0 and text.count("(", 0, at) != text.count(")", 0, at):  # it is in a name
        at = text.find(_FILTER, at + 1)
    return text if at < 0 else text[:at]


def _unnumbered(text: str) -> str:
    """Return a function's text without attribute ids, which a reused exchange changes."""
    first, *pieces = text.split("#")
    return first + "".join(piece.lstrip("0123456789").removeprefix("L") for piece in pieces)


def _named(text: str) -> str:
    return text.partition("(")[0]


def _combined(derivations: list[Derivation]) -> Derivation:
    if len(derivations) == 1:
        return derivations[0]
    return Derivation(merge(derivation.sources for derivation in derivations), tuple(derivations))
