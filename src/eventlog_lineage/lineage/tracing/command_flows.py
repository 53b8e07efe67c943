"""Passes for commands: what the parsed plan in a result shows, and the executions that a MERGE runs.

Collecting the result of a command is an execution of its own, a `CommandResult` (3.2+). Its extended text contains the
analyzed plan of the command, with the same ids, and above it the query as the user wrote it: the source of a MERGE,
which some commands do not print; its clauses; the subqueries of an UPDATE; the table of a CALL.

Some commands print the first 25 fields of a clause. It is a star, `UPDATE SET *` or `INSERT *`, if it has as many
assignments as the table has columns, and if each printed one assigns the source's column of the same name. The
truncated assignments do the same; their lineage is `inferred`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain, product
from operator import eq, itemgetter

from eventlog_lineage.catalog.application_facts import ScannedTable
from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.extensions import Role, commands_where, find_command
from eventlog_lineage.lineage.tracing.resolve_plan import Resolution
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.lineage.tracing.unbound_columns import bind_by_name, unbound_attributes, with_gap
from eventlog_lineage.model import INFERRED, Dataset, Gap, GapReason
from eventlog_lineage.operators.attribute_links import Bindings, bind_links
from eventlog_lineage.operators.derivations.derivation import Derivation, as_inferred
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read, Write, gaps_with, has_gap
from eventlog_lineage.operators.scans import column_names, source_columns
from eventlog_lineage.operators.write_targets import assigned, is_unchanged, row_columns
from eventlog_lineage.plan.grammar.attribute_ids import CAPTURED_ID
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.tree.nodes import Plan, PlanNode
from eventlog_lineage.plan.unresolved.analyzer import with_attributes
from eventlog_lineage.plan.unresolved.parsed_clauses import MERGE_COMMAND, analyzed_merge, kept_merge, target_attributes

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

    Up to Spark 3.4 the analyzed plan of a V2 connector keeps them, with the columns that a clause leaves as they are;
    later, only the parsed plan of the result has them: the values of a source that reads the target are assigned.
    """
    root = trace.root
    lacking = [gap for gap in gaps_with(root.gaps, GapReason.UNKNOWN_SOURCE) if gap.operator.startswith("MergeRows")]
    if root.write is None or root.write.mode != "merge" or not lacking:
        return trace
    found, unchanged = next(_flows_of_clauses(trace, root.write.target.name), (None, ""))
    if found is None:
        return trace
    conditions = (*root.conditions, *found.conditions)
    write = replace(root.write, columns=assigned(found.outputs, unchanged))
    return trace.with_root(replace(root.without_gaps(lacking), conditions=conditions, write=write))


def _flows_of_clauses(trace: StatementTrace, target: str) -> Iterator[tuple[Flow, str]]:
    """Yield the flow of a MERGE's clauses by each logical plan, with the table whose columns they may leave."""
    analyzed = trace.texts[0].logical
    kept = ((kept_merge(each), target) for each in analyzed)
    parsed = ((analyzed_merge(*each), "") for each in product(_parsed(trace.result_texts), analyzed))
    for plan, unchanged in chain(kept, parsed):
        if plan is not None and not (found := trace.resolve(plan).flow).gaps:
            yield found, unchanged


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
        return source_columns(source.reads[0].dataset.name, unbound.items(), confidence=INFERRED)
    by_id = {output.expr_id: output for output in source.outputs}
    by_name = {output.name.lower(): output for output in source.outputs}
    outputs = {expr_id: by_id.get(expr_id) or by_name.get(name.lower()) for expr_id, name in unbound.items()}
    return {expr_id: output for expr_id, output in outputs.items() if output is not None}


def bind_by_parsed_source(flow: Flow, bindings: Bindings, source: Flow | None) -> Flow | None:
    """Return a MERGE's flow with its attributes bound by other plans and by its source's query.

    Returns:
        The flow with the query's conditions; None if no attribute is unbound, or if one stays unbound.
    """
    unbound = {expr_id: name for expr_id, name in unbound_attributes(flow.values).items() if expr_id not in bindings}
    if source is None or not unbound:
        return None
    found = _outputs_of(source, unbound)
    bound, missing = bind_links(flow, {**found, **bindings})
    if missing:
        return None
    used = dict.fromkeys(origin.column for each in found.values() for origin, _ in each.derivation.sources)
    reads = source.reads if source.outputs else (replace(source.reads[0], columns=tuple(used)),)
    return bound.with_conditions(*source.conditions).with_reads(*reads)


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
        write = Write(table, "append" if imports else "maintenance", (), node_name=_call())
        return replace(trace, flows=(Flow(write=write, command=_call(), gaps=_imported() if imports else ()),))
    is_named = trace.root.write is not None or has_gap(trace.root.gaps, GapReason.UNKNOWN_TARGET)
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


