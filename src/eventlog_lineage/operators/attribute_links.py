"""Bind attributes that one plan leaves unbound to the outputs of another plan of the application.

An attribute id is unique in an application (`NamedExpression.newExprId`): the output `amount#46` of a checkpoint, an
RDD scan or an emptied relation is the output `amount#46` of the execution that created it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from eventlog_lineage.model import Transformation, merge
from eventlog_lineage.operators.derivations.derivation import Derivation, Origin, Part, Sources
from eventlog_lineage.plan.tree.nodes import PlanNode

from .flow import Condition, Flow, Output

Bindings = Mapping[int, Output]
"""Attribute id to the output of the plan that created it."""


def bind_links(flow: Flow, bindings: Bindings) -> tuple[Flow, tuple[str, ...]]:
    """Replace a flow's unbound attributes by their derivations.

    Returns:
        The flow over columns of datasets, and the names of the attributes that remain unbound.
    """
    values = (value for each in (flow, *flow.inserts) for value in each.values)
    if all(origin.dataset for value in values for origin, _ in value.sources):
        return flow, ()
    linker = _Linker(bindings)
    bound = _bound(flow, linker)
    inserts = tuple(_bound(insert, linker) for insert in flow.inserts)
    return replace(bound, inserts=inserts), tuple(sorted(linker.unbound))


def _bound(flow: Flow, linker: _Linker) -> Flow:
    outputs = [output.mapped(linker.replace) for output in flow.outputs]
    conditions = tuple(each.mapped(linker.replace) for each in flow.conditions)
    write = flow.write
    if write is not None and write.columns is not None:
        write = replace(write, columns=tuple(column.mapped(linker.replace) for column in write.columns))
    return Flow(tuple(outputs), conditions, flow.reads, None, None, write, flow.command, flow.gaps)


def bind_derivation(derivation: Derivation, bindings: Bindings) -> Derivation:
    """Return a derivation with unbound attributes replaced by their bindings; the others remain unbound."""
    linker = _Linker(bindings, keep_unbound=True)
    return linker.replace(derivation)


def bind_outer(flow: Flow, outer: Bindings, host: PlanNode, expr_id: int) -> Flow:
    """Return a correlated subquery of a logical plan with the attributes of the outer query bound.

    In the analyzed plan its condition stays in it, `Filter (cid#16L = outer(cust#11L))`. The optimizer makes it the
    condition of a join (`PullupCorrelatedPredicates` and `DecorrelateInnerQuery`, 2.0 to 4.3): JOIN.
    """
    if not outer:
        return flow
    conditions = tuple(
        replace(each.mapped(lambda value: bind_derivation(value, outer)), kind=_joined_kind(each, outer, host, expr_id))
        for each in flow.conditions
    )
    outputs = (each.mapped(lambda value: bind_derivation(value, outer)) for each in flow.outputs)
    return replace(flow.with_outputs(outputs), conditions=conditions)


def _joined_kind(condition: Condition, outer: Collection[int], host: PlanNode, expr_id: int) -> Transformation:
    """Return the kind of a subquery's condition: JOIN if it compares the subquery with the outer query.

    A condition of the outer query alone is a filter of it where the subquery selects rows: `EXISTS (… WHERE
    o.qty > 1)`. A lateral subquery is a relation of its own, whose filters are filters.

    Args:
        outer: The ids of the outer attributes that the host binds.
    """
    origins = [origin for origin, _ in condition.derivation.sources]
    of_outer = [not origin.dataset and origin.attribute in outer for origin in origins]
    if condition.kind is not Transformation.FILTER or host.operator == "LateralJoin" or not any(of_outer):
        return condition.kind
    return Transformation.FILTER if all(of_outer) and _selects_rows(host, expr_id) else Transformation.JOIN


def _selects_rows(host: PlanNode, expr_id: int) -> bool:
    """Return whether a subquery keeps the rows that it finds: an EXISTS or IN, neither negated nor in an OR."""
    text = host.text("Condition")
    is_negated = re.search(rf"NOT (?:exists#{expr_id}\b|[^()]* IN \(list#{expr_id}\b)", text)
    is_kept = re.search(rf"(?:exists|list)#{expr_id}\b", text)
    return is_kept is not None and is_negated is None and " OR " not in text


def bind_whole(flow: Flow, bindings: Bindings) -> Flow:
    """Return a query's outputs and conditions, bound as far as bindings go; the other attributes stay unbound."""
    linker = _Linker(bindings, keep_unbound=True)
    outputs = tuple(output.mapped(linker.replace) for output in flow.outputs)
    conditions = tuple(each.mapped(linker.replace) for each in flow.conditions)
    return Flow(outputs, conditions)


class _Linker:
    """Replaces unbound attributes in a graph of derivations, each derivation once."""

    def __init__(self, bindings: Bindings, *, keep_unbound: bool = False) -> None:
        self._bindings = bindings
        self._keep_unbound = keep_unbound  # attributes without a binding remain unbound
        self._done: dict[int, Derivation] = {}
        self._kept: list[Derivation] = []
        self.unbound: set[str] = set()

    def replace(self, root: Derivation) -> Derivation:
        """Return a derivation with its attributes replaced; from the inside out, without recursion."""
        stack = [root]
        while stack:
            derivation = stack[-1]
            if id(derivation) in self._done:
                stack.pop()
                continue
            inner = [part for part in self._inside(derivation) if id(part) not in self._done]
            if inner:
                stack.extend(inner)
                continue
            self._done[id(derivation)] = self._replaced(derivation)
            self._kept.append(derivation)  # keeps the id from being given to another object
            stack.pop()
        return self._done[id(root)]

    @staticmethod
    def _inside(derivation: Derivation) -> list[Derivation]:
        parts = [part for part in derivation.parts if isinstance(part, Derivation)]
        return [*parts, *(derivation.fields or {}).values()]

    def _replaced(self, derivation: Derivation) -> Derivation:
        if all(origin.dataset for origin, _ in derivation.sources):
            return derivation
        sources = merge([self._of_bound(derivation.sources), *self._of_unbound(derivation.sources)])
        fields = derivation.fields and {name: self._done[id(part)] for name, part in derivation.fields.items()}
        column = derivation.column
        if column is not None and not column.dataset:
            bound = self._binding(column)
            column = bound.column if bound else column if self._keep_unbound else None
        return Derivation(sources, [self._part(part) for part in derivation.parts], fields, column)

    def _of_bound(self, sources: Sources) -> Sources:
        return {
            key: each
            for key, each in sources.items()
            if key[0].dataset or (self._keep_unbound and self._binding(key[0]) is None)
        }

    def _of_unbound(self, sources: Sources) -> list[Sources]:
        found: list[Sources] = []
        for (origin, kind), influence in sources.items():
            if origin.dataset:
                continue
            bound = self._binding(origin)
            if bound is None:
                self.unbound.add(origin.column)
                continue
            found.append(bound.through(kind, masking=influence.masking, confidence=influence.confidence))
        return found

    def _part(self, part: Part) -> Part:
        if isinstance(part, Derivation):
            return self._done[id(part)]
        if isinstance(part, Origin) and not part.dataset:
            return self._binding(part) or (part if self._keep_unbound else part.column)
        return part

    def _binding(self, origin: Origin) -> Derivation | None:
        output = self._bindings.get(origin.attribute)
        if output is None:
            return None
        derivation = output.derivation
        path = origin.column[len(output.name) + 1 :]
        for name in path.split(".") if path else ():
            derivation = derivation.field(name)
        return derivation
