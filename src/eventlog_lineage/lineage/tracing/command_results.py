"""Passes that use the parsed plan, which only the result of a command prints.

Collecting the result of a command is an execution of its own, a `CommandResult` (3.2+). Its extended text contains the
analyzed plan of the command, with the same ids, and above it the query as the user wrote it: the source of a MERGE,
which some commands do not print; its clauses; the subqueries of an UPDATE; the table of a CALL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product

from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.extensions import Role, commands_where, find_command
from eventlog_lineage.model import Dataset, Gap, GapReason
from eventlog_lineage.operators.assigned_columns import assigned
from eventlog_lineage.operators.attribute_links import Bindings, bind_links
from eventlog_lineage.operators.derivations.derivation import INFERRED
from eventlog_lineage.operators.flow import Flow, Output, Write
from eventlog_lineage.operators.scans import source as column
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode
from eventlog_lineage.plan.unresolved.analyzer import with_attributes
from eventlog_lineage.plan.unresolved.parsed_clauses import MERGE_COMMAND, analyzed_merge, kept_merge, target_attributes

from .match_by_name import unbound_attributes
from .resolve_plan import Resolution
from .statement_trace import StatementTrace

Resolver = Callable[[Plan], Resolution]
"""Resolves a plan with the statement's context."""


def use_command_of_result(trace: StatementTrace) -> StatementTrace:
    """Use the flow of a command in place of its result's, if the root execution prints only the result.

    Some APIs collect the result at once: Delta's `DeltaTable.create(…).execute()` (3.x, 4.x) is a
    `CommandResult` over the `CreateTable` that a nested execution runs.
    """
    if find_command(trace.root.command).role is not Role.RESULT:
        return trace
    commands = (flow for flow in trace.flows[1:] if flow.write is not None and flow.write.definition is not None)
    return trace.with_root(next(commands, trace.root))


def bind_called_table(trace: StatementTrace) -> StatementTrace:
    """Add the table of a CALL from the parsed plan, if the CALL's own plan prints only a description."""
    if find_command(trace.root.command).role is not Role.CALL or trace.root.write is not None:
        return trace
    found = (trace.resolve(plan).flow for plan in _parsed(trace.result_texts))
    return trace.with_root(next((flow for flow in found if flow.write is not None), trace.root))


def add_merge_clauses(trace: StatementTrace) -> StatementTrace:
    """Add the clauses of a MERGE from a logical plan, if its own plan prints none.

    Up to Spark 3.4 the analyzed plan of a V2 connector keeps them; later, only the parsed plan of the result has them.
    """
    root = trace.root
    missing = [
        gap for gap in root.gaps if gap.reason is GapReason.UNKNOWN_SOURCE and gap.operator.startswith("MergeRows")
    ]
    if root.write is None or root.write.mode != "merge" or not missing:
        return trace
    analyzed = trace.texts[0].logical
    parsed = (analyzed_merge(*each) for each in product(_parsed(trace.result_texts), analyzed))
    for plan in chain(map(kept_merge, analyzed), parsed):
        found = trace.resolve(plan).flow if plan is not None else None
        if found is not None and not found.gaps:
            columns = assigned(found.outputs, root.write.target.name)
            gaps = tuple(gap for gap in root.gaps if gap not in missing)
            conditions = (*root.conditions, *found.conditions)
            write = replace(root.write, columns=columns)
            return trace.with_root(replace(root, conditions=conditions, write=write, gaps=gaps))
    return trace


def parsed_source(texts: Sequence[PlanText], resolve: Resolver) -> Flow | None:
    """Return the query of a MERGE's source, from the parsed plan.

    Returns:
        Its flow: values named `AS x` have the same id as in the command's plan. None if no text contains the query,
        or if the query does not qualify its columns.
    """
    for plan in _parsed(texts):
        if plan.root is not None and plan.root.operator == MERGE_COMMAND and len(plan.root.children) == 2:
            flow = _resolved(replace(plan, root=plan.root.children[1]), resolve)
            if flow is not None and (flow.outputs or _is_table(plan.root.children[1])):
                return flow
    return None


def attributes_of_target(command: PlanText, texts: Sequence[PlanText]) -> Mapping[int, str]:
    """Return the attributes of a MERGE that its parsed plan qualifies with the alias of its target: id to name."""
    analyzed = next((plan.root for plan in command.logical), None) if texts else None
    found: dict[int, str] = {}
    for plan in _parsed(texts):
        if analyzed is not None and plan.root is not None and plan.root.operator == MERGE_COMMAND:
            found |= target_attributes(plan.root, analyzed)
    return found


def _outputs_of(source: Flow, unbound: Mapping[int, str]) -> dict[int, Output]:
    """Return the columns of a MERGE's source for unbound attributes: of its query, by id or name, or of its table."""
    if not source.outputs:
        table = source.reads[0].dataset.name
        columns = ((expr_id, name, column(table, name, confidence=INFERRED)) for expr_id, name in unbound.items())
        return {expr_id: Output(name, expr_id, derivation) for expr_id, name, derivation in columns}
    by_id = {output.expr_id: output for output in source.outputs}
    by_name = {output.name.lower(): output for output in source.outputs}
    outputs = {expr_id: by_id.get(expr_id) or by_name.get(name.lower()) for expr_id, name in unbound.items()}
    return {expr_id: output for expr_id, output in outputs.items() if output is not None}


