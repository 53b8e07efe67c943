"""Pass: the filters that a connector applies and its scan does not print (`Connector.unprinted`).

Spark removes the filters that a V2 scan accepts from the physical plan (`V2ScanRelationPushDown`, 3.1 to 4.3), and a
connector may print none of them: MongoDB's. The analyzed plan of extended text has them, with the same attribute ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.connectors.identify import identify
from eventlog_lineage.model import Gap, GapReason, Transformation
from eventlog_lineage.operators.derivations.derivation import Derivation, Origin
from eventlog_lineage.operators.flow import Condition, Flow, Output
from eventlog_lineage.operators.scans import source
from eventlog_lineage.operators.source_relations import printed_relation
from eventlog_lineage.plan.grammar.symbols import EMPTY
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.attributes import attribute_names
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode, walk
from eventlog_lineage.plan.tree.truncation import relation_ids

from .statement_trace import PlanTrace, StatementTrace

Scans = Mapping[str, Sequence[tuple[frozenset[int], str]]]
"""The name that scans and their relations print to the scans: the ids of their attributes, and their table."""

_UNMATCHED = "the plan does not show which of the tables {} its filters are on"
_HINT = "name a column of each table in the query"


def add_pushed_filters(trace: StatementTrace) -> StatementTrace:
    """Add the filters that only the analyzed plan has to the flow of each plan."""
    plans = tuple(map(_with_filters, (trace,) * len(trace.plans), trace.texts, trace.plans))
    flows = tuple(each.resolution.flow for each in plans[: len(trace.flows)])
    return replace(trace, plans=plans, flows=flows)


def _with_filters(trace: StatementTrace, text: PlanText, plan: PlanTrace) -> PlanTrace:
    scans = _scans(plan.plan, trace.settings)
    if not scans or text.sections is None or not text.sections.analyzed:
        return plan
    analyzed, flow = text.logical[0], plan.resolution.flow
    names = attribute_names(analyzed)
    columns: dict[int, Output] = {}
    gaps = []
    for ids, tables in _relations(analyzed, scans):
        if len(tables) > 1:
            gaps.append(Gap(GapReason.UNPRINTED_FILTER, "", _UNMATCHED.format(", ".join(sorted(tables))), _HINT))
            continue
        found = ((expr_id, names.get(expr_id, ("",))[0]) for expr_id in ids)
        columns |= {expr_id: Output(name, expr_id, source(tables[0], name)) for expr_id, name in found}
    inputs = replace(plan.inputs, batch_values={**columns, **plan.inputs.batch_values})
    scanned = {dataset for found in scans.values() for _, dataset in found}
    filters = _missing(flow, trace.resolve(analyzed, (), inputs).flow, scanned)
    completed = replace(flow.with_conditions_everywhere(filters), gaps=(*flow.gaps, *gaps))
    return replace(plan, resolution=replace(plan.resolution, flow=completed))


def _nodes(plan: Plan | None) -> Iterator[PlanNode]:
    roots = (plan.root, *(each.root for each in plan.subqueries), *plan.orphans) if plan is not None else ()
    for root in roots:
        yield from walk(root) if root is not None else ()


def _scans(plan: Plan | None, settings: Mapping[str, str]) -> Scans:
    found: dict[str, list[tuple[frozenset[int], str]]] = {}
    for node in _nodes(plan):
        known = identify(printed_relation(node), settings=settings) if node.operator == "BatchScan" else None
        if known is not None and known.dataset is not None and "filters" in known.connector.unprinted:
            ids = frozenset(expr_id for _, expr_id in node.attributes("Output"))
            found.setdefault(node.argument, []).append((ids, known.dataset.name))
    return found


def _relations(analyzed: Plan, scans: Scans) -> Iterator[tuple[frozenset[int], tuple[str, ...]]]:
    """Yield the attributes of each relation that a plan scans, and the tables that it may be: one, if they show it.

    A scan without an attribute of its relation (`count(*)`) may be one of all tables of its name.
    """
    for node in _nodes(analyzed):
        of_name = scans.get(node.arguments[-1].partition(" ")[0], ()) if node.operator == "RelationV2" else ()
        listed = next(iter(node.lists), EMPTY)
        ids = frozenset((*relation_ids(listed), *(expr_id for _, expr_id in listed.attributes)))
        own = {table for scanned, table in of_name if scanned & ids} or {table for _, table in of_name}
        if own:
            yield ids, tuple(own)


def _missing(flow: Flow, logical: Flow, tables: set[str]) -> tuple[Condition, ...]:
    """Return the filters of a logical plan on columns of tables on which a flow has none."""
    known = {origin for value in _filters(flow) for origin, _ in value.sources}
    found = (_on(value, tables, known) for value in _filters(logical))
    return tuple(Condition(each, Transformation.FILTER) for each in found if each.sources)


def _filters(flow: Flow) -> list[Derivation]:
    return [each.derivation for each in flow.conditions if each.kind is Transformation.FILTER]


def _on(value: Derivation, tables: set[str], known: set[Origin]) -> Derivation:
    kept = {key: use for key, use in value.sources.items() if key[0].dataset in tables and key[0] not in known}
    return Derivation(kept, value.parts)
