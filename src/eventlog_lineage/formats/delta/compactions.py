"""Leave out executions of Delta next to a write: its compaction, of the same statement, and joins of files.

A table with `delta.autoOptimize.autoCompact` compacts its small files after each commit, and a clustered table its new
ones (`AutoCompact`, 3.1 to 4.4). Their execution, `<location><br/>Optimizing N files`, reads all columns of the target
through a `TahoeBatchFileIndex`, as MERGE, UPDATE, DELETE and streaming sources read theirs.
"""

from __future__ import annotations

from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.locations import read_location
from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.tracing.statement_trace import PlanTrace, StatementTrace
from eventlog_lineage.model import Dataset
from eventlog_lineage.operators.flow import Condition, Flow
from eventlog_lineage.plan.tree.nodes import walk

_INDEX = "TahoeBatchFileIndex"
_FILE_PATH = "_metadata.file_path"
_REWRITING = frozenset({"merge", "update", "delete"})
"""Modes of commands whose own executions read listed files of the target."""


def without_compactions(trace: StatementTrace) -> StatementTrace:
    """Remove the flows of compactions: the written rows are those of another execution."""
    write, stream = trace.root.write, trace.statement.context.stream
    if find_command(trace.root.command).mode in _REWRITING or trace.statement.size == 1:
        return trace
    sink = stream.sink if stream is not None else None
    target = _location(trace, write.target, write.location) if write is not None else ""
    if write is None and (sink is None or not (target := _location(trace, sink))):
        return trace
    flows = tuple(
        Flow() if 0 < index < trace.statement.size and _rewrites(trace.plans[index], target) else flow
        for index, flow in enumerate(trace.flows)
    )
    return trace if flows == trace.flows else replace(trace, flows=flows)


def _location(trace: StatementTrace, target: Dataset, printed: str = "") -> str:
    """Return the location of a target; empty if nothing shows it.

    Args:
        printed: The location that the command prints; empty if it prints none.
    """
    known = printed or target.location
    if known or target.kind == "path":
        return naming.path_name(known or target.name)
    return trace.statement.catalog_settings.managed_location(target.name)


def _rewrites(plan: PlanTrace, target: str) -> bool:
    """Return whether a plan only reads listed files of the target.

    Args:
        target: The target's location; empty if it is unknown: then the files may be those of any table.
    """
    root = plan.plan.root if plan.plan is not None else None
    scans = [node.text("Location") for node in walk(root) if node.text("Location")] if root is not None else []
    if not scans or not all(scan.startswith(_INDEX) for scan in scans):
        return False
    return not target or all(naming.path_name(read_location(scan).first) == target for scan in scans)


def without_paths_of_files(trace: StatementTrace) -> StatementTrace:
    """Remove conditions on the paths of the target's files, `(file_path#1 = dvFilePath#2)`.

    A command that rewrites rows joins them with the deletion vectors of their files
    (`DMLWithDeletionVectorsHelper`, 2.3 to 4.x).
    """
    write = trace.root.write
    if write is None or find_command(trace.root.command).mode not in _REWRITING:
        return trace
    flows = tuple(_without_paths(flow, write.target.name) for flow in trace.flows)
    return trace if flows == trace.flows else replace(trace, flows=flows)


def _without_paths(flow: Flow, target: str) -> Flow:
    kept = tuple(each for each in flow.conditions if not _is_on_paths(each, target))
    return flow if len(kept) == len(flow.conditions) else replace(flow, conditions=kept)


def _is_on_paths(condition: Condition, target: str) -> bool:
    origins = [origin for origin, _ in condition.derivation.sources]
    return bool(origins) and all(each.dataset == target and each.column == _FILE_PATH for each in origins)
