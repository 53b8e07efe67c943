"""Passes: bind the attributes that a statement's plans leave unbound, by scans of the same relations in other plans.

A temporary view over `spark.read.parquet(path)` is a command with a logical plan: `LogicalRelation parquet, [id#1L]`.
The scans of statements that read the view have the relation's attribute ids and the path (2.4 to 4.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import Query, find_command
from eventlog_lineage.lineage.statement import AttributeLink, RddSource
from eventlog_lineage.operators.attribute_links import Bindings, bind_links, bind_whole
from eventlog_lineage.operators.derivations.derivation import as_inferred
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read
from eventlog_lineage.operators.scans import source
from eventlog_lineage.operators.write_targets import table_of
from eventlog_lineage.plan.grammar.attribute_ids import read_attribute
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import Plan, walk

from .choose_source import source_flow
from .logical_fallback import logical_fallback
from .match_by_name import bind_by_name, bind_rdds
from .missing_source_gaps import lacks_rows, with_gap, with_view_gap
from .statement_trace import PlanTrace, StatementTrace

_INLINE = re.compile(r"SubqueryAlias[^\n]*\n[^\n]*- LocalRelation\b|InlineTable\b")
"""`VALUES … AS t(k, v)` in a logical tree: an alias right above the rows; a temporary view has a `View` between."""
_UNNAMED = re.compile(r"col\d+")
"""The columns of a `VALUES` list without names (`ResolveInlineTables`)."""


def local_rows(plan: Plan | None, texts: Iterable[PlanText]) -> tuple[str, ...]:
    """Return the names of the columns whose rows the driver program passed to a plan.

    Args:
        texts: The texts of the statement's executions; their logical trees show lists of a SQL statement.
    """
    if any(_INLINE.search(text.text) for text in texts):
        return ()
    return tuple(dict.fromkeys(_names(plan)))


def _names(plan: Plan | None) -> Iterator[str]:
    for node in walk(plan.root) if plan is not None and plan.root is not None else ():
        if node.operator == "LocalTableScan" and not node.text("Arguments").startswith("<empty>"):
            names = [name for name, _ in node.attributes("Output")]
            if not all(map(_UNNAMED.fullmatch, names)):
                yield from names


def emptied_columns(plan: Plan | None) -> frozenset[str]:
    """Return the names of the columns of relations that the optimizer proved to be empty.

    `LocalTableScan <empty>, [k#1, count#2L]` replaces `… WHERE 1 = 0` (`PropagateEmptyRelation`, 2.4 to 4.3).
    """
    names: set[str] = set()
    for node in walk(plan.root) if plan is not None and plan.root is not None else ():
        if node.operator == "LocalTableScan" and node.text("Arguments").startswith("<empty>"):
            names.update(name for name, _ in node.attributes("Output"))
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class PathRelation:
    """A relation of files whose path the plan does not print.

    Attributes:
        format: The format of the files.
        attributes: Id to name, of the attributes that Spark did not truncate.
    """

    format: str
    attributes: Mapping[int, str]

    def dataset(self, bindings: Bindings) -> str:
        """Return the dataset that a scan of its attributes reads; empty without one, or with several."""
        found = {
            column.dataset
            for expr_id, name in self.attributes.items()
            if expr_id in bindings
            and (column := bindings[expr_id].derivation.column) is not None
            and column.column == name
        }
        return found.pop() if len(found) == 1 else ""


def path_relations(plan: Plan | None) -> Iterator[PathRelation]:
    """Yield the relations of a plan that print neither a table nor a path."""
    for node in walk(plan.root) if plan is not None and plan.root is not None else ():
        if node.operator != "LogicalRelation" or table_of(parts := node.arguments) is not None:
            continue
        attributes = {found[1]: found[0] for item in node.listed("columns") if (found := read_attribute(item))}
        if attributes:
            yield PathRelation(parts[0], attributes)


def bind_sampled(plan: Plan | None, sampled: Mapping[int, str], bindings: Bindings) -> Bindings:
    """Return the bindings with the attributes of relations whose header another execution read, `inferred`.

    Args:
        sampled: Id of a relation's first attribute to its path.
    """
    added: dict[int, Output] = {}
    for relation in path_relations(plan) if sampled else ():
        if path := sampled.get(next(iter(relation.attributes))):
            columns = relation.attributes.items()
            added |= {expr_id: Output(name, expr_id, as_inferred(source(path, name))) for expr_id, name in columns}
    return {**added, **bindings} if added else bindings


def sampled_reads(plan: Plan | None, sampled: Mapping[int, str]) -> tuple[Read, ...]:
    """Return the reads of the relations whose header another execution read.

    Args:
        sampled: Id of a relation's first attribute to its path.
    """
    reads = []
    for relation in path_relations(plan) if sampled else ():
        if path := sampled.get(next(iter(relation.attributes))):
            dataset = naming.path(path, format=relation.format)
            reads.append(Read(dataset, tuple(relation.attributes.values()), f"{relation.format} relation"))
    return tuple(reads)


def bind_relations(plan: Plan | None, bindings: Bindings) -> Bindings:
    """Return the bindings with all attributes of the relations of which some are bound."""
    added: dict[int, Output] = {}
    for relation in path_relations(plan):
        if dataset := relation.dataset(bindings):
            columns = relation.attributes.items()
            added |= {expr_id: Output(name, expr_id, source(dataset, name)) for expr_id, name in columns}
    return {**added, **bindings} if added else bindings


_MAX_PRINTED = 24
"""The number of attributes that Spark prints of a truncated list by default (`maxToStringFields`)."""


def _bound_rows(
    links: Sequence[AttributeLink], ids: Sequence[int], row_flows: Mapping[int, Flow]
) -> tuple[dict[int, Output], tuple[Condition, ...]]:
    """Return the attributes that are rows of other plans, and the conditions of those plans.

    Args:
        links: The links of a plan; those to rows have a negative position.
        row_flows: The flows of the plans that make rows, by their index.
    """
    bindings: dict[int, Output] = {}
    conditions: tuple[Condition, ...] = ()
    for producer in dict.fromkeys(link.producer for link in links if link.bound < 0):
        rows = [link for link in links if link.producer == producer and link.bound < 0]
        if _fits(rows, row_flows[producer]):
            outputs = row_flows[producer].outputs
            bindings |= {ids[link.attribute]: outputs[-1 - link.bound] for link in rows}
            conditions += row_flows[producer].conditions
    return bindings, conditions


def link_across_plans(trace: StatementTrace) -> StatementTrace:
    """Bind attributes of each plan by the outputs of the plans that are linked to it.

    The conditions of a plan whose rows are checkpointed apply to the plans that read these rows, too.
    """
    statement = trace.statement
    linked = {index for link in statement.links for index in (link.plan, link.producer)}
    row_producers = {link.producer for link in statement.links if link.bound < 0}
    ids = {index: trace.texts[index].numbered.ids for index in linked}
    produced: dict[tuple[int, int], Output] = {}
    row_flows: dict[int, Flow] = {}
    plans = list(trace.plans)
    for index in reversed(range(len(plans))):
        links = [link for link in statement.links if link.plan == index]
        keys = _produced_keys(links, ids)
        bindings = {own: produced[key] for own, key in keys.items() if key in produced}
        rows, conditions = _bound_rows(links, ids[index] if links else (), row_flows)
        bindings |= rows
        plans[index] = replace(plans[index], bindings=bindings, conditions=conditions)
        for expr_id, output in plans[index].resolution.bound.items():
            bound, _ = bind_links(Flow(outputs=(output,)), bindings)
            produced[index, expr_id] = bound.outputs[0]
        if index in row_producers:
            row_flows[index] = bind_whole(plans[index].resolution.flow, bindings).with_conditions(*conditions)
    return replace(trace, plans=tuple(plans), bindings=_known_outputs(plans[: statement.size]))


def _produced_keys(links: Sequence[AttributeLink], ids: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, int]]:
    """Return the linked attributes of a plan to (plan, attribute) of those that bind them.

    Args:
        ids: The attributes of each linked plan, in the order of their numbers.
    """
    bound = (each for each in links if each.bound >= 0)
    return {ids[each.plan][each.attribute]: (each.producer, ids[each.producer][each.bound]) for each in bound}


def _known_outputs(own: Sequence[PlanTrace]) -> dict[int, Output]:
    """Return the outputs that the attributes of a statement's plans are bound to; the first plan takes precedence."""
    known: dict[int, Output] = {}
    for each in reversed(own):
        known |= {**each.bindings, **each.inputs.batch_values}
    return known


