"""Choose the plan that holds the written values, physical or logical, and the one that names the target.

The attributes of a physical plan are unbound if a connector reads its rows from an RDD (dynamic buckets, V1 fallback
writes up to 3.4); an aggregate that is answered from metadata is a literal. The analyzed plan of extended text contains
the query. It is used only if it resolves completely: rows of the driver program have no source there, either.

Spark removes the filters that a V2 scan accepts from the physical plan (`V2ScanRelationPushDown`, 3.1 to 4.3), and a
connector may print none of them: MongoDB's. The analyzed plan of extended text has them, with the same attribute ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain, filterfalse

from eventlog_lineage.connectors.identify import identify
from eventlog_lineage.datasets.naming import is_unnamed
from eventlog_lineage.extensions import Rows, find_command
from eventlog_lineage.lineage.tracing.statement_trace import PlanTrace, StatementTrace
from eventlog_lineage.model import Gap, GapReason, Transformation
from eventlog_lineage.operators.attribute_links import Bindings, bind_links
from eventlog_lineage.operators.derivations.derivation import Derivation, Origin, as_inferred
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read, Write, has_gap
from eventlog_lineage.operators.scans import column_names, source_columns
from eventlog_lineage.operators.source_relations import printed_relation
from eventlog_lineage.operators.write_targets import columns_of as named_columns
from eventlog_lineage.operators.write_targets import lacks_name, listed_columns
from eventlog_lineage.plan.grammar.attribute_ids import ids_in
from eventlog_lineage.plan.grammar.symbols import EMPTY
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import Plan, attribute_names, walk

_ROW = "obj"
"""The output of `DeserializeToObject`: rows for a program, as those of a change feed that Delta reads by an RDD."""


def source_flow(flows: Sequence[Flow]) -> Flow:
    """Return the flow that the written values come from.

    A command with only a logical tree names the target. The execution below it that writes, or whose rows are written,
    has the physical plan, with the optimizer's columns and paths. If it names no table, its rows may be encoded
    (Hudi's bulk insert up to 3.5), and the command's own query is better.

    Args:
        flows: The flows of the statement's executions, the root's first.
    """
    root = flows[0]
    inner = _inner_writes(flows)
    if root.write is None:
        return inner[-1] if inner and _hides_target(root) else root
    if root.write.columns == () or _holds_rows(root):  # a definition has no rows
        return root
    if root.write.columns:
        inner = [*filterfalse(_writes_unnamed, inner)]
    return inner[-1] if inner else _query_below(root, root.write, flows[1:]) or root


def _query_below(root: Flow, write: Write, below: Sequence[Flow]) -> Flow | None:
    """Return the last execution whose rows can be those that a command writes, if one has their sources."""
    fitting = _fitting_queries(root, write, list(filter(_is_query, below)))
    resolved = [flow for flow in fitting if not has_gap(flow.gaps, GapReason.UNKNOWN_SOURCE)]
    found = resolved or ([] if write.columns else fitting)
    kept = [flow for flow in found if _ROW not in column_names(flow.outputs)]
    return next(reversed(kept or found), None)


def _is_query(flow: Flow) -> bool:
    return not flow.command and bool(flow.outputs)


def _fitting_queries(root: Flow, write: Write, queries: Sequence[Flow]) -> Sequence[Flow]:
    """Return the queries whose rows can be those that a command writes, by position or by name."""
    declared = write.names or list(map(_printed_name, write.derived))
    if fitting := [flow for flow in queries if _fits(_rows(flow), declared, is_truncated=write.is_truncated)]:
        return fitting
    command = find_command(root.command)
    if command.rows is Rows.ELSEWHERE:
        fitting = [flow for flow in queries if _is_by_name(column_names(_rows(flow)), declared)]
    if command.fills_new_table and not fitting and len(queries) == 1:
        return queries  # the line of the query cannot be parsed: the rows have the names of the new table's columns
    return fitting


def _printed_name(column: Output) -> str:
    """Return a column's name; empty for one that Spark truncated, which has any name."""
    return "" if column.expr_id < 0 and column.derivation.is_truncated else column.name


def leave_out_iterations(trace: StatementTrace) -> StatementTrace:
    """Return a trace without the rows of the executions that are the anchor or an iteration of a recursive CTE (4.1+).

    Spark executes each of them on its own (`UnionLoopExec.doExecute`); the plan with the loop has all of the rows.
    """
    ids = set(chain.from_iterable(map(_input_ids, trace.plans)))
    if not ids:
        return trace
    flows = (Flow(reads=flow.reads) if _is_iteration(flow, ids) else flow for flow in trace.flows[1:])
    return replace(trace, flows=(trace.root, *flows))


def _input_ids(plan: PlanTrace) -> Iterator[int]:
    """Yield the attributes of the inputs of a plan's loops."""
    loops = (node for node in walk(plan.plan.root) if node.operator == "UnionLoop")
    for node in chain.from_iterable(loop.children for loop in loops):
        yield from chain.from_iterable(ids_in(part.text) for part in node.fields.values())


def _is_iteration(flow: Flow, ids: Set[int]) -> bool:
    """Return whether a query's rows are those of an input of a loop, whose attributes are `ids`."""
    return _is_query(flow) and all(output.expr_id in ids for output in flow.outputs)


def _fits(rows: Sequence[Output], declared: Sequence[str], *, is_truncated: bool) -> bool:
    """Return whether rows can be the columns that a command prints: by their number, or by name if it is truncated.

    Args:
        declared: The names of the columns that the command prints; empty for hidden ones.
    """
    if not declared:
        return True
    if not is_truncated:
        return len(rows) == len(declared)
    return len(rows) >= len(declared) and all(
        not name or row.name.lower() == name.lower() for row, name in zip(rows, declared, strict=False)
    )


def _inner_writes(flows: Sequence[Flow]) -> list[Flow]:
    """Return the flows of the statement's inner executions that write and whose plans hold the written rows."""
    return [flow for flow in flows[1:] if _holds_rows(flow) and flow.write is not None]


def _holds_rows(flow: Flow) -> bool:
    """Return whether a flow's command has the physical plan of its rows below it, in every Spark version."""
    return find_command(flow.command).has_rows


def _writes_unnamed(flow: Flow) -> bool:
    return flow.write is not None and is_unnamed(flow.write.target.name)


def _hides_target(flow: Flow) -> bool:
    """Return whether the log lacks the arguments of a flow's command (`sparkPlanInfo` has none below `Execute`)."""
    return has_gap(flow.gaps, GapReason.UNKNOWN_TARGET)


def _rows(flow: Flow) -> tuple[Output, ...]:
    """Return a query's outputs without `obj`, to which a JDBC write or `foreach` converts each row."""
    return tuple(output for output in flow.outputs if output.name != _ROW) or flow.outputs


def target_of(flows: Sequence[Flow]) -> Write | None:
    """Return the outer execution's write, with the target's name from an inner execution if that is more precise."""
    write = flows[0].write
    if write is None:
        inner_writes = _inner_writes(flows) if _hides_target(flows[0]) else []
        return inner_writes[-1].write if inner_writes else None
    for inner in (flow.write for flow in flows[1:] if flow.write is not None):
        if _names_target(inner, write):
            write = replace(write, target=inner.target, is_database_assumed=False)
    return write


def _names_target(inner: Write, outer: Write) -> bool:
    """Return whether an inner execution names the target more precisely.

    `SaveAsV1TableCommand` (4.1+) and others print a name without its database, directory commands a path without its
    scheme.
    """
    if outer.target.kind == "path":
        return inner.target.kind == "path"
    if not outer.is_database_assumed or inner.is_database_assumed or inner.target.kind != "table":
        return False
    return inner.target.name.rpartition(".")[2] == outer.target.name.rpartition(".")[2]


def columns_of(source: Flow, write: Write | None) -> tuple[Output, ...]:
    """Return the target's columns, or a query's outputs."""
    if write is None:
        return () if source.command else _rows(source)
    columns = source.written if source.write is not None else _rows(source)
    declared = column_names(write.derived) or write.names
    is_elsewhere = find_command(write.node_name).rows is Rows.ELSEWHERE
    if source.write is write or write.is_truncated or (is_elsewhere and _is_by_name(column_names(columns), declared)):
        return columns
    return listed_columns(columns, declared) if any(map(lacks_name, columns)) else named_columns(columns, declared)


def _is_by_name(rows: Sequence[str], declared: Sequence[str]) -> bool:
    """Return whether a statement writes the target's columns by name: in another order, or only some of them.

    Delta reorders the rows of `INSERT … BY NAME`, of column lists and of data frames to the table's order, and adds
    generated columns, NULLs and defaults (`DeltaAnalysis.resolveQueryColumnsByName`, 2.3 to 4.3).
    """
    named = [name.lower() for name in rows]
    return len(set(named)) == len(named) and {name.lower() for name in declared} <= set(named)


_HIDDEN = frozenset({GapReason.UNKNOWN_SOURCE, GapReason.UNKNOWN_TARGET})


def logical_fallback(
    text: PlanText, flow: Flow, bindings: Bindings, resolve: Callable[[Plan], Flow], *, is_emptied: bool = False
) -> Flow | None:
    """Return the flow of a plan text whose physical plan does not contain the query, or not all of its lists.

    Args:
        is_emptied: Whether the optimizer replaced a part of the query by an empty relation: another plan may bind its
            columns, but only the analyzed plan has its conditions.

    Returns:
        The flow with the query of a logical plan; None if the physical plan hides nothing, or if no logical plan
        resolves completely.
    """
    written = text.written if has_gap(flow.gaps, GapReason.TRUNCATED_FIELDS) else None
    if written is not None and (complete := _first_complete([written], flow, bindings, resolve)) is not None:
        return _with_inferred(complete, flow)
    is_complete = not hides_tables(flow) and not text.answers_from_metadata and not bind_links(flow, bindings)[1]
    return None if is_complete and not is_emptied else _first_complete(text.logical, flow, bindings, resolve)


def _first_complete(
    plans: Iterable[Plan], flow: Flow, bindings: Bindings, resolve: Callable[[Plan], Flow]
) -> Flow | None:
    for plan in plans:
        logical, unbound = bind_links(resolve(plan), bindings)
        if not unbound and not logical.gaps and (complete := _with_query(flow, logical)) is not None:
            return complete
    return None


def _with_inferred(complete: Flow, flow: Flow) -> Flow:
    """Return a flow without the gaps of truncated lists, whose items come from the query as the user wrote it.

    Args:
        flow: The flow of the physical plan; columns that it does not have are inferred.
    """
    printed = {each.expr_id for each in (*flow.outputs, *flow.written)}

    def marked(columns: Iterable[Output]) -> tuple[Output, ...]:
        return tuple(each if each.expr_id in printed else each.mapped(as_inferred) for each in columns)

    write = complete.write and replace(complete.write, columns=marked(complete.written), is_truncated=False)
    gaps = tuple(each for each in complete.gaps if each.reason is not GapReason.TRUNCATED_FIELDS)
    return replace(complete, outputs=marked(complete.outputs), write=write, reads=flow.reads, gaps=gaps)


def hides_tables(flow: Flow) -> bool:
    """Return whether a plan does not name a table that its query reads or writes."""
    return any(gap.reason in _HIDDEN for gap in flow.gaps)


def _with_query(flow: Flow, logical: Flow) -> Flow | None:
    """Return a physical plan's flow with the query of its logical plan; None if the two do not fit."""
    columns = logical.write.columns if logical.write is not None else logical.outputs
    if columns is None or not _are_of_one_kind(flow, logical):
        return None
    gaps = tuple(gap for gap in flow.gaps if gap.reason not in _HIDDEN)
    query = replace(logical, reads=tuple(_used(logical, columns)), command=flow.command or logical.command, gaps=gaps)
    if logical.write is None:
        return replace(query, outputs=_named(columns, flow.outputs)) if _is_query_of(flow, columns) else None
    if flow.write is None or is_unnamed(flow.write.target.name):
        return query
    return replace(query, write=replace(flow.write, columns=_named(columns, flow.write.derived)))


def _are_of_one_kind(flow: Flow, logical: Flow) -> bool:
    """Return whether both plans write, or both are queries; a physical plan may hide its target."""
    writes = flow.write is not None or has_gap(flow.gaps, GapReason.UNKNOWN_TARGET)
    return writes == (logical.write is not None) and (writes or not flow.command)


def _is_query_of(flow: Flow, columns: Sequence[Output]) -> bool:
    return len(columns) == len(flow.outputs) or has_gap(flow.gaps, GapReason.TRUNCATED_FIELDS)


def _named(columns: tuple[Output, ...], names: Iterable[Output]) -> tuple[Output, ...]:
    """Return values with the physical plan's names, if it has as many."""
    own = tuple(names)
    if len(own) != len(columns):
        return columns
    return tuple(replace(column, name=each.name) for column, each in zip(columns, own, strict=True))


def _used(flow: Flow, columns: tuple[Output, ...]) -> Iterator[Read]:
    """Yield reads of the columns that the query uses: a relation lists all columns of its table."""
    used: dict[str, dict[str, None]] = {}
    for derivation in (*(each.derivation for each in columns), *(each.derivation for each in flow.conditions)):
        for origin, _ in derivation.sources:
            used.setdefault(origin.dataset, {})[origin.column] = None
    for read in flow.reads:
        yield replace(read, columns=tuple(used.get(read.dataset.name, ())))


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
        columns |= source_columns(tables[0], found)
    inputs = replace(plan.inputs, batch_values={**columns, **plan.inputs.batch_values})
    scanned = {dataset for found in scans.values() for _, dataset in found}
    filters = _missing(flow, trace.resolve(analyzed, (), inputs).flow, scanned)
    completed = flow.with_conditions_everywhere(filters).with_gaps(*gaps)
    return replace(plan, resolution=replace(plan.resolution, flow=completed))


def _scans(plan: Plan, settings: Mapping[str, str]) -> Scans:
    found: dict[str, list[tuple[frozenset[int], str]]] = {}
    for node in plan.nodes():
        known = identify(printed_relation(node), settings=settings) if node.operator == "BatchScan" else None
        if known is not None and known.dataset is not None and "filters" in known.connector.unprinted:
            ids = frozenset(expr_id for _, expr_id in node.attributes("Output"))
            found.setdefault(node.argument, []).append((ids, known.dataset.name))
    return found


def _relations(analyzed: Plan, scans: Scans) -> Iterator[tuple[frozenset[int], tuple[str, ...]]]:
    """Yield the attributes of each relation that a plan scans, and the tables that it may be: one, if they show it.

    A scan without an attribute of its relation (`count(*)`) may be one of all tables of its name.
    """
    for node in analyzed.nodes():
        of_name = scans.get(node.arguments[-1].partition(" ")[0], ()) if node.operator == "RelationV2" else ()
        listed = next(iter(node.lists), EMPTY)
        ids = frozenset((*listed.relation_ids, *listed.ids))
        own = {table for scanned, table in of_name if scanned & ids} or {table for _, table in of_name}
        if own:
            yield ids, tuple(own)


def _missing(flow: Flow, logical: Flow, tables: set[str]) -> tuple[Condition, ...]:
    known = {origin for value in _filters(flow) for origin, _ in value.sources}
    found = (_on(value, tables, known) for value in _filters(logical))
    return tuple(Condition(each, Transformation.FILTER) for each in found if each.sources)


def _filters(flow: Flow) -> list[Derivation]:
    return [each.derivation for each in flow.conditions if each.kind is Transformation.FILTER]


def _on(value: Derivation, tables: set[str], known: set[Origin]) -> Derivation:
    kept = {key: use for key, use in value.sources.items() if key[0].dataset in tables and key[0] not in known}
    return Derivation(kept, value.parts)
