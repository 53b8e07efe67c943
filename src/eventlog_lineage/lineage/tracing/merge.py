"""Commands that change rows in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.results.missing_source_gaps import with_gap
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.assigned_columns import assigned, row_columns
from eventlog_lineage.operators.attribute_links import bind_links
from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read
from eventlog_lineage.operators.scans import source
from eventlog_lineage.plan.nodes import Plan

from .command_results import from_parsed
from .match_by_name import bind_by_name
from .merge_evidence import MergeEvidence, merge_evidence
from .resolve_plan import Resolution
from .statement_trace import StatementTrace

Reader = Callable[[Plan, set[int]], Resolution]


def bind_merge(trace: StatementTrace) -> StatementTrace:
    """Bind the attributes of a MERGE to the outputs of the executions that it runs."""
    if not find_command(trace.root.command).attributes_from_children:
        return trace
    return trace.with_root(with_gap(*merged(trace.flows, _plans(trace), trace.resolve, merge_evidence(trace))))


def _plans(trace: StatementTrace) -> Iterator[Plan | None]:
    """Yield the plans of the executions, internal queries left out; then their logical plans, the root's left out."""
    size = trace.statement.size
    yield from (each.plan for each in trace.plans[:size])
    for text in trace.texts[1:size]:
        if not text.is_internal_query:
            yield from text.logical


def merged(
    flows: Sequence[Flow], plans: Iterable[Plan | None], reader: Reader, evidence: MergeEvidence
) -> tuple[Flow, tuple[str, ...]]:
    """A MERGE over source columns whose attributes are those of the executions that it ran.

    Args:
        flows: Of the statement's executions, the command's first.
        plans: The plans of the same executions, the command's first, None where there is none to read; then their
            logical plans, which tell what the others leave out.
        reader: Resolves a plan, noting the attributes that it is asked for.
        evidence: What is known besides.

    Returns:
        The command's flow; it reads what the executions read, under the conditions of its source. And the names of the
        attributes that nothing explains.
    """
    root = flows[0]
    write = root.write
    if write is None or write.columns is None:
        return root, ()
    opened = {origin.attribute for each in _derivations(root) for origin, _ in each.sources if not origin.dataset}
    known: dict[int, Output] = {}
    for plan in islice(plans, 1, None):
        wanted = {number for number in opened if number not in known} | _wanted_below(known)
        if not wanted:
            break
        if plan is not None:
            for number, output in reader(plan, wanted).bound.items():
                _learn(known, number, output)
    own = {column.number: column for column in write.columns if column.number >= 0}
    assigned_to = {at: Output(each.name, at, source(write.target.name, each.name)) for at, each in own.items()}
    known = {**assigned_to, **evidence.outside, **known}
    settled = {number: bind_links(Flow(outputs=(output,)), known)[0].outputs[0] for number, output in known.items()}
    sources = [table for table in evidence.scanned if table.name != write.target.name] or evidence.scanned
    told = from_parsed(root, settled, evidence.parsed)
    flow, unexplained = (told, ()) if told is not None else bind_by_name(root, settled, sources)
    columns = flow.write.columns or () if flow.write else ()
    others = [each for each in flows[1:] if not each.command]
    whole = replace(
        flow,
        conditions=(*flow.conditions, *_source_conditions(others)),
        reads=(*flow.reads, *(read for each in others for read in each.reads), *_own_reads(flow, write.target)),
        write=replace(write, columns=assigned(columns, write.target.name)),
    )
    return whole, unexplained


def _own_reads(flow: Flow, target: Dataset) -> Iterator[Read]:
    """The target's own columns: an insert-only MERGE looks for its keys in a job without a plan."""
    origins = (origin for each in _derivations(flow) for origin, _ in each.sources if origin.dataset == target.name)
    if columns := tuple(dict.fromkeys(origin.column for origin in origins)):
        yield Read(target, columns, flow.command)


def _derivations(flow: Flow) -> list[Derivation]:
    columns = flow.write.columns or () if flow.write else ()
    return [each.derivation for each in columns] + [each.derivation for each in flow.conditions]


def _wanted_below(known: Mapping[int, Output]) -> set[int]:
    return {
        origin.attribute for output in known.values() for origin, _ in output.derivation.sources if not origin.dataset
    }


def _learn(known: dict[int, Output], number: int, output: Output) -> None:
    """Keeps the explanation of an attribute that leaves nothing open, if there is one."""
    if all(origin.dataset for origin, _ in output.derivation.sources) or number not in known:
        known[number] = output


def _source_conditions(flows: Sequence[Flow]) -> tuple[Condition, ...]:
    """The filters and keys of the source's query, where no attribute is left open."""
    return tuple(
        condition
        for flow in flows
        for condition in flow.conditions
        if all(origin.dataset and origin.column not in row_columns() for origin, _ in condition.derivation.sources)
    )
