"""The input of a rule: an operator, the flows of its inputs, and methods for reading expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from eventlog_lineage.extensions import find_command
from eventlog_lineage.model import EXACT, OPAQUE, Gap, GapReason, Influence, Transformation, merge
from eventlog_lineage.operators.derivations.derivation import (
    Derivation,
    Origin,
    Part,
    Sources,
    as_inferred,
    constant,
    element_of,
)
from eventlog_lineage.operators.derivations.expression_analysis import analyze
from eventlog_lineage.operators.derivations.references import Analysis, FieldReference
from eventlog_lineage.operators.derivations.result_types import result_type
from eventlog_lineage.plan.grammar.attribute_ids import (
    ANY_ID,
    WORD_PATTERN,
    attribute_of,
    called_attributes,
    read_attribute,
    unescaped,
)
from eventlog_lineage.plan.grammar.expression import AttributeReference, Expression, SubqueryExpression
from eventlog_lineage.plan.grammar.parser import parse_expression, split_alias
from eventlog_lineage.plan.grammar.symbols import Listed, completed, truncated_calls
from eventlog_lineage.plan.grammar.tokens import EVERY_INPUT, AttributeNames, find_attributes, is_known
from eventlog_lineage.plan.tree.nodes import TRUNCATED, PlanNode

from .attribute_links import bind_outer
from .derivations import kept_structs
from .derivations.kept_structs import chosen_fields, combined_fields, kept_derivation, lacks_fields
from .flow import Condition, Flow, Output, Read, Write, combine
from .plan_context import PlanContext

Scope = Mapping[int, Derivation]

_UNPRINTED = "the text does not print the plan of a subquery"
_ANALYZED = "set spark.sql.ui.explainMode=extended: the analyzed plan prints it"
REPORT = "please report it with the plan's text"
LIST_LIMIT = "spark.sql.debug.maxToStringFields (2.4: spark.debug.maxToStringFields)"
"""How many items of a list are printed: set in `SQLConf` since 3.0, in `SparkConf` before (`truncatedString`)."""
WIDER = f"set {LIST_LIMIT} to at least the number of columns"

T = TypeVar("T")


class UnresolvedError(Exception):
    """Ends a rule that reported why it does not resolve its operator; has the flow of the operator."""

    def __init__(self, flow: Flow) -> None:
        super().__init__()
        self.flow = flow


@dataclass(slots=True)
class Operation:
    """An operator with its inputs, the argument of a rule.

    Attributes:
        inputs: The flows of its children.
        plan: The context that the operators of the plan share.
        names: The attributes that its expressions can name: the plan's, and those in its arguments.
        gaps: What the rule could not resolve.
        conditions: Conditions of subqueries in its expressions.
        reads: Reads of subqueries in its expressions.
        subqueries: The subqueries in its expressions, resolved over its inputs, by id.
    """

    node: PlanNode
    inputs: tuple[Flow, ...]
    plan: PlanContext
    names: AttributeNames
    gaps: list[Gap] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    subqueries: dict[int, Flow] = field(default_factory=dict)

    @property
    def input(self) -> Flow:
        """The combination of all inputs, with completed aggregations and the user's sorts."""
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

    @property
    def mode(self) -> str:
        """The command's effect on its target, as the catalogue of commands has it."""
        return find_command(self.node.operator).mode

    @property
    def consumed(self) -> list[tuple[str, int]]:
        """The attributes that the operator's only consumer prints as its input; empty if it prints none."""
        printed = self.node.consumer_input.items if self.node.consumer_input is not None else ()
        return [found for item in printed if (found := read_attribute(item))]

    def gap(self, reason: GapReason, detail: str, hint: str = REPORT) -> None:
        """Report what could not be resolved."""
        self.gaps.append(Gap(reason, self.node.name, unescaped(detail[:500]), hint))

    def resolved(self, rule: Callable[[Operation], Flow]) -> Flow:
        """Return the operator's flow by its rule."""
        try:
            return self.finish(rule(self))
        except UnresolvedError as error:
            return self.finish(error.flow)

    @property
    def sides(self) -> tuple[Flow, Flow]:
        """The flows of two children; with another number of them, a gap and the input are the result of the rule."""
        if len(self.inputs) != 2:
            self.gap(GapReason.UNPARSED_PLAN, f"{len(self.inputs)} inputs")
            raise UnresolvedError(self.input.completed())
        return self.inputs[0], self.inputs[1]

    def known(self, target: T | None, hint: str = REPORT, below: Flow | None = None) -> T:
        """Return a target, or what it is read from; without one, `unknown_target` is the result of the rule."""
        if target is None:
            raise UnresolvedError(self.unknown_target(hint, below))
        return target

    def unknown_target(self, hint: str = REPORT, below: Flow | None = None) -> Flow:
        """Report that the arguments do not name the target; return the input, or else a command without a write."""
        self.gap(GapReason.UNKNOWN_TARGET, self.node.text("Arguments"), hint)
        return Flow(command=self.node.operator) if below is None else below

    def writes(self, write: Write, below: Flow | None = None) -> Flow:
        """Return the flow of a command that writes the rows below it, if it has any."""
        below = below or Flow()
        return Flow(
            conditions=below.conditions,
            reads=below.reads,
            write=replace(write, node_name=self.node.name),
            command=self.node.operator,
            gaps=below.gaps,
        )

    def bind(self, text: str, scope: Scope, *, aggregate: bool = False) -> Derivation:
        """Return an expression's derivation, with its attributes bound in a scope."""
        completed_text = self.completed_calls(text, scope) if " more fields)" in text else text
        analysis = self._analysis(completed_text, aggregate=aggregate)
        derivation = self.bind_analysis(analysis, scope)
        if not derivation.known_type and analysis.expression is not None:
            derivation.result_type = self.type_in(analysis.expression, scope)
        if (other := self.plan.ambiguous.get(text)) is not None:
            derivation = self._chosen(text, derivation, self._analysis(other, aggregate=aggregate), scope)
        return derivation if completed_text is text else as_inferred(derivation)

    def type_in(self, expression: Expression, scope: Scope) -> str:
        """Return the type of an expression over the attributes of a scope; empty if it is unknown."""

        def type_of(part: AttributeReference | SubqueryExpression) -> str:
            if isinstance(part, AttributeReference):
                return scope[part.expr_id].known_type if part.expr_id in scope else ""
            value = self._subquery(part.expr_id, scope)
            return value.known_type if value is not None else ""

        return result_type(expression, type_of)

    def _chosen(self, text: str, derivation: Derivation, other: Analysis, scope: Scope) -> Derivation:
        """Return the derivation of an expression that can be read in two ways; a gap if their sources differ."""
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

    def completed_calls(self, text: str, scope: Scope) -> str:
        """Return an expression with truncated arguments completed as far as possible; the others are a gap."""
        order = list(scope)[::-1]  # a flow's scope has its outputs from the last to the first
        known = {expr_id: self.names[expr_id][0] for expr_id in order if expr_id in self.names}
        for call in reversed(list(truncated_calls(text))):
            if not call.is_certain and self.plan.truncated_lists.is_literal(call.visible):
                continue
            whole = completed(text, call, known)
            if whole is None:
                self.gap(*truncated_arguments(call.function, call.missing))
            text = whole or text
        return text

    def bind_analysis(self, analysis: Analysis, scope: Scope) -> Derivation:
        """Return the derivation of an analyzed expression.

        Args:
            scope: Attribute id to value, of the operator's inputs.
        """
        if analysis.passes is not None:
            return self._passed(analysis, analysis.passes, scope)
        if (same := kept_structs.of_same_type(analysis, lambda each: self._resolve(each, scope))) is not None:
            return same
        bound, parts = self._bound_parts(analysis, scope)
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

    def _passed(self, analysis: Analysis, passes: FieldReference, scope: Scope) -> Derivation:
        """Return the value that an expression passes on; made again of its fields, if the value has none."""
        derivation = self._resolve(passes, scope)
        if derivation is None:
            return constant("?")
        if analysis.rebuilt is not None and lacks_fields(analysis.rebuilt, derivation):
            return self.bind_analysis(analysis.rebuilt, scope)
        return derivation

    def _bound_parts(self, analysis: Analysis, scope: Scope) -> tuple[list[Sources], list[Part]]:
        """Return the sources of an expression's references, and its pieces with values for references."""
        bound: list[Sources] = []
        for reference in analysis.references:
            derivation = self._resolve(reference, scope)
            if derivation is not None:
                bound.append(derivation.through(reference.kind, masking=reference.masking))
        parts: list[Part] = [
            self._resolve(piece, scope) or "?" if isinstance(piece, FieldReference) else piece
            for piece in analysis.pieces
        ]
        return bound, parts

    def _built_fields(self, analysis: Analysis, scope: Scope) -> dict[str, Derivation] | None:
        """Return the fields of a struct that an expression builds or chooses; None for other values."""
        if analysis.fields is None and analysis.combined:
            return combined_fields([self.bind_analysis(each, scope) for each in analysis.combined])
        if analysis.fields is None:
            return chosen_fields(analysis, lambda reference: self._resolve(reference, scope))
        return {name: self.bind_analysis(part, scope) for name, part in analysis.fields.items()}

    def named(self, item: str, scope: Scope) -> Output:
        """Return a named expression's output: `id#1L`, or `(id#1L + 1) AS next#2L`."""
        attribute = self._plain(item, scope)
        if attribute is not None:
            return attribute
        alias = split_alias(item, self.names)
        if alias is not None:
            text, name, expr_id = alias
            return Output(name, expr_id, self.bind(text, scope))
        derivation = self.bind(item, scope)
        name, expr_id = read_attribute(item) or (ANY_ID.sub("", item.removeprefix("'")), -1)  # 'k is not resolved
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
        """Return the outputs of a list of named expressions."""
        return tuple(self.named(item, scope) for item in items)

    def relabeled(self, items: Sequence[str], outputs: Sequence[Output]) -> tuple[Output, ...]:
        """Return outputs with the values of other outputs, by position, as in a reused exchange.

        Args:
            items: The attributes, `name#id`, that name and number the outputs.
        """
        attributes = [attribute_of(item) for item in items]
        if len(attributes) != len(outputs):
            detail = f"{len(attributes)} attributes for {len(outputs)} values"
            self.gap(GapReason.DANGLING_ATTRIBUTE, detail)
        return tuple(
            Output(name, expr_id, below.derivation) for (name, expr_id), below in zip(attributes, outputs, strict=False)
        )

    @staticmethod
    def unbound_value(name: str, expr_id: int) -> Derivation:
        """Return the value of an attribute that this plan does not bind; another plan of the application may."""
        origin = Origin("", name, expr_id)
        influence = Influence(masking=False, confidence=EXACT)
        return Derivation({(origin, Transformation.IDENTITY): influence}, (origin,), column=origin)

    def unbound(self, attributes: Iterable[tuple[str, int]]) -> Flow:
        """Return the flow of attributes, (name, id), that this plan does not bind."""
        return Flow(
            outputs=tuple(Output(name, expr_id, self.unbound_value(name, expr_id)) for name, expr_id in attributes)
        )

    def naming_arguments(self) -> Operation:
        """Return the operation with the attributes in its arguments, which are in no list of the plan."""
        text = self.node.text("Arguments")
        words = {int(expr_id): (name,) for name, expr_id in WORD_PATTERN.findall(text)}
        return replace(self, names={**words, **called_attributes(text), **self.plan.names})

    def naming_outputs(self, outputs: Iterable[Output]) -> Operation:
        """Return the operation with the names of outputs that the plan lists nowhere, such as a relation's.

        Args:
            outputs: The outputs whose names its arguments use; names can contain `#` and brackets.
        """
        return replace(self, names={**{each.expr_id: (each.name,) for each in outputs}, **self.plan.names})

    def unbound_arguments(self) -> dict[int, Derivation]:
        """Return the attributes in the arguments, unbound, by id; see `naming_arguments`."""
        tokens = find_attributes(self.node.text("Arguments"), self.names)
        found = {token.expr_id: self.names[token.expr_id][0] for token in tokens}
        return {expr_id: self.unbound_value(name, expr_id) for expr_id, name in found.items()}

    def references(self, text: str, scope: Scope) -> list[Derivation]:
        """Return the derivations of the distinct attributes in a text, in order."""
        ids = dict.fromkeys(token.expr_id for token in find_attributes(text, self.names))
        return [scope[expr_id] for expr_id in ids if expr_id in scope]

    def conditions_of(self, texts: Iterable[str], kind: Transformation, scope: Scope) -> list[Condition]:
        """Return the conditions of expressions that influence all rows."""
        return [Condition(self.bind(text, scope), kind) for text in texts]

    def finish(self, flow: Flow) -> Flow:
        """Return a rule's result with the gaps, conditions and reads of its expressions."""
        if hidden := self.node.text(TRUNCATED):
            self.gap(GapReason.TRUNCATED_FIELDS, f"{hidden} columns are truncated", WIDER)
        if not (self.gaps or self.conditions or self.reads):
            return flow
        return replace(
            flow,
            conditions=flow.conditions + tuple(self.conditions),
            reads=flow.reads + tuple(self.reads),
            gaps=flow.gaps + tuple(self.gaps),
        )

    def complete(self, listed: Listed, what: str) -> tuple[str, ...]:
        """Return the items of a list; a truncated list is a gap."""
        self.gaps.extend(self.hidden(listed, what))
        return listed.items

    def hidden(self, listed: Listed, what: str) -> tuple[Gap, ...]:
        """Return the gap of a truncated list; none of a complete one."""
        detail = f"{listed.missing} of {listed.size} {what} are truncated"
        return (Gap(GapReason.TRUNCATED_FIELDS, self.node.name, detail, WIDER),) if listed.missing else ()

    def keys(self, role: str = "keys") -> tuple[str, ...]:
        """Return the operator's keys, a list among its arguments; a truncated list is a gap."""
        return self.complete(self.node.listed(role), "keys")

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
        if reference.expr_id == EVERY_INPUT:
            inputs = (each.through(Transformation.TRANSFORMATION, confidence=OPAQUE) for each in scope.values())
            return Derivation(merge(inputs), ("…",))
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
            _add_new(self.gaps, [Gap(GapReason.UNKNOWN_SOURCE, self.node.name, _UNPRINTED, _ANALYZED)])
            return None
        _add_new(self.conditions, subquery.conditions)
        _add_new(self.reads, subquery.reads)
        for value in subquery.outputs[:1]:
            if value.expr_id >= 0 and not value.derivation.sources:
                _add_new(self.gaps, subquery.gaps)
            return value.derivation
        return None

    def _report_unbound(self, reference: FieldReference) -> None:
        attribute = f"{self._name(reference.expr_id)}#{reference.expr_id}"
        reason, what, hint = GapReason.DANGLING_ATTRIBUTE, "not an output of the operator's inputs", REPORT
        if self.plan.truncated_lists.below(self.node):
            reason, what, hint = GapReason.TRUNCATED_FIELDS, "in the truncated part of a list", WIDER
        if not any(known.detail == f"{attribute} is {what}" for known in self.gaps):
            self.gap(reason, f"{attribute} is {what}", hint)


def _add_new(known: list[T], more: Iterable[T]) -> None:
    known.extend(each for each in more if each not in known)


def truncated_arguments(function: str, missing: int) -> tuple[GapReason, str, str]:
    """Return reason, detail and hint of the gap of a call whose arguments Spark truncated."""
    hint = f"set {LIST_LIMIT} to at least the number of arguments"
    return GapReason.TRUNCATED_FIELDS, f"{missing} arguments of {function} are truncated", hint
