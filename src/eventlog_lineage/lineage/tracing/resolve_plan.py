"""Resolve a plan to one flow: apply the rule of each operator, from the leaves to the root."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from eventlog_lineage.errors import DOCS
from eventlog_lineage.model import OPAQUE, GapReason, Transformation, merge
from eventlog_lineage.operators.derivations.derivation import Derivation, as_inferred, as_opaque, function_of, joined
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.plan_context import PlanContext, PlanInputs
from eventlog_lineage.operators.registry import rules
from eventlog_lineage.plan.grammar.attribute_ids import attribute_of
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode, Subquery, attribute_names, outer_attributes, walk
from eventlog_lineage.plan.tree.truncation import TruncatedLists

_EXISTS = Output("exists", -1, Derivation({}, ("exists",)))
"""The value of an EXISTS in a logical tree: it depends on conditions and has no source column."""


@dataclass(frozen=True, slots=True, eq=False)
class Resolution:
    """A resolved plan.

    Attributes:
        flow: The outputs or the write of its root, in terms of source columns.
        bound: The outputs that bind requested attributes, by id; if there are several, the one nearest to the root.
        subqueries: Id to flow of the subqueries that the plan contains.
    """

    flow: Flow
    bound: dict[int, Output]
    subqueries: Mapping[int, Flow] = field(default_factory=dict)


def resolve(plan: Plan, inputs: PlanInputs | None = None, requested: Collection[int] = ()) -> Resolution:
    """Resolve a plan.

    Args:
        requested: Ids of attributes that another plan leaves unbound and this one may bind.

    Returns:
        The resolution; its flow is empty for a plan without a root.
    """
    inputs = inputs or PlanInputs()
    operators_by_id, definitions = _indexed(plan)
    given = {each.name: getattr(inputs, each.name) for each in fields(inputs)}
    context = PlanContext(
        **given | {"subqueries": dict(inputs.subqueries)},
        names=attribute_names(plan),
        outer=outer_attributes(plan) if plan.subqueries else frozenset(),
        requested=frozenset(requested),
        operators_by_id=operators_by_id,
        definitions=definitions,
        fold=_fold,
        truncated_lists=TruncatedLists(plan),
        ambiguous=plan.ambiguous,
    )
    for orphan in plan.orphans:
        _fold(orphan, context)
    for definition in definitions.values():  # subqueries of the query can refer to them
        _resolve_subqueries(_subqueries_of(definition, plan.subqueries), context)
        _fold(definition, context)
    _resolve_subqueries(plan.subqueries, context)
    flow = _fold(plan.root, context).completed().sorted_by_user() if plan.root is not None else Flow()
    return Resolution(flow, context.bound, context.subqueries)


def _indexed(plan: Plan) -> tuple[dict[int, PlanNode], dict[str, PlanNode]]:
    """Return operators by id, for reused exchanges, and common table expressions by id."""
    operators_by_id: dict[int, PlanNode] = {}
    definitions: dict[str, PlanNode] = {}
    for node in plan.nodes():
        if node.operator_id is not None:
            operators_by_id.setdefault(node.operator_id, node)
        if node.operator == "CTERelationDef":
            definitions[node.text("Arguments").partition(",")[0].strip()] = node
    return operators_by_id, definitions


def _subqueries_of(definition: PlanNode, subqueries: Sequence[Subquery]) -> list[Subquery]:
    """Return the subqueries of a common table expression, and theirs, in printed order.

    Args:
        subqueries: All subqueries of the plan, in printed order.
    """
    hosts = {node.operator_id for node in walk(definition)}
    found: list[Subquery] = []
    for subquery in subqueries:
        if subquery.host in hosts and subquery.root is not None:
            found.append(subquery)
            hosts |= {node.operator_id for node in walk(subquery.root)}
    return found


def _resolve_subqueries(subqueries: Sequence[Subquery], context: PlanContext) -> None:
    """Resolve subqueries, the last first: those of a subquery follow it.

    Args:
        context: The plan's context; gets the flow of each.
    """
    for subquery in reversed(subqueries):
        is_pruning = "dynamicpruning#" in subquery.expression  # it repeats the other side of a join
        if subquery.root is not None and subquery.expr_id is not None and not is_pruning:
            flow = _fold(subquery.root, context)
            value = _value(subquery.expression, flow.outputs)
            context.subqueries[subquery.expr_id] = flow.with_outputs(value)


def _value(expression: str, outputs: tuple[Output, ...]) -> tuple[Output, ...]:
    """Return the outputs of a subquery, the first of which is its value.

    Args:
        expression: The subquery, as printed: `exists#12`, `list#13`.
    """
    if expression.startswith("exists#"):
        return (_EXISTS, *outputs)
    if expression.startswith("list#") and len(outputs) > 1:  # `(a, b) IN (SELECT c, d …)`
        values = [output.derivation for output in outputs]
        sources = merge(value.through(Transformation.TRANSFORMATION) for value in values)
        return (Output("list", -1, Derivation(sources, joined(values))), *outputs)
    return outputs


def _unresolved(root: PlanNode, context: PlanContext) -> list[PlanNode]:
    """Return the nodes of a tree that have no flow yet, consumers before their inputs."""
    order: list[PlanNode] = []
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) not in context.flows:
            order.append(node)
            stack.extend(node.children)
    return order


def _fold(root: PlanNode, context: PlanContext) -> Flow:
    """Resolve an operator and all operators below it, children first, left before right, each operator once.

    Args:
        context: The plan's context; gets the flow of each operator.
    """
    known = rules()
    for node in reversed(_unresolved(root, context)):
        if id(node) in context.flows:
            continue  # resolved as the target of a reused exchange
        inputs = tuple(context.flows[id(child)] for child in node.children)
        operation = Operation(node, inputs, context, context.names)
        flow = operation.resolved(known.get(node.operator, unknown_operator))
        if not context.batch_values.keys().isdisjoint(flow.scope):
            values = {expr_id: output.derivation for expr_id, output in context.batch_values.items()}
            flow = flow.with_outputs(
                Output(output.name, output.expr_id, values.get(output.expr_id, output.derivation))
                for output in flow.outputs
            )
        if node.inferred:
            flow = flow.with_outputs(_as_inferred(output, node.inferred) for output in flow.outputs)
        context.flows[id(node)] = flow
        if context.requested:
            _keep_requested(flow, context)
    return context.flows[id(root)]


def _as_inferred(output: Output, inferred: Collection[int]) -> Output:
    """Return an output; its sources are `inferred` if the text does not print it."""
    return output.mapped(as_inferred) if output.expr_id in inferred else output


def _keep_requested(flow: Flow, context: PlanContext) -> None:
    for output in flow.outputs:
        if output.expr_id in context.requested and not _is_unbound(output):
            context.bound[output.expr_id] = output


def _is_unbound(output: Output) -> bool:
    """Return whether an output is an attribute that this plan does not bind."""
    return any(origin.attribute == output.expr_id and not origin.dataset for origin, _ in output.derivation.sources)


def unknown_operator(op: Operation) -> Flow:
    """Resolve an operator without a rule by its most likely behavior, with a gap.

    Attributes with the same id in input and output are passed through: Spark keeps the ids of such attributes. Every
    other output may depend on all inputs. No edge through the operator is exact, conditions of its input included.
    """
    op.gap(
        GapReason.UNKNOWN_OPERATOR,
        f"no rule for {op.node.operator}",
        f"please report it with the plan's text; {DOCS}/operators.md lists the supported operators",
    )
    below = _through_unknown(op.input)
    items = op.node.items("Output") or (op.node.consumer_input.items if op.node.consumer_input else ())
    if not items:
        return below
    named = [attribute_of(item) for item in items]
    known = dict(below.scope)
    if new := {expr_id for _, expr_id in named} - known.keys():
        inputs = [output.derivation for output in below.outputs]
        known |= dict.fromkeys(new, as_opaque(function_of(op.node.operator, inputs, confidence=OPAQUE)))
    return below.with_outputs(Output(name, expr_id, known[expr_id]) for name, expr_id in named)


def _through_unknown(flow: Flow) -> Flow:
    """Return a flow whose outputs and conditions are opaque."""
    conditions = tuple(each.mapped(as_opaque) for each in flow.conditions)
    outputs = tuple(each.mapped(as_opaque) for each in flow.outputs)
    return replace(flow, outputs=outputs, conditions=conditions)
