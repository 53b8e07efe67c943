"""The input of a rule: an operator, the flows of its inputs, and methods for reading expressions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eventlog_lineage.model import Gap, GapReason, Transformation
from eventlog_lineage.operators.derivations import kept_values
from eventlog_lineage.operators.derivations.analysis import Analysis
from eventlog_lineage.operators.derivations.combined_arrays import combined_fields
from eventlog_lineage.operators.derivations.derivation import (
    EXACT,
    Derivation,
    Influence,
    Origin,
    Part,
    Sources,
    as_inferred,
    constant,
    element_of,
    merge,
)
from eventlog_lineage.operators.derivations.expression_analysis import analyze
from eventlog_lineage.operators.derivations.kept_values import chosen_fields, kept_derivation, lacks_fields
from eventlog_lineage.operators.derivations.references import FieldReference
from eventlog_lineage.plan.expressions.attribute_ids import WORD_PATTERN, called_attributes, read_attribute
from eventlog_lineage.plan.expressions.escapes import unescaped
from eventlog_lineage.plan.expressions.lexer import AttributeNames, find_attributes, is_known
from eventlog_lineage.plan.expressions.lists import without_truncation
from eventlog_lineage.plan.expressions.parser import parse_expression, split_alias
from eventlog_lineage.plan.expressions.truncated_calls import completed, truncated_calls
from eventlog_lineage.plan.nodes import PlanNode

from .attribute_links import bind_outer
from .flow import Condition, Flow, Output, Read, combine
from .plan_context import PlanContext
from .reported_gaps import REPORT, WIDER, truncated_arguments, unknown_attribute

Scope = Mapping[int, Derivation]


@dataclass(slots=True)
class Operation:
    """An operator with its inputs, the argument of a rule.

    Attributes:
        node: The operator as printed.
        inputs: The flows of its children.
        plan: The context that the operators of the plan share.
        gaps: What the rule could not resolve.
        conditions: Conditions of subqueries in its expressions.
        reads: Reads of subqueries in its expressions.
        subqueries: The subqueries in its expressions, resolved over its inputs, by id.
        names: The attributes that its expressions can name: the plan's, and those in its arguments.
    """

    node: PlanNode
    inputs: tuple[Flow, ...]
    plan: PlanContext
    gaps: list[Gap] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    subqueries: dict[int, Flow] = field(default_factory=dict)
    names: AttributeNames = field(init=False)

    def __post_init__(self) -> None:
        self.names = self.plan.names

    @property
    def input(self) -> Flow:
        """The combination of all inputs, with completed aggregations."""
        return combine(self.inputs) if self.inputs else Flow()

    @property
    def raw_input(self) -> Flow:
        """The only input, with its incomplete grouping and ordering."""
        return self.inputs[0] if len(self.inputs) == 1 else self.input

    def below(self, node: PlanNode) -> Flow:
        """Return the flow of an operator anywhere below this one.

        Args:
            node: The operator; it is already resolved, as plans are resolved from the leaves to the root.
        """
        return self.plan.flows[id(node)]

    def gap(self, reason: GapReason, detail: str, hint: str, key: str = "") -> None:
        """Report what could not be resolved.

        Args:
            reason: The reason.
            detail: What could not be resolved.
            hint: What the user can do.
            key: Identifies the gap in lineage fingerprints, see `Gap.key`.
        """
        self.gaps.append(Gap(reason, self.node.name, unescaped(detail[:500]), hint, unescaped(key[:500])))

    def bind(self, text: str, scope: Scope, *, aggregate: bool = False) -> Derivation:
        """Return an expression's derivation, with its attributes bound in a scope.

        Args:
            text: The expression as printed, with or without an alias.
            scope: Attribute id to derivation.
            aggregate: Whether only aggregate functions are possible.
        """
        completed_text = self._completed(text, scope) if " more fields)" in text else text
        analysis = self._analysis(completed_text, aggregate=aggregate)
        derivation = self.bind_analysis(analysis, scope)
        if (other := self.plan.ambiguous.get(text)) is not None:
            derivation = self._chosen(text, derivation, self._analysis(other, aggregate=aggregate), scope)
        return derivation if completed_text is text else as_inferred(derivation)

    def _chosen(self, text: str, derivation: Derivation, other: Analysis, scope: Scope) -> Derivation:
        """Return the derivation of an expression that can be read in two ways; a gap if their sources differ.

        Args:
            text: The expression.
            derivation: The derivation of one reading.
            other: The other reading.
            scope: Attribute id to derivation.
        """
        if any(reference.expr_id not in scope for reference in other.references if not reference.subquery):
            return derivation
        if self.bind_analysis(other, scope).sources.keys() == derivation.sources.keys():
            return derivation
        self.gap(
            GapReason.UNPARSED_EXPRESSION,
            f"a literal in {text} can be read in two ways, with different sources",
            "Spark prints literals without quotes: check this expression against the query",
        )
        return as_inferred(derivation)

    def _analysis(self, text: str, *, aggregate: bool) -> Analysis:
        if self.names is self.plan.names:
            return self.plan.analysis(text, aggregate=aggregate)
        return analyze(parse_expression(text, self.names), aggregate=aggregate, masks=self.plan.masks)

    def _completed(self, text: str, scope: Scope) -> str:
        """Return an expression with truncated arguments completed as far as possible; the others are a gap.

        Args:
            text: The expression.
            scope: Attribute id to derivation.
        """
        order = list(scope)[::-1]  # a flow's scope has its outputs from the last to the first
        known = {expr_id: self.names[expr_id][0] for expr_id in order if expr_id in self.names}
        for call in reversed(list(truncated_calls(text))):
            if self.plan.truncated_lists.is_literal(call.visible):
                continue
            whole = completed(text, call, known)
            if whole is None:
                self.gap(*truncated_arguments(call.function, call.missing))
            text = whole or text
        return text

    def bind_analysis(self, analysis: Analysis, scope: Scope) -> Derivation:
        """Return the derivation of an analyzed expression.

        Args:
            analysis: The analysis.
            scope: Attribute id to value, of the operator's inputs.
        """
        if analysis.passes is not None:
            derivation = self._resolve(analysis.passes, scope)
            if analysis.rebuilt is not None and derivation is not None and lacks_fields(analysis.rebuilt, derivation):
                return self.bind_analysis(analysis.rebuilt, scope)
            return derivation if derivation is not None else constant("?")
        if (same := kept_values.of_same_type(analysis, lambda each: self._resolve(each, scope))) is not None:
            return same
        bound: list[Sources] = []
        for reference in analysis.references:
            derivation = self._resolve(reference, scope)
            if derivation is not None:
                bound.append(derivation.through(reference.kind, masking=reference.masking))
        parts: list[Part] = []
        for piece in analysis.pieces:
            if isinstance(piece, FieldReference):
                parts.append(self._resolve(piece, scope) or "?")
            else:
                parts.append(piece)
        fields = self._built_fields(analysis, scope)
        container = self._resolve(analysis.elements, scope) if analysis.elements is not None else None
        if analysis.kept is not None and fields is None:
            whole = Derivation(merge(bound), parts)
            return kept_derivation(analysis, whole, lambda reference: self._resolve(reference, scope))
        if container is None:
            return Derivation(merge(bound), parts, fields, None, analysis.data_type)
        if fields is None and container.fields is not None:
            fields = {name: element_of(part) for name, part in container.fields.items()}
        data_type = container.data_type if analysis.keeps_type else analysis.data_type
        return Derivation(merge(bound), parts, fields, container.column, data_type)

    def _built_fields(self, analysis: Analysis, scope: Scope) -> dict[str, Derivation] | None:
        """Return the fields of a struct that an expression builds or chooses; None for other values.

        Args:
            analysis: The expression.
            scope: Attribute id to derivation.
        """
        if analysis.fields is None and analysis.combined:
            return combined_fields([self.bind_analysis(each, scope) for each in analysis.combined])
        if analysis.fields is None:
            return chosen_fields(analysis, lambda reference: self._resolve(reference, scope))
        return {name: self.bind_analysis(part, scope) for name, part in analysis.fields.items()}

    def named(self, item: str, scope: Scope) -> Output:
        """Return a named expression's output: `id#1L`, or `(id#1L + 1) AS next#2L`.

        Args:
            item: The expression.
            scope: Attribute id to value, of the operator's inputs.
        """
        attribute = self._plain(item, scope)
        if attribute is not None:
            return attribute
        alias = split_alias(item, self.names)
        if alias is not None:
            text, name, expr_id = alias
            return Output(name, expr_id, self.bind(text, scope))
        derivation = self.bind(item, scope)
        name, expr_id = read_attribute(item) or (item.removeprefix("'"), -1)  # 'k is an unresolved column
        return Output(name, expr_id, derivation)

    def _plain(self, item: str, scope: Scope) -> Output | None:
        attribute = read_attribute(item)
        if attribute is None:
            return None
        name, expr_id = attribute
        derivation = scope.get(expr_id)
        if derivation is None or not is_known(name, expr_id, self.names):
            return None
        return Output(name, expr_id, derivation)

    def outputs(self, items: Iterable[str], scope: Scope) -> tuple[Output, ...]:
        """Return the outputs of a list of named expressions.

        Args:
            items: The expressions.
            scope: Attribute id to value, of the operator's inputs.
        """
        return tuple(self.named(item, scope) for item in items)

    def relabeled(self, items: Sequence[str], outputs: Sequence[Output]) -> tuple[Output, ...]:
        """Return outputs with the values of other outputs, by position, as in a reused exchange.

        Args:
            items: The attributes, `name#id`, that name and number the outputs.
            outputs: The outputs with the values.
        """
        attributes = [read_attribute(item) or (item, -1) for item in items]
        if len(attributes) != len(outputs):
            detail = f"{len(attributes)} attributes for {len(outputs)} values"
            self.gap(GapReason.DANGLING_ATTRIBUTE, detail, REPORT)
        return tuple(
            Output(name, expr_id, below.derivation) for (name, expr_id), below in zip(attributes, outputs, strict=False)
        )

    @staticmethod
    def unbound_value(name: str, expr_id: int) -> Derivation:
        """Return the value of an attribute that this plan does not bind; another plan of the application may.

        Args:
            name: The attribute's name.
            expr_id: Its id.
        """
        origin = Origin("", name, expr_id)
        influence = Influence(masking=False, confidence=EXACT)
        return Derivation({(origin, Transformation.IDENTITY): influence}, (origin,), column=origin)

    def naming_arguments(self) -> Operation:
        """Return the operation with the attributes in its arguments, which are in no list of the plan."""
        text = self.node.text("Arguments")
        words = {int(expr_id): (name,) for name, expr_id in WORD_PATTERN.findall(text)}
        same = replace(self)
        same.names = {**words, **called_attributes(text), **self.plan.names}
        return same

    def naming_outputs(self, outputs: Iterable[Output]) -> Operation:
        """Return the operation with the names of outputs that the plan lists nowhere, such as a relation's.

        Args:
            outputs: The outputs whose names its arguments use; names can contain `#` and brackets.
        """
        same = replace(self)
        same.names = {**{each.expr_id: (each.name,) for each in outputs}, **self.plan.names}
        return same

    def unbound_arguments(self) -> dict[int, Derivation]:
        """Return the attributes in the arguments, unbound, by id; see `naming_arguments`."""
        tokens = find_attributes(self.node.text("Arguments"), self.names)
        found = {token.expr_id: self.names[token.expr_id][0] for token in tokens}
        return {expr_id: self.unbound_value(name, expr_id) for expr_id, name in found.items()}

    def references(self, text: str, scope: Scope) -> list[Derivation]:
        """Return the derivations of the distinct attributes in a text, in order.

        Args:
            text: The text.
            scope: Attribute id to value, of the operator's inputs.
        """
        ids = dict.fromkeys(token.expr_id for token in find_attributes(text, self.names))
        return [scope[expr_id] for expr_id in ids if expr_id in scope]

    def condition(self, text: str, kind: Transformation, scope: Scope) -> Condition:
        """Return the condition of an expression that influences all rows.

        Args:
            text: The expression.
            kind: FILTER, JOIN, GROUP_BY or SORT.
            scope: Attribute id to value, of the operator's inputs.
        """
        return Condition(self.bind(text, scope), kind)

    def finish(self, flow: Flow) -> Flow:
        """Return a rule's result with the gaps, conditions and reads of its expressions."""
        if not (self.gaps or self.conditions or self.reads):
            return flow
        return replace(
            flow,
            conditions=flow.conditions + tuple(self.conditions),
            reads=flow.reads + tuple(self.reads),
            gaps=flow.gaps + tuple(self.gaps),
        )

    def printed_items(self, items: Sequence[str], what: str) -> list[str]:
        """Return the items of a list without `... 37 more fields`; a truncated list is a gap.

        Args:
            items: The items; the last one may be `... 37 more fields`.
            what: The content of the list, for the gap.
        """
        printed, missing = without_truncation(list(items))
        if missing:
            listed = f"{missing} of {len(printed) + missing} {what}"
            self.gap(GapReason.TRUNCATED_FIELDS, f"{listed} are truncated", WIDER, f"{listed} are cut off")
        return printed

    def _resolve(self, reference: FieldReference, scope: Scope) -> Derivation | None:
        derivation = (
            self._subquery(reference.expr_id, scope) if reference.subquery else self._attribute(reference, scope)
        )
        if derivation is None:
            return None
        for name in reference.path:
            derivation = derivation.field(name)
        return derivation

    def _attribute(self, reference: FieldReference, scope: Scope) -> Derivation | None:
        derivation = scope.get(reference.expr_id)
        if derivation is None and reference.expr_id in self.plan.outer:
            return self.unbound_value(self._name(reference.expr_id), reference.expr_id)
        if derivation is None:
            self._report_unbound(reference)
        return derivation

    def _name(self, expr_id: int) -> str:
        return self.names.get(expr_id, ("",))[0]

    def subquery(self, expr_id: int, scope: Scope) -> Flow | None:
        """Return a subquery's flow.

        Args:
            expr_id: The id of the subquery.
            scope: Attribute id to derivation, for its outer attributes (`outer(id#1)`).
        """
        flow = self.subqueries.get(expr_id)
        if flow is None and (found := self.plan.subqueries.get(expr_id)):
            outer = (each for each in self.plan.outer if each in scope)
            known = {each: Output(self._name(each), each, scope[each]) for each in outer}
            flow = self.subqueries[expr_id] = bind_outer(found.completed(), known, self.node, expr_id)
        return flow

    def _subquery(self, expr_id: int, scope: Scope) -> Derivation | None:
        subquery = self.subquery(expr_id, scope)
        if subquery is None:
            return None
        self.conditions.extend(condition for condition in subquery.conditions if condition not in self.conditions)
        self.reads.extend(read for read in subquery.reads if read not in self.reads)
        value = subquery.outputs[0] if subquery.outputs else None
        if value is not None and value.expr_id >= 0 and not value.derivation.sources:
            self.gaps.extend(gap for gap in subquery.gaps if gap not in self.gaps)
        return value.derivation if value is not None else None

    def _report_unbound(self, reference: FieldReference) -> None:
        attribute = f"{self._name(reference.expr_id)}#{reference.expr_id}"
        gap = unknown_attribute(attribute, is_truncated=self.plan.truncated_lists.below(self.node))
        if not any(known.detail == gap[1] for known in self.gaps):
            self.gap(*gap)
