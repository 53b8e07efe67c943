"""The result of a command, which extended text prints with the plan as it was parsed.

Who collects the result of a command gets an execution of its own, a `CommandResult` (3.2+). Its text has the same
analyzed plan as the command's, under the same ids, and above it the query that was written: what Hudi's and Paimon's
MERGE read, which their commands hold and do not print; the subqueries of Delta's UPDATE; the clauses of Iceberg's
MERGE; the table of a CALL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product

from eventlog_lineage.errors import PlanSyntaxError
from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.grouping.execution_summary import ExecutionSummary
from eventlog_lineage.model import GapReason
from eventlog_lineage.operators.assigned_columns import assigned
from eventlog_lineage.operators.attribute_links import Bindings, bind_links
from eventlog_lineage.operators.derivations.derivation import INFERRED
from eventlog_lineage.operators.flow import Flow, Output
from eventlog_lineage.operators.scans import source as column
from eventlog_lineage.plan.nodes import Plan, PlanNode
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.unresolved.analyzer import with_attributes
from eventlog_lineage.plan.unresolved.merge_sides import target_attributes
from eventlog_lineage.plan.unresolved.parsed_merge import OPERATOR, analysed_merge, kept_merge

from .match_by_name import unbound_attributes
from .resolve_plan import Resolution
from .statement_trace import StatementTrace


def link_command_results(ordered: Sequence[ExecutionSummary], roots: dict[int, int]) -> frozenset[int]:
    """Makes the result of a command a part of its statement, where its text says more than the command's.

    Args:
        ordered: An application's executions in the order of their ids.
        roots: Execution to root; changed for the results that are found.

    Returns:
        The executions that are such results.
    """
    commands: dict[str, ExecutionSummary] = {}
    found: set[int] = set()
    for execution in ordered:
        if not execution.summary.analyzed:
            continue
        if not find_command(execution.summary.command).is_result:
            commands[execution.summary.analyzed] = execution
        elif (command := commands.get(execution.summary.analyzed)) is not None and roots[
            execution.execution_id
        ] == execution.execution_id:
            roots[execution.execution_id] = roots[command.execution_id]
            found.add(execution.execution_id)
    return frozenset(found)


def bind_called_table(trace: StatementTrace) -> StatementTrace:
    """Take the table of a CALL from the parsed plan, where the CALL's own plan prints a description."""
    if not find_command(trace.root.command).is_call:
        return trace
    return trace.with_root(with_called_table(trace.root, trace.result_texts, trace.resolve))


def add_merge_clauses(trace: StatementTrace) -> StatementTrace:
    """Take the clauses of a MERGE from a logical plan, where its own plan prints none."""
    if trace.root.write is None or trace.root.write.mode != "merge":
        return trace
    return trace.with_root(with_clauses(trace.root, trace.texts[0], trace.result_texts, trace.resolve))


def parsed_source(texts: Sequence[PlanText], read: Callable[[Plan], Resolution]) -> Flow | None:
    """The query of a MERGE's source, as it was parsed.

    Args:
        texts: The plans of the statement's results.
        read: Resolves a plan.

    Returns:
        Its flow: what the query names `AS x` has the id that the command's plan has for it. None where no text has the
        query, or it does not say whose its columns are.
    """
    for plan in _parsed(texts):
        if plan.root is not None and plan.root.operator == OPERATOR and len(plan.root.children) == 2:
            flow = _told(Plan(plan.root.children[1], plan.subqueries), read)
            if flow is not None and (flow.outputs or _is_table(plan.root.children[1])):
                return flow
    return None


def own_attributes(command: PlanText, texts: Sequence[PlanText]) -> Mapping[int, str]:
    """The attributes of a MERGE that its parsed plan names by the alias of its table, by id.

    Args:
        command: The command's text.
        texts: The plans of the statement's results.
    """
    analyzed = next((plan.root for plan in command.logical), None) if texts else None
    found: dict[int, str] = {}
    for plan in _parsed(texts):
        if analyzed is not None and plan.root is not None and plan.root.operator == OPERATOR:
            found |= target_attributes(plan.root, analyzed)
    return found


def _is_table(node: PlanNode) -> bool:
    """Is it a table as it is, and no query?"""
    while node.operator == "SubqueryAlias" and len(node.children) == 1:
        node = node.children[0]
    return node.operator == "UnresolvedRelation"


