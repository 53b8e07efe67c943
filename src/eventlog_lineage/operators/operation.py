"""One operator at work: its node, its inputs, and how its rule reads expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eventlog_lineage.model import Dataset, Gap, GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import (
    EXACT,
    Derivation,
    Influence,
    Origin,
    Part,
    Sources,
    as_inferred,
    constant,
    merge,
    taken_out,
)
from eventlog_lineage.operators.derivations.expression_analysis import Analysis, analyse
from eventlog_lineage.operators.derivations.references import Leaf
from eventlog_lineage.plan.expressions.attribute_ids import CAPTURED_ID, WORD_PATTERN, read_attribute
from eventlog_lineage.plan.expressions.escapes import unescaped
from eventlog_lineage.plan.expressions.lexer import AttributeNames, find_attributes, is_known
from eventlog_lineage.plan.expressions.lists import without_truncation
from eventlog_lineage.plan.expressions.parser import parse_expression, split_alias
from eventlog_lineage.plan.expressions.truncated_calls import completed, truncated_calls
from eventlog_lineage.plan.nodes import Plan, PlanNode
from eventlog_lineage.plan.truncated_lists import TruncatedLists

from .attribute_links import bind_derivation
from .flow import Condition, Flow, Output, Read, combine
from .table_names import NO_NAMES, TableNames

Scope = Mapping[int, Derivation]

_REPORT = "please report it with the plan's text"
_WIDER = "set spark.sql.debug.maxToStringFields to at least the number of columns"
_CALLED = re.compile(rf"\){CAPTURED_ID}\b")


@dataclass(frozen=True, slots=True, eq=False)
class PlanContext:
    """What all operators of one plan share.

    Attributes:
        names: Every attribute the plan knows.
        outer: Of these, the ones that correlated subqueries take from their host's inputs.
        subqueries: Subquery number to its flow; filled in before the operators that host it are resolved.
        numbered: Operator id to operator, for the exchanges that a ReusedExchange points at.
        fold: Resolves an operator and what is below it.
        flows: The operators resolved so far, by identity.
        catalogs: Catalog class to catalog name, from the application's settings and plans; empty for a class of several
            catalogs where nothing shows which of them it is.
        analyses: Expressions analysed so far, by text.
        definitions: Number of a common table expression to its definition, in logical trees.
        requested: Attribute ids that another plan leaves open.
        bound: The outputs found for them, nearest to the root.
        stream_sources: Per source of the streaming query whose micro-batch this is, the datasets behind it; None for
            one that prints its class only.
        handed_in: Attributes whose values are known from elsewhere: the rows that a batch's function was handed.
        cuts: The lists that Spark cut.
        tables: Full names of the tables that the plan prints incompletely.
    """

    names: AttributeNames
    outer: frozenset[int] = frozenset()
    subqueries: dict[int, Flow] = field(default_factory=dict)
    numbered: Mapping[int, PlanNode] = field(default_factory=dict)
    fold: Callable[[PlanNode, PlanContext], Flow] | None = None
    flows: dict[int, Flow] = field(default_factory=dict)
    catalogs: Mapping[str, str] = field(default_factory=dict)
    analyses: dict[tuple[str, bool], Analysis] = field(default_factory=dict)
    definitions: Mapping[str, PlanNode] = field(default_factory=dict)
    requested: frozenset[int] = frozenset()
    bound: dict[int, Output] = field(default_factory=dict)
    stream_sources: tuple[tuple[Dataset, ...] | None, ...] = ()
    handed_in: Mapping[int, Output] = field(default_factory=dict)
    cuts: TruncatedLists = field(default_factory=lambda: TruncatedLists(Plan(None)))
    tables: TableNames = NO_NAMES

    def reused(self, number: int | None) -> Flow | None:
        """The flow of the operator with an id, resolved now if it stands elsewhere in the text."""
        node = self.numbered.get(number) if number is not None else None
        return self.fold(node, self) if node is not None and self.fold is not None else None

    def definition(self, number: str) -> Flow | None:
        """Return the flow of the common table expression with a number; None before it is resolved, or without one."""
        node = self.definitions.get(number)
        return self.flows.get(id(node)) if node is not None else None

    def analysis(self, text: str, *, aggregate: bool = False) -> Analysis:
        """The analysis of an expression's text, done once."""
        key = (text, aggregate)
        known = self.analyses.get(key)
        if known is None:
            known = self.analyses[key] = analyse(parse_expression(text, self.names), aggregate=aggregate)
        return known