def _imported() -> tuple[Gap]:
    """Return the gap of a procedure that adds files of unknown origin to a table."""
    detail = "a procedure imports files that the plan does not name"
    hint = "nothing to do: Spark 3 prints the arguments of a CALL, Spark 4 does not"
    return (Gap(GapReason.UNKNOWN_SOURCE, _call(), detail, hint),)


def _call() -> str:
    (call,) = commands_where(role=Role.CALL)
    return call


@dataclass(frozen=True, slots=True)
class MergeEvidence:
    """Evidence from other plans and from the jobs of a MERGE.

    Attributes:
        bindings: Attributes that the plans of other executions bind, by id.
        parsed: The source's query from the parsed plan, if a text has one.
        target_attributes: The attributes of the target, by the aliases of the parsed plan: id to column name.
    """

    bindings: Mapping[int, Output] = field(default_factory=dict)
    scanned: Sequence[ScannedTable] = ()
    parsed: Flow | None = None
    target_attributes: Mapping[int, str] = field(default_factory=dict)


def merge_evidence(trace: StatementTrace) -> MergeEvidence:
    """Return the evidence for a statement that is a MERGE."""
    texts = trace.result_texts
    return MergeEvidence(
        trace.bindings,
        trace.statement.context.hidden.scanned,
        parsed_source(texts, trace.resolve),
        attributes_of_target(trace.texts[0], texts),
    )


def bind_merge(trace: StatementTrace) -> StatementTrace:
    """Bind the attributes of a MERGE that shares them with the executions that it runs.

    The command's flow then has the reads of the executions and the conditions of its source.
    """
    root = trace.root
    if not find_command(root.command).attributes_from_children or root.write is None or root.write.columns is None:
        return trace
    evidence = merge_evidence(trace)
    bindings = {**_target_columns(root.write), **evidence.bindings, **_outputs_of_executions(trace)}
    bindings = {**_materialized_rows(trace), **_pruned_columns(root, bindings), **bindings}
    resolved = {
        expr_id: bind_links(Flow(outputs=(each,)), bindings)[0].outputs[0] for expr_id, each in bindings.items()
    }
    flow, unbound = _bound(root, resolved, evidence, root.write.target)
    queries = [each for each in trace.flows[1:] if not each.command]
    reads = (*(read for each in queries for read in each.reads), *_target_reads(flow, root.write.target))
    merged = replace(
        flow.with_conditions(*_source_conditions(queries)).with_reads(*reads),
        write=replace(root.write, columns=_assigned(root.write, flow.written)),
    )
    return trace.with_root(with_gap(merged, unbound))


def _is_assigned(column: Output, unbound_ids: Set[int], write: Write) -> bool:
    is_of_source = bool(unbound_ids) and unbound_ids <= write.source_attributes
    return is_of_source or not is_unchanged(column, write.target.name)


def _assigned(write: Write, columns: Sequence[Output]) -> tuple[Output, ...]:
    """Return the columns that a MERGE assigns; one that merges a table into itself assigns what its source selects.

    Delta's UPDATE clause lists all columns; one that it does not assign has the target's attribute of its name.
    """
    unbound = [unbound_attributes([each.derivation]) for each in write.derived]
    if len(unbound) != len(columns):
        return assigned(columns, write.target.name)
    kept = [each for each, names in zip(columns, unbound, strict=True) if _is_assigned(each, names.keys(), write)]
    every = zip(columns, write.derived, unbound, strict=True)
    renamed = [each for each, column, names in every if column.name not in names.values()]
    return assigned(kept or renamed or columns, "")


def _target_columns(write: Write) -> dict[int, Output]:
    """Return the target's columns by the ids of the attributes that the clauses assign."""
    named = ((column.expr_id, column.name) for column in write.derived if column.expr_id >= 0)
    return source_columns(write.target.name, named)


def _positions(bindings: Bindings, table: str, order: Mapping[str, int]) -> dict[int, int]:
    """Return the positions of the attributes that are columns of a table.

    Args:
        order: Name in lower case to position.
    """
    own = {expr_id: each.name.lower() for expr_id, each in bindings.items() if is_unchanged(each, table)}
    return {expr_id: order[name] for expr_id, name in own.items() if name in order}