def with_clauses(flow: Flow, command: PlanText, texts: Sequence[PlanText], read: Callable[[Plan], Resolution]) -> Flow:
    """A MERGE of a V2 connector, its clauses taken from a logical plan where its own plan prints none.

    Up to Spark 3.4 Iceberg's analyzed plan keeps them; later, the parsed plan of the result has them alone.

    Args:
        flow: Of the command.
        command: Its text.
        texts: The plans of the statement's results.
        read: Resolves a plan.
    """
    write = flow.write
    untold = [
        gap for gap in flow.gaps if gap.reason is GapReason.UNKNOWN_SOURCE and gap.operator.startswith("MergeRows")
    ]
    if write is None or not untold:
        return flow
    analyzed = list(command.logical)
    plans = chain(map(kept_merge, analyzed), (analysed_merge(*each) for each in product(_parsed(texts), analyzed)))
    for plan in plans:
        told = read(plan).flow if plan is not None else None
        if told is not None and not told.gaps:
            columns = assigned(told.outputs, write.target.name)
            gaps = tuple(gap for gap in flow.gaps if gap not in untold)
            conditions = (*flow.conditions, *told.conditions)
            return replace(flow, conditions=conditions, write=replace(write, columns=columns), gaps=gaps)
    return flow


def with_called_table(flow: Flow, texts: Sequence[PlanText], read: Callable[[Plan], Resolution]) -> Flow:
    """A CALL, its table taken from the parsed plan where its own plan prints a description.

    Args:
        flow: Of the command.
        texts: The plans of the statement's results.
        read: Resolves a plan.
    """
    found = (read(plan).flow for plan in _parsed(texts))
    return flow if flow.write is not None else next((each for each in found if each.write is not None), flow)


def from_parsed(flow: Flow, known: Bindings, source: Flow | None) -> Flow | None:
    """A MERGE's flow, the rest of its attributes taken from its source's query.

    Args:
        flow: Of the command; attributes are open.
        known: What other plans say of them, by id.
        source: What `parsed_source` gives.

    Returns:
        The flow, under the query's conditions; None where nothing is left to explain, or something still is then.
    """
    columns = (flow.write.columns or ()) if flow.write else ()
    derivations = [each.derivation for each in (*flow.outputs, *columns)]
    derivations += [each.derivation for each in flow.conditions]
    opened = {number: name for number, name in unbound_attributes(derivations).items() if number not in known}
    if source is None or not opened:
        return None
    by_number = {output.number: output for output in source.outputs}
    by_name = {output.name.lower(): output for output in source.outputs}
    found = {number: by_number.get(number) or by_name.get(name.lower()) for number, name in opened.items()}
    if not source.outputs:  # a table as it is
        table = source.reads[0].dataset.name
        found = {at: Output(name, at, column(table, name, confidence=INFERRED)) for at, name in opened.items()}
    explained, unexplained = bind_links(flow, {**{at: each for at, each in found.items() if each is not None}, **known})
    if unexplained:
        return None
    used = dict.fromkeys(origin.column for each in found.values() if each for origin, _ in each.derivation.sources)
    reads = source.reads if source.outputs else (replace(source.reads[0], columns=tuple(used)),)
    return replace(explained, conditions=(*explained.conditions, *source.conditions), reads=(*explained.reads, *reads))


def parsed_subqueries(texts: Sequence[PlanText], read: Callable[[Plan], Resolution]) -> Mapping[int, Flow]:
    """The subqueries of a command by number, as they were parsed; those that say whose their columns are.

    Args:
        texts: The plans of the statement's results.
        read: Resolves a plan.
    """
    found: dict[int, Flow] = {}
    for plan in _parsed(texts):
        for subquery in plan.subqueries:
            flow = _told(Plan(subquery.root, plan.subqueries), read) if subquery.root is not None else None
            if flow is not None and subquery.number is not None:
                found[subquery.number] = flow
    return found


def _parsed(texts: Sequence[PlanText]) -> Iterator[Plan]:
    for text in texts:
        plan = text.parsed
        if plan is not None:
            yield plan


def _told(plan: Plan, read: Callable[[Plan], Resolution]) -> Flow | None:
    try:
        flow = read(with_attributes(plan)).flow
    except PlanSyntaxError:
        return None
    return flow if not flow.gaps and all(_is_named(each.dataset.name) for each in flow.reads) else None


def _is_named(table: str) -> bool:
    """Is it a table for certain: the query named it with its database? A word alone may be a view of the session."""
    return ".default." not in table and not table.startswith(("spark_catalog.global_temp.", "global_temp."))