def bind_by_parsed_source(flow: Flow, bindings: Bindings, source: Flow | None) -> Flow | None:
    """Return a MERGE's flow with its attributes bound by other plans and by its source's query.

    Args:
        source: The result of `parsed_source`.

    Returns:
        The flow with the query's conditions; None if no attribute is unbound, or if one stays unbound.
    """
    columns = (flow.write.columns or ()) if flow.write else ()
    derivations = [each.derivation for each in (*flow.outputs, *columns)]
    derivations += [each.derivation for each in flow.conditions]
    unbound = {expr_id: name for expr_id, name in unbound_attributes(derivations).items() if expr_id not in bindings}
    if source is None or not unbound:
        return None
    found = _outputs_of(source, unbound)
    bound, missing = bind_links(flow, {**found, **bindings})
    if missing:
        return None
    used = dict.fromkeys(origin.column for each in found.values() for origin, _ in each.derivation.sources)
    reads = source.reads if source.outputs else (replace(source.reads[0], columns=tuple(used)),)
    return replace(bound, conditions=(*bound.conditions, *source.conditions), reads=(*bound.reads, *reads))


def parsed_subqueries(texts: Sequence[PlanText], resolve: Resolver) -> Mapping[int, Flow]:
    """Return the subqueries of a command from the parsed plan, by id; only those that qualify their columns."""
    found: dict[int, Flow] = {}
    for plan in _parsed(texts):
        for subquery in plan.subqueries:
            flow = _resolved(replace(plan, root=subquery.root), resolve) if subquery.root is not None else None
            if flow is not None and subquery.expr_id is not None:
                found[subquery.expr_id] = flow
    return found


def _parsed(texts: Sequence[PlanText]) -> Iterator[Plan]:
    return (text.parsed for text in texts if text.parsed is not None)


def _resolved(plan: Plan, resolve: Resolver) -> Flow | None:
    """Return the flow of a parsed plan; None if it has gaps, or reads a name that may be a view of the session."""
    try:
        flow = resolve(with_attributes(plan)).flow
    except PlanSyntaxError:
        return None
    return flow if not flow.gaps and all(_is_qualified(each.dataset.name) for each in flow.reads) else None


def _is_table(node: PlanNode) -> bool:
    """Return whether a relation is a table, with or without an alias, and not a query."""
    while node.operator == "SubqueryAlias" and len(node.children) == 1:
        node = node.children[0]
    return node.operator == "UnresolvedRelation"


def _is_qualified(table: str) -> bool:
    """Return whether the query qualifies a table with its database; a single word may be a view of the session."""
    return ".default." not in table and not table.startswith(("spark_catalog.global_temp.", "global_temp."))


_IMPORTED = frozenset({"added_files_count", "imported_files_count", "migrated_files_count"})
"""Results of Iceberg's `add_files`, `snapshot` and `migrate` (1.4 to 1.12)."""


def replace_by_maintenance(trace: StatementTrace) -> StatementTrace:
    """Replace the flows of a maintenance statement by a write that keeps its table's rows."""
    table = trace.statement.context.hidden.maintained_table
    if table is not None:
        imports = any(output.name in _IMPORTED for output in trace.root.outputs)
        return replace(trace, flows=(_imported(table) if imports else _maintained(table),))
    is_named = trace.root.write is not None or any(gap.reason is GapReason.UNKNOWN_TARGET for gap in trace.root.gaps)
    is_result = not trace.root.command or find_command(trace.root.command).role is Role.RESULT
    if is_named or not is_result or find_command(trace.texts[0].summary.command).role is not Role.CALL:
        return trace
    return replace(trace, flows=(Flow(command=_call(), gaps=(_unnamed(trace.root),)),))


def _unnamed(result: Flow) -> Gap:
    """Return the gap of a procedure whose plan contains only its result, as on Spark 4."""
    names = ", ".join(output.name for output in result.outputs)
    return Gap(
        GapReason.UNKNOWN_TARGET,
        _call(),
        f"the plan has only the result of a procedure, {names}"[:500],
        "set the CALL's SQL as the job description (spark-sql and Thrift servers do), or harvest with --table-metadata,"
        " which reads the table's snapshots",
    )


def _imported(table: Dataset) -> Flow:
    """Return the flow of a procedure that adds files of unknown origin to a table."""
    gap = Gap(
        GapReason.UNKNOWN_SOURCE,
        _call(),
        "a procedure imports files that the plan does not name",
        "nothing to do: Spark 3 prints the arguments of a CALL, Spark 4 does not",
    )
    return Flow(write=Write(table, "append", (), node_name=_call()), command=_call(), gaps=(gap,))


def _maintained(table: Dataset) -> Flow:
    """Return the flow of a table's maintenance."""
    write = Write(table, "maintenance", (), node_name=_call())
    return Flow(write=write, command=_call())


def _call() -> str:
    (call,) = commands_where(role=Role.CALL)
    return call