@dataclass(slots=True)
class Operation:
    """An operator with its inputs; what a rule takes.

    Attributes:
        node: The operator as printed.
        inputs: The flows of its children.
        plan: What the operators of the plan share.
        gaps: What the rule could not tell.
        conditions: Influences that come with expressions: what a subquery filters by.
        reads: What subqueries in its expressions read.
        hosted: The subqueries in its expressions, over its inputs.
        names: The attributes that its expressions can name: the plan's, unless its arguments name others.
    """

    node: PlanNode
    inputs: tuple[Flow, ...]
    plan: PlanContext
    gaps: list[Gap] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    hosted: dict[int, Flow] = field(default_factory=dict)
    names: AttributeNames = field(init=False)

    def __post_init__(self) -> None:
        self.names = self.plan.names

    @property
    def input(self) -> Flow:
        """All inputs as one, settled: what is below is finished."""
        return combine(self.inputs) if self.inputs else Flow()

    @property
    def raw_input(self) -> Flow:
        """The only input with its grouping and ordering still open."""
        return self.inputs[0] if len(self.inputs) == 1 else self.input

    def below(self, node: PlanNode) -> Flow:
        """Return the flow of an operator anywhere below this one.

        Args:
            node: The operator; resolved by now, as a plan is resolved from its leaves to its root.
        """
        return self.plan.flows[id(node)]

    def gap(self, reason: GapReason, detail: str, hint: str) -> None:
        """Records what this operator could not tell."""
        self.gaps.append(Gap(reason, self.node.name, unescaped(detail[:500]), hint))

    def bind(self, text: str, scope: Scope, *, aggregate: bool = False) -> Derivation:
        """An expression's derivation, its attributes taken from a scope.

        Args:
            text: The expression as printed, with or without an alias.
            scope: Attribute id to derivation.
            aggregate: It stands where only an aggregate function can.
        """
        whole = self._completed(text, scope) if " more fields)" in text else text
        analysis = self._analysis(whole, aggregate=aggregate)
        derivation = self.bind_analysis(analysis, scope)
        return derivation if whole is text else as_inferred(derivation)

    def _analysis(self, text: str, *, aggregate: bool) -> Analysis:
        if self.names is self.plan.names:
            return self.plan.analysis(text, aggregate=aggregate)
        return analyse(parse_expression(text, self.names), aggregate=aggregate)

    def _completed(self, text: str, scope: Scope) -> str:
        """An expression with the arguments that Spark cut, as far as they are known; the others are a gap."""
        order = list(scope)[::-1]  # a flow's scope has its outputs from the last to the first
        known = {number: self.names[number][0] for number in order if number in self.names}
        for call in reversed(list(truncated_calls(text))):
            whole = completed(text, call, known)
            if whole is None:
                self.gap(
                    GapReason.TRUNCATED_FIELDS,
                    f"{call.missing} arguments of {call.function} are cut off",
                    "set spark.sql.debug.maxToStringFields to at least the number of arguments",
                )
            text = whole or text
        return text

    def bind_analysis(self, analysis: Analysis, scope: Scope) -> Derivation:
        """The derivation of an analysed expression."""
        if analysis.passes is not None:
            derivation = self._resolve(analysis.passes, scope)
            return derivation if derivation is not None else constant("?")
        if analysis.cast is not None:
            derivation = self._resolve(analysis.cast[0], scope)
            if derivation is not None and derivation.data_type == analysis.cast[1]:
                return derivation
        bound: list[Sources] = []
        for leaf in analysis.leaves:
            derivation = self._resolve(leaf, scope)
            if derivation is not None:
                bound.append(derivation.through(leaf.kind, masking=leaf.masking))
        parts: list[Part] = []
        for piece in analysis.pieces:
            if isinstance(piece, Leaf):
                parts.append(self._resolve(piece, scope) or "?")
            else:
                parts.append(piece)
        fields = None
        if analysis.fields is not None:
            fields = {name: self.bind_analysis(part, scope) for name, part in analysis.fields.items()}
        container = self._resolve(analysis.elements, scope) if analysis.elements is not None else None
        if container is None:
            return Derivation(merge(bound), parts, fields, None, analysis.data_type)
        if fields is None and container.fields is not None:
            fields = {name: taken_out(part) for name, part in container.fields.items()}
        return Derivation(merge(bound), parts, fields, container.column, analysis.data_type)

    def named(self, item: str, scope: Scope) -> Output:
        """A named expression's output: `id#1L`, or `(id#1L + 1) AS next#2L`."""
        attribute = self._plain(item, scope)
        if attribute is not None:
            return attribute
        alias = split_alias(item, self.names)
        if alias is not None:
            text, name, number = alias
            return Output(name, number, self.bind(text, scope))
        derivation = self.bind(item, scope)
        found = read_attribute(item)
        name, number = found or (item.removeprefix("'"), -1)  # 'k is a column that is not resolved
        return Output(name, number, derivation)

    def _plain(self, item: str, scope: Scope) -> Output | None:
        attribute = read_attribute(item)
        if attribute is None:
            return None
        name, number = attribute
        derivation = scope.get(number)
        if derivation is None or not is_known(name, number, self.names):
            return None
        return Output(name, number, derivation)

    def outputs(self, items: Iterable[str], scope: Scope) -> tuple[Output, ...]:
        """The outputs of a list of named expressions."""
        return tuple(self.named(item, scope) for item in items)

    def relabelled(self, items: Sequence[str], outputs: Sequence[Output]) -> tuple[Output, ...]:
        """Outputs that take over other outputs' values by position, as a reused exchange's do."""
        attributes = [read_attribute(item) or (item, -1) for item in items]
        if len(attributes) != len(outputs):
            self.gap(
                GapReason.DANGLING_ATTRIBUTE,
                f"{len(attributes)} attributes for {len(outputs)} values",
                _REPORT,
            )
        return tuple(
            Output(name, number, below.derivation) for (name, number), below in zip(attributes, outputs, strict=False)
        )

    @staticmethod
    def unbound_value(name: str, number: int) -> Derivation:
        """The value of an attribute that this plan does not explain; another of the application may."""
        origin = Origin("", name, number)
        influence = Influence(masking=False, confidence=EXACT)
        return Derivation({(origin, Transformation.IDENTITY): influence}, (origin,), column=origin)

    def naming_arguments(self) -> Operation:
        """Return the operation with the attributes that its arguments name, and that no list of the plan declares."""
        text = self.node.text("Arguments")
        words = {int(number): (name,) for name, number in WORD_PATTERN.findall(text)}
        same = replace(self)
        same.names = {**words, **_called(text), **self.plan.names}
        return same

    def unbound_arguments(self) -> dict[int, Derivation]:
        """Return every attribute of the arguments, unbound, by id; see `naming_arguments`."""
        tokens = find_attributes(self.node.text("Arguments"), self.names)
        found = {token.number: self.names[token.number][0] for token in tokens}
        return {number: self.unbound_value(name, number) for number, name in found.items()}

    def references(self, text: str, scope: Scope) -> list[Derivation]:
        """The derivations of all attributes in a text, in order, each once."""
        numbers = dict.fromkeys(token.number for token in find_attributes(text, self.names))
        return [scope[number] for number in numbers if number in scope]

    def condition(self, text: str, kind: Transformation, scope: Scope) -> Condition:
        """An influence on all rows, from an expression."""
        return Condition(self.bind(text, scope), kind)

    def finish(self, flow: Flow) -> Flow:
        """A rule's result with what its expressions brought along."""
        if not (self.gaps or self.conditions or self.reads):
            return flow
        return replace(
            flow,
            conditions=flow.conditions + tuple(self.conditions),
            reads=flow.reads + tuple(self.reads),
            gaps=flow.gaps + tuple(self.gaps),
        )

    def whole(self, items: Sequence[str], what: str) -> list[str]:
        """Items of a list that Spark may have cut; a cut one is a gap.

        Args:
            items: The items, the last of them maybe `... 37 more fields`.
            what: What the list says, for the gap.
        """
        there, missing = without_truncation(list(items))
        if missing:
            self.gap(
                GapReason.TRUNCATED_FIELDS,
                f"{missing} of {len(there) + missing} {what} are cut off",
                _WIDER,
            )
        return there

    def _resolve(self, leaf: Leaf, scope: Scope) -> Derivation | None:
        derivation = self._subquery(leaf.number, scope) if leaf.subquery else self._attribute(leaf, scope)
        if derivation is None:
            return None
        for name in leaf.path:
            derivation = derivation.field(name)
        return derivation

    def _attribute(self, leaf: Leaf, scope: Scope) -> Derivation | None:
        derivation = scope.get(leaf.number)
        if derivation is None and leaf.number in self.plan.outer:
            return self.unbound_value(self._name(leaf.number), leaf.number)
        if derivation is None:
            self._dangling(leaf)
        return derivation

    def _name(self, number: int) -> str:
        return self.names.get(number, ("",))[0]

    def subquery(self, number: int, scope: Scope) -> Flow | None:
        """A subquery's flow; what it takes from around it (`outer(id#1)`) is taken from a scope."""
        flow = self.hosted.get(number)
        if flow is None and (found := self.plan.subqueries.get(number)):
            flow = self.hosted[number] = self._correlated(found.settled(), scope)
        return flow

    def _correlated(self, flow: Flow, scope: Scope) -> Flow:
        outer = (number for number in self.plan.outer if number in scope)
        known = {number: Output(self._name(number), number, scope[number]) for number in outer}
        if not known:
            return flow
        return replace(
            flow.with_outputs(
                Output(each.name, each.number, bind_derivation(each.derivation, known)) for each in flow.outputs
            ),
            conditions=tuple(Condition(bind_derivation(each.derivation, known), each.kind) for each in flow.conditions),
        )

    def _subquery(self, number: int, scope: Scope) -> Derivation | None:
        settled = self.subquery(number, scope)
        if settled is None:
            return None
        self.conditions.extend(condition for condition in settled.conditions if condition not in self.conditions)
        self.reads.extend(read for read in settled.reads if read not in self.reads)
        value = settled.outputs[0] if settled.outputs else None
        if value is not None and value.number >= 0 and not value.derivation.sources:
            self.gaps.extend(gap for gap in settled.gaps if gap not in self.gaps)
        return value.derivation if value is not None else None

    def _dangling(self, leaf: Leaf) -> None:
        attribute = f"{self._name(leaf.number)}#{leaf.number}"
        gap = (GapReason.DANGLING_ATTRIBUTE, f"{attribute} is no output of the operator's inputs", _REPORT)
        if self.plan.cuts.below(self.node):
            gap = (GapReason.TRUNCATED_FIELDS, f"{attribute} stood in a list that is cut off", _WIDER)
        if not any(known.detail == gap[1] for known in self.gaps):
            self.gap(*gap)


def _called(text: str) -> dict[int, tuple[str, ...]]:
    """The attributes that Spark named by the expression that makes them: `upper(customer)#1496`."""
    found: dict[int, tuple[str, ...]] = {}
    for match in _CALLED.finditer(text):
        at, depth = match.start(), 1
        while at > 0 and depth:
            at -= 1
            depth += {")": 1, "(": -1}.get(text[at], 0)
        while at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_"):
            at -= 1
        if not depth:
            found[int(match[1])] = (text[at : match.start() + 1],)
    return found
