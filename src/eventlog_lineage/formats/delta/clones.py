"""Clones of Delta tables: the source is the table whose state the statement loads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from eventlog_lineage.catalog.session_catalog import ScannedTable
from eventlog_lineage.datasets import naming
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.model import Gap, GapReason
from eventlog_lineage.operators.derivations.derivation import INFERRED
from eventlog_lineage.operators.flow import Flow, Output, Read
from eventlog_lineage.operators.scans import source
from eventlog_lineage.plan.plan_text import PlanText
from eventlog_lineage.plan.summary.plan_facts import SnapshotRef, SnapshotRole

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
        found = ", ".join(each.dataset.name for each in flow.reads)
        detail = f"the clone loads the states of several tables: {found}" if found else "no table's state is loaded"
        gap = Gap(GapReason.UNKNOWN_SOURCE, COMMAND, detail[:500], "the plan of a clone does not print its source")
        return replace(flow, gaps=(*flow.gaps, gap))
    read = flow.reads[0]
    table = next((each for each in tables if each.name == read.dataset.location), None)
    names = table.columns if table is not None else ()
    columns = tuple(Output(name, -1, source(read.dataset.name, name, confidence=INFERRED)) for name in names)
    known = replace(flow, write=replace(flow.write, columns=columns), reads=(replace(read, columns=names),))
    if table is not None and table.column_lists:
        return known
    detail = f"plans before the clone list {len(names)} columns of its source, and maybe not all: {', '.join(names)}"
    gap = Gap(GapReason.UNKNOWN_SOURCE, COMMAND, detail[:500], "read or write all columns before cloning the table")
    return replace(known, gaps=(*known.gaps, gap))


def from_source(flow: Flow, texts: Sequence[PlanText]) -> Flow:
    """Return the flow of a clone with the table that it reads: the loaded table that is not its target."""
    own = flow.write.location if flow.write is not None else ""
    sources = [uri for uri in loaded(texts) if uri != own]
    reads = tuple(Read(naming.path(uri, format="delta"), (), COMMAND) for uri in sources)
    return replace(flow, reads=(*flow.reads, *reads))


def loaded(texts: Sequence[PlanText]) -> tuple[str, ...]:
    """Return the locations of the distinct Delta tables whose state a statement loads."""
    facts = (fact for text in texts for fact in text.facts if isinstance(fact, SnapshotRef))
    locations = (fact.table.location for fact in facts if fact.role is SnapshotRole.LOADED)
    return tuple(dict.fromkeys(filter(None, locations)))