def _pruned_columns(root: Flow, bindings: Bindings) -> dict[int, Output]:
    """Return the target's columns that no execution reads, such as those of an empty table, by the root's attributes.

    The attributes of a relation have consecutive ids in the order of its columns (`LogicalRelation.apply`), and the
    ids of a MERGE keep their order. An unbound attribute with the name of a target's column is that column if its id
    is as far from the id of a bound column as the two columns are in the table, with no attribute of another relation
    between them.

    Args:
        root: Of the command; its write names all columns of the target, in order.
    """
    if root.write is None or not root.write.names:
        return {}
    table = root.write.target.name
    order = {name.lower(): position for position, name in enumerate(root.write.names)}
    anchors = _positions(bindings, table, order)
    others = sorted(bindings.keys() - anchors.keys())

    def is_column(expr_id: int, position: int, anchor: int) -> bool:
        low, high = sorted((anchor, expr_id))
        known = anchors[anchor]
        is_ordered = (expr_id > anchor) == (position > known) and high - low <= abs(position - known)
        return is_ordered and bisect_right(others, low) == bisect_left(others, high)

    pruned = (
        (expr_id, name)
        for expr_id, name in unbound_attributes(_derivations(root)).items()
        if expr_id not in bindings
        and name.lower() in order
        and any(is_column(expr_id, order[name.lower()], anchor) for anchor in anchors)
    )
    return source_columns(table, pruned, confidence=INFERRED)


def _outputs_of_executions(trace: StatementTrace) -> dict[int, Output]:
    """Return the outputs that bind the root's attributes, and those that these depend on.

    The physical plans of the executions are tried first, then their logical plans.
    """
    requested = unbound_attributes(_derivations(trace.root)).keys()
    found: dict[int, Output] = {}
    for plan in _plans(trace):
        missing = {expr_id for expr_id in requested if expr_id not in found}
        missing |= unbound_attributes(output.derivation for output in found.values()).keys()
        if not missing:
            break
        for expr_id, output in trace.resolve(plan, missing).bound.items():
            if expr_id not in found or not unbound_attributes([output.derivation]):
                found[expr_id] = output
    return found


def _queries_without(trace: StatementTrace, plans: Set[str]) -> list[tuple[Output, ...]]:
    """Return the outputs of the queries that a command runs, without those of some plans."""
    executions = zip(trace.own_texts[1:], trace.flows[1:], strict=False)
    others = [flow for text, flow in executions if text.summary.fingerprint not in plans]
    return [flow.outputs for flow in others if not flow.command]


def _materialized_rows(trace: StatementTrace) -> dict[int, Output]:
    """Return the columns of the source's rows that one execution computes and others read, by the readers' attributes.

    Delta materializes the source of a MERGE (2.4 to 4.4). Its plan has the attributes of the tables in place of
    aliases that only rename; the readers have those of the source, in the same order and with the same names.
    """
    scans = [(text, scan) for text in trace.own_texts[1:] for scan in text.summary.row_scans]
    readers = {text.summary.fingerprint for text, _ in scans}
    queries = _queries_without(trace, readers)
    found: dict[int, Output] = {}
    for _, scan in scans:
        computing = [each for each in queries if ", ".join(column_names(each)) == scan.names]
        if len(computing) == 1 and len(computing[0]) == len(scan.ids):
            found |= dict(zip(scan.ids, computing[0], strict=True))
    return found


def _plans(trace: StatementTrace) -> Iterator[Plan]:
    """Yield the physical plans of the inner executions, then their logical plans; internal queries are omitted."""
    size = trace.statement.size
    yield from (each.plan for each in trace.plans[1:size])
    for text in trace.texts[1:size]:
        if not text.is_internal_query:
            yield from text.logical


def _bound(
    root: Flow, bindings: Mapping[int, Output], evidence: MergeEvidence, target: Dataset
) -> tuple[Flow, tuple[str, ...]]:
    """Bind the root's attributes: by other plans, then by the source's query, then by name."""
    if (flow := bind_by_parsed_source(root, bindings, evidence.parsed)) is not None:
        return flow, ()
    sources = [table for table in evidence.scanned if table.name != target.name] or evidence.scanned
    return bind_by_name(root, bindings, sources)


def _target_reads(flow: Flow, target: Dataset) -> Iterator[Read]:
    """Yield the read of the target's columns: an insert-only MERGE looks for its keys in a job without a plan."""
    origins = (origin for each in _derivations(flow) for origin, _ in each.sources if origin.dataset == target.name)
    if columns := tuple(dict.fromkeys(origin.column for origin in origins)):
        yield Read(target, columns, flow.command)


def _derivations(flow: Flow) -> list[Derivation]:
    return [*(each.derivation for each in flow.written), *(each.derivation for each in flow.conditions)]


def _source_conditions(flows: Sequence[Flow]) -> tuple[Condition, ...]:
    """Return the filters and keys of the source's query that are completely bound."""
    return tuple(
        condition
        for flow in flows
        for condition in flow.conditions
        if all(origin.dataset and origin.column not in row_columns() for origin, _ in condition.derivation.sources)
    )


