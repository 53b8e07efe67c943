"""What the other executions of Delta's commands (2.1 to 4.x) show: tables of clones and DELETEs; compactions.

A table with `delta.autoOptimize.autoCompact` compacts its small files after each commit, and a clustered table its new
ones (`AutoCompact`, 3.1 to 4.4). Their execution, `<location><br/>Optimizing N files`, reads all columns of the target
through a `TahoeBatchFileIndex`, as MERGE, UPDATE, DELETE and streaming sources read theirs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.catalog.application_facts import ScannedTable
from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.naming import read_location
from eventlog_lineage.extensions import find_command
from eventlog_lineage.lineage.tracing.statement_trace import PlanTrace, StatementTrace
from eventlog_lineage.model import INFERRED, ROW_CHANGES, Dataset, Gap, GapReason
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read
from eventlog_lineage.operators.scans import source
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef, SnapshotRole
from eventlog_lineage.plan.tree.nodes import walk

_HELPER = re.compile(
    r"\n(?:\(\d+\) |[ :+*-]*(?:\*?\(\d+\) )?)Scan ExistingRDD Delta (?:Table State|Source Snapshot)"
    r"|(?:\n|, )Location: DeltaLogFileIndex[ (\[]"
    r"| AS add#\d+, \w+#\d+L? AS index#\d+L?, null AS remove#\d+, "
    r"|\nOutput \[\d+\]: \[(?:path#\d+, partitionValues#\d+, size#\d+L|txn#\d+, add#\d+, remove#\d+)"
    r"|(?:Scan ExistingRDD|LocalTableScan )\[(?:path#\d+, ?partitionValues#\d+, ?size#\d+L|txn#\d+, ?add#\d+)"
)
_HELPER_MARKS = ("Delta ", "DeltaLogFileIndex", "partitionValues#", "txn#", " AS add#")


def is_internal_query(text: str) -> bool:
    """Return whether a plan is an internal query of Delta: of a table's state, its files, or their statistics.

    `Snapshot` names its RDD `Delta Table State #<version> - <path>/_delta_log` and reads commits through a
    `DeltaLogFileIndex`; lists of files are relations that begin with `path, partitionValues, size` (`AddFile`), and a
    streaming source numbers those of a snapshot (`DeltaSourceSnapshot`: `… AS add#1, _2#2L AS index#3L, …`).
    """
    return any(mark in text for mark in _HELPER_MARKS) and _HELPER.search(text) is not None


def leave_out_ignored_save(trace: StatementTrace) -> StatementTrace:
    """Leave out a save in mode `ignore` to an existing table: it runs no query, which is a nested execution (3.4+)."""
    command, write = trace.root.command, trace.root.write
    if command != "SaveIntoDataSourceCommand" or write is None or trace.statement.size > 1:
        return trace
    is_ignored = write.is_optional and write.target.format == "delta"
    return trace.with_root(Flow(command=command)) if is_ignored else trace


COMMAND = "CloneTableCommand"


def name_loaded_table(trace: StatementTrace) -> StatementTrace:
    """Name the table of a DELETE that prints only its `DeltaLog`: the only table whose state the statement loads."""
    if not ("DeleteCommand" in trace.texts[0].text and "DeltaLog@" in trace.texts[0].text):
        return trace
    locations = loaded(trace.own_texts[1:])
    return replace(trace, tables=replace(trace.tables, loaded=locations[0])) if len(locations) == 1 else trace


def add_clone_source(trace: StatementTrace) -> StatementTrace:
    """Add the source of a clone, which the command does not print."""
    if trace.root.command != COMMAND:
        return trace
    return trace.with_root(
        _with_columns(from_source(trace.root, trace.own_texts), trace.statement.context.hidden.scanned)
    )


def _with_columns(flow: Flow, tables: Sequence[ScannedTable]) -> Flow:
    """Return the flow of a clone with the columns of its source, each an identity that is `inferred`.

    Args:
        tables: The tables whose states the statement loaded, with the columns that earlier plans list.
    """
    if flow.write is None:
        return flow
    if len(flow.reads) != 1:
        return flow.with_gaps(_source_gap(flow.reads))
    read = flow.reads[0]
    table = next((each for each in tables if each.name == read.dataset.location), None)
    names = table.columns if table is not None else ()
    columns = tuple(Output(name, -1, source(read.dataset.name, name, confidence=INFERRED)) for name in names)
    known = replace(flow, write=replace(flow.write, columns=columns), reads=(replace(read, columns=names),))
    if table is not None and table.column_lists:
        return known
    detail = f"plans before the clone list {len(names)} columns of the copied version, and maybe not all"
    detail += f": {', '.join(names)}" * bool(names)
    gap = Gap(GapReason.UNKNOWN_SOURCE, COMMAND, detail[:500], "read or write all columns before cloning the table")
    return known.with_gaps(gap)


def _source_gap(reads: Sequence[Read]) -> Gap:
    """Return the gap of a clone that loads the state of no table, or of several ones."""
    found = ", ".join(each.dataset.name for each in reads)
    detail = f"the clone loads the states of several tables: {found}" if found else "no table's state is loaded"
    return Gap(GapReason.UNKNOWN_SOURCE, COMMAND, detail[:500], "the plan of a clone does not print its source")


def from_source(flow: Flow, texts: Sequence[PlanText]) -> Flow:
    """Return the flow of a clone with the table that it reads: the loaded table that is not its target."""
    own = flow.write.location if flow.write is not None else ""
    sources = [uri for uri in loaded(texts) if uri != own]
    reads = tuple(Read(naming.path(uri, format="delta"), (), COMMAND) for uri in sources)
    return flow.with_reads(*reads)


def loaded(texts: Sequence[PlanText]) -> tuple[str, ...]:
    """Return the locations of the distinct Delta tables whose state a statement loads."""
    facts = (fact for text in texts for fact in text.facts if isinstance(fact, SnapshotRef))
    locations = (fact.table.location for fact in facts if fact.role is SnapshotRole.LOADED)
    return tuple(dict.fromkeys(filter(None, locations)))


def without_compactions(trace: StatementTrace) -> StatementTrace:
    """Remove the flows of compactions: the written rows are those of another execution."""
    if find_command(trace.root.command).mode in ROW_CHANGES or trace.statement.size == 1:
        return trace
    target = _written_location(trace)
    if target is None:
        return trace
    flows = tuple(
        Flow() if 0 < index < trace.statement.size and _rewrites(trace.plans[index], target) else flow
        for index, flow in enumerate(trace.flows)
    )
    return trace if flows == trace.flows else replace(trace, flows=flows)


def _written_location(trace: StatementTrace) -> str | None:
    """Return the location of the table that a statement writes; None if neither its write nor its sink shows it."""
    write, stream = trace.root.write, trace.statement.context.stream
    if write is not None:
        return _location(trace, write.target, write.location)
    sink = stream.sink if stream is not None else None
    return (_location(trace, sink) or None) if sink is not None else None


def _location(trace: StatementTrace, target: Dataset, printed: str = "") -> str:
    """Return the location of a target; empty if nothing shows it."""
    known = printed or target.location
    if known or target.kind == "path":
        return naming.path_name(known or target.name)
    return trace.statement.catalog_settings.managed_location(target.name)


def _rewrites(plan: PlanTrace, target: str) -> bool:
    """Return whether a plan only reads listed files of the target.

    Args:
        target: The target's location; empty if it is unknown: then the files may be those of any table.
    """
    scans = [location for node in walk(plan.plan.root) if (location := node.text("Location"))]
    if not scans or not all(scan.startswith("TahoeBatchFileIndex") for scan in scans):
        return False
    return not target or all(naming.path_name(read_location(scan).first) == target for scan in scans)


def without_paths_of_files(trace: StatementTrace) -> StatementTrace:
    """Remove conditions on the paths of the target's files, `(file_path#1 = dvFilePath#2)`.

    A command that rewrites rows joins them with the deletion vectors of their files
    (`DMLWithDeletionVectorsHelper`, 2.3 to 4.x).
    """
    write = trace.root.write
    if write is None or find_command(trace.root.command).mode not in ROW_CHANGES:
        return trace
    flows = tuple(_without_paths(flow, write.target.name) for flow in trace.flows)
    return trace if flows == trace.flows else replace(trace, flows=flows)


def _without_paths(flow: Flow, target: str) -> Flow:
    kept = tuple(each for each in flow.conditions if not _is_on_paths(each, target))
    return flow if len(kept) == len(flow.conditions) else replace(flow, conditions=kept)


def _is_on_paths(condition: Condition, target: str) -> bool:
    origins = [origin for origin, _ in condition.derivation.sources]
    return bool(origins) and all(each.dataset == target and each.column == "_metadata.file_path" for each in origins)