def _fits(rows: Sequence[AttributeLink], producer: Flow) -> bool:
    """Return whether a scan reads the outputs of a plan: it has as many columns, or its list may be truncated."""
    width = 1 + max(-1 - link.bound for link in rows)
    return width == len(producer.outputs) or _MAX_PRINTED <= width < len(producer.outputs)


def bind_own_plans(trace: StatementTrace) -> StatementTrace:
    """Bind the attributes of each execution's plan: by linked plans, then by its logical plans, then by name.

    Rows that no plan produces are those of the RDD that they are read from. Connectors read RDDs, too, of a query that
    another plan has; if that plan is not bound, either, the rows are a gap.
    """
    flows = [_bound(trace, index, trace.plans[index], {}) for index in range(trace.statement.size)]
    if (rdds := trace.rdds()) and lacks_rows(source_flow(flows)):
        read = [_bound(trace, index, trace.plans[index], rdds) for index in range(trace.statement.size)]
        others = [flow for flow in read if flow is not source_flow(read)]
        flows = flows if any(flow.write is not None and lacks_rows(flow) for flow in others) else read
    return replace(trace, flows=tuple(flows))


def _bound(trace: StatementTrace, index: int, plan: PlanTrace, rdds: Mapping[int, RddSource]) -> Flow:
    flow = plan.resolution.flow
    command = find_command(flow.command)
    if command.attributes_from_children or command.attributes_only:
        return flow  # `bind_merge`, or the format's own pass, binds its attributes
    text = trace.texts[index]
    if not text.is_internal_query:
        flow = _with_logical(trace, text, plan) or flow
    scanned = trace.statement.context.hidden.scanned if index == 0 else ()
    bindings = bind_relations(plan.plan, plan.bindings) if Query.LOGICAL in command.query else plan.bindings
    if index == 0 and (sampled := trace.sampled()):
        bindings = bind_sampled(plan.plan, sampled, bindings)
        flow = replace(flow, reads=(*flow.reads, *sampled_reads(plan.plan, sampled)))
    flow, bindings = bind_rdds(flow, rdds, bindings)
    bound, unbound = bind_by_name(flow, bindings, scanned, trace.id_offsets())
    bound, others = bind_links(bound, {})  # what the rows of a checkpoint leave unbound
    bound, unbound = bound.with_conditions_everywhere(plan.conditions), tuple(dict.fromkeys((*unbound, *others)))
    if Query.LOGICAL in command.query and unbound:
        unread = [each for each in path_relations(plan.plan) if not each.dataset(bindings)]
        return with_view_gap(bound, unbound, unread)
    rows = local_rows(plan.plan, trace.own_texts) if trace.statement.context.rows.has_driver_rows else ()
    return with_gap(bound, tuple(dict.fromkeys((*unbound, *rows))), emptied_columns(plan.plan))


def _with_logical(trace: StatementTrace, text: PlanText, plan: PlanTrace) -> Flow | None:
    def resolve(logical: Plan) -> Flow:
        return trace.resolve(logical, (), plan.inputs).flow

    is_emptied = bool(emptied_columns(plan.plan))
    return logical_fallback(text, plan.resolution.flow, plan.bindings, resolve, is_emptied=is_emptied)


def unbound_to_gaps(trace: StatementTrace) -> StatementTrace:
    """Report the attributes of the root that are still unbound as a gap."""
    return trace.with_root(with_gap(*bind_links(trace.root, {})))