def mark_completed_as_inferred(trace: StatementTrace) -> StatementTrace:
    """Mark the lineage of the completed columns as inferred."""
    write = trace.root.write
    if not trace.completed or write is None or not write.columns:
        return trace
    columns = tuple(each.mapped(as_inferred) if each.name in trace.completed else each for each in write.columns)
    return trace.with_root(replace(trace.root, write=replace(write, columns=columns)))


_VALUE = rf"(?:assertnotnull\(|cast\()*(\w+){CAPTURED_ID}(?: as [a-z]+(?:\(\d+(?:,\d+)?\))?)?\)*"
_ASSIGNMENT = rf"assignment\((\w+){CAPTURED_ID}, {_VALUE}\)"
_STAR = re.compile(
    rf"(?P<start>\b(?:update|insert)action\((?:None|Some\([^\n]{{0,2000}}?\)), )"
    rf"(?P<listed>{_ASSIGNMENT}(?:, {_ASSIGNMENT})*), \.\.\. (?P<missing>\d{{1,6}}) more fields\)"
)
_PAIR = re.compile(_ASSIGNMENT)
_MIN_CONSECUTIVE = 5
"""The number of last printed assignments whose ids must be consecutive, so that the next ids can be inferred."""

Attribute = tuple[str, int]
"""The name and the id of an attribute."""


def complete_star_clauses(
    trace: StatementTrace, target: Sequence[Attribute], source: Mapping[str, int] | None = None
) -> StatementTrace:
    """Return the trace with the truncated star clauses of its MERGE completed.

    Args:
        trace: The statement; the first plan is the MERGE's.
        target: Name and id of the target's columns in the table's order; an id of -1 is unknown.
        source: Name to id of the source's columns; None to infer the ids from the printed ones.
    """
    text = trace.texts[0].text
    added: dict[str, None] = {}
    pieces, end = [], 0
    for clause in _STAR.finditer(text):
        missing = _missing_assignments(clause, target, source)
        if missing:
            items = (f"assignment({name}#{target_id}, {name}#{source_id})" for name, target_id, source_id in missing)
            pieces += [text[end : clause.start()], clause["start"], ", ".join((clause["listed"], *items)), ")"]
            end = clause.end()
            added |= dict.fromkeys(name for name, _, _ in missing)
    if not added:
        return trace
    completed = PlanText("".join((*pieces, text[end:])))
    return replace(trace, texts=(completed, *trace.texts[1:]), completed=frozenset(added))


def truncated_star_clauses(text: str) -> list[tuple[list[str], int]]:
    """Return (printed columns, number of all columns) of each truncated clause that may be a star clause."""
    found = (([name for name, *_ in _PAIR.findall(clause["listed"])], clause) for clause in _STAR.finditer(text))
    return [(names, len(names) + int(clause["missing"])) for names, clause in found]


def star_source_ids(text: str) -> set[int]:
    """Return the ids of the source's columns in the truncated clauses that may be star clauses."""
    return {int(pair[3]) for clause in _STAR.finditer(text) for pair in _PAIR.findall(clause["listed"])}


def _missing_assignments(
    clause: re.Match[str], target: Sequence[Attribute], source: Mapping[str, int] | None
) -> list[tuple[str, int, int]]:
    """Return (name, target's id, source's id) of the truncated assignments; empty for other clauses.

    Args:
        clause: A match of `_STAR`.
    """
    names, targets, values, sources = zip(*_PAIR.findall(clause["listed"]), strict=True)
    if names != values or any(map(eq, targets, sources)):
        return []
    rest = target[len(names) :]
    if len(rest) != int(clause["missing"]) or names != tuple(map(itemgetter(0), target[: len(names)])):
        return []
    if source is not None:
        found = [(name, expr_id, source.get(name, -1)) for name, expr_id in rest]
    else:
        following = zip(_following(targets, len(rest)), _following(sources, len(rest)), strict=True)
        found = [(name, *ids) for (name, _), ids in zip(rest, following, strict=False)]
    return found if all(min(ids) >= 0 for _, *ids in found) else []


def _following(printed: Sequence[str], count: int) -> list[int]:
    """Return the ids after printed ones if the last of these are consecutive; -1 for each otherwise."""
    last = [int(each) for each in printed[-_MIN_CONSECUTIVE:]]
    if len(last) < _MIN_CONSECUTIVE or last != list(range(last[0], last[0] + _MIN_CONSECUTIVE)):
        return [-1] * count
    return list(range(last[-1] + 1, last[-1] + 1 + count))
