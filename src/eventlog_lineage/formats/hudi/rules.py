"""Hudi's own commands (1.x): INSERT, UPDATE, DELETE, MERGE through its jobs, procedures; incremental reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace

from eventlog_lineage.catalog.application_facts import session_table_at
from eventlog_lineage.datasets import naming
from eventlog_lineage.extensions import Command, Query, Rows, SaveOptions, Target, commands_of
from eventlog_lineage.lineage.tracing.command_flows import (
    MergeEvidence,
    bind_by_parsed_source,
    complete_star_clauses,
    merge_evidence,
    truncated_star_clauses,
)
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace
from eventlog_lineage.lineage.tracing.unbound_columns import bind_by_name, with_gap
from eventlog_lineage.model import Dataset, Gap, GapReason, Transformation
from eventlog_lineage.operators.attribute_links import Bindings
from eventlog_lineage.operators.derivations.derivation import Derivation
from eventlog_lineage.operators.flow import Condition, Flow, Output, Read, Write, gaps_with
from eventlog_lineage.operators.joins import join_conditions
from eventlog_lineage.operators.operation import Operation
from eventlog_lineage.operators.registry import operator, refines
from eventlog_lineage.operators.rules.create_table_as_select import create_table_as_select
from eventlog_lineage.operators.rules.definitions import definition
from eventlog_lineage.operators.rules.filter import filter_rows
from eventlog_lineage.operators.rules.no_lineage import no_lineage
from eventlog_lineage.operators.scans import source_columns, unnamed_source
from eventlog_lineage.operators.write_targets import (
    assigned,
    clauses,
    columns_of,
    static_partitions,
    with_static_partitions,
)
from eventlog_lineage.plan.grammar.symbols import TIGHT, is_list, read
from eventlog_lineage.plan.printed.operator_lines import read_relation, table_of_scan

DEFINITIONS = (
    Command("CreateHoodieTableCommand", "create", "created"),
    Command("CreateHoodieTableLikeCommand", "create", "copied"),
    Command("DropHoodieTableCommand", "drop", "dropped"),
    Command("AlterHoodieTableRenameCommand", "alter", "renamed"),
    Command("AlterHoodieTableAddColumnsCommand", "alter", "added"),
    Command("AlterTableCommand", "alter", "changed"),
    Command("TruncateHoodieTableCommand", "truncate"),
    *commands_of(
        """
        AlterHoodieTableAddPartitionCommand AlterHoodieTableChangeColumnCommand AlterHoodieTableDropPartitionCommand
        CreateIndexCommand DropIndexCommand RepairHoodieTableCommand
        """,
        "alter",
    ),
    *commands_of("CompactionHoodieTableCommand RefreshIndexCommand", "maintenance"),
)
"""Commands that print the name of their table as the session catalog's do, and no rows."""

COMMANDS = (
    Command("InsertIntoHoodieTableCommand", rows=Rows.BELOW),
    Command("CreateHoodieTableAsSelectCommand", target=Target.IN_JOBS),
    Command("MergeIntoHoodieTableCommand", "merge", rows=Rows.OWN | Rows.JOBS, query=Query.ATTRIBUTES),
    Command("UpdateHoodieTableCommand", "update", rows=Rows.OWN),
    Command("DeleteHoodieTableCommand", "delete", rows=Rows.OWN),
    Command("CallProcedureHoodieCommand", "maintenance"),
    Command("CompactionHoodiePathCommand", "maintenance"),
    *DEFINITIONS,
)


_PATH = re.compile(r"\bpath=([^,\]]+)")
_MERGE = re.compile(r"^MergeIntoTable (\(.*\))$", re.DOTALL)
_PROCEDURE_ARGUMENTS = re.compile(r"ProcedureArgs\(\w+,\{(?P<indexes>[^}]*)\},\[(?P<values>.*)\]\)")
_READ_ONLY = re.compile(r"\.(?:Show|Help|Stats|Validate)\w*Procedure@")
_PARTITIONS = "hoodie.datasource.write.partitionpath.field"
_OPERATIONS = {
    "insert_overwrite": "overwrite",
    "insert_overwrite_table": "overwrite",
    "delete": "delete",
    "delete_partition": "delete",
}
"""Hudi's operations that differ from the save mode (`WriteOperationType`, 0.x and 1.x)."""
OWN = "_hoodie_"
"""Prefix of Hudi's metadata columns."""
FILE_INDEX = "Location: Hoodie"
"""Begin of a scan's location in formatted and extended text."""
EMPTY = "org.apache.hudi.EmptyRelation@"
"""A relation of a table without commits, which prints no name."""


@operator("InsertIntoHoodieTableCommand")
def insert(op: Operation) -> Flow:
    """Write its input to the relation that it prints: `Relation cat.db.t[id#1L,…] parquet, [day=…], <overwrite>`.

    1.x adds the partition columns with a value at the end of the query, 0.x does not.
    """
    below = op.input
    parts = op.node.arguments
    found = read_relation(parts[0]) if parts else None
    relation = op.known(found if found and found.table else None, below=below)
    names = read(TIGHT, relation.columns).names
    static = static_partitions(parts[1]) if len(parts) > 1 and is_list(parts[1]) else []
    columns = _inserted(below, names, static)
    mode = "overwrite" if parts[-1] == "true" else "append"
    return op.writes(Write(naming.table(relation.table, format="hudi"), mode, columns), below)


def _inserted(below: Flow, listed: Sequence[str], static: Sequence[tuple[str, str]]) -> tuple[Output, ...]:
    """Return the columns of a table with the written values, in the table's order.

    Args:
        listed: The names of the table's columns, with Hudi's own.
    """
    rows = [output for output in below.outputs if not output.name.startswith(OWN)]
    names = [name for name in listed if not name.startswith(OWN)]
    fixed = {name.lower() for name, _ in static}
    given = [name for name in names if name.lower() not in fixed]
    names = given if len(rows) < len(names) else sorted(names, key=lambda name: name.lower() in fixed)
    order = {name: place for place, name in enumerate(listed)}
    values = sorted(columns_of(rows, names), key=lambda column: order.get(column.name, len(order)))
    return with_static_partitions(tuple(values), static)


@operator("UpdateHoodieTableCommand")
def update(op: Operation) -> Flow:
    """Write the changed rows of the table that its query scans; the command prints no name.

    0.x has no query below it, `UpdateTable [assignment(amount#1, …)], (id#2L = 3)`: a separate execution saves the
    rows (`facts.py`).
    """
    below = op.input
    target = op.known(changed_table(below), below=replace(below, command=op.node.operator))
    columns = assigned([each for each in below.outputs if not each.name.startswith(OWN)], target.name)
    return op.writes(Write(target, "update", columns), below)


@operator("DeleteHoodieTableCommand")
def delete(op: Operation) -> Flow:
    """Delete the rows that its query selects: `HoodieCatalogTable@…, [path=file:/x, …]`.

    0.x has no query below it, `DeleteFromTable (id#2L > 1)`, as with UPDATE.
    """
    below = op.input
    match = _PATH.search(op.node.text("Arguments"))
    target = changed_table(below) or (naming.path(match[1], format="hudi") if match else None)
    target = op.known(target, below=replace(below, command=op.node.operator))
    return op.writes(Write(target, "delete"), below)


def name_source(op: Operation) -> Dataset | None:
    """Return the table of `Scan org.apache.hudi.EmptyRelation@40a4c41`, which has no rows; None for other scans.

    It is known if an UPDATE or DELETE of the application reads the same object (`changed_tables`).
    """
    name = empty_relation(op.node.argument)
    if not name:
        return None
    if table := op.plan.tables.of_unqualified(name):
        return naming.path(table, format="hudi") if "/" in table else naming.table(table, format="hudi")
    return unnamed_source(op, op.node.argument, "Hudi prints no name for a table without rows")


def empty_relation(printed: str) -> str:
    """Return the object of a table without commits, `org.apache.hudi.EmptyRelation@40a4c41`; empty for other scans."""
    return next((word for word in printed.split() if word.startswith(EMPTY)), "")


def changed_table(below: Flow) -> Dataset | None:
    """Return the table whose rows are read with their record keys; None for `EmptyRelation`, which has no name."""
    read = [read.dataset for read in below.reads if any(column.startswith(OWN) for column in read.columns)]
    return read[0] if read and read[0].kind != "other" else None


@operator("MergeIntoHoodieTableCommand")
def merge_into(op: Operation) -> Flow:
    """Assign the values of the clauses to target columns, by attribute id; the table is not printed.

    Arguments: MergeIntoTable (id#1L = id#2L), [updateaction(None, assignment(id#1L, id#2L), …)], [insertaction(…)]. The
        source's attributes are those of its resolved relation, which other plans may name. The statement's jobs show
        the target (`bind_merge`).
    """
    parts = op.node.arguments
    match = op.known(_MERGE.match(parts[0]) if parts else None, below=Flow())
    op = op.naming_arguments()
    scope = op.unbound_arguments()
    conditions = join_conditions(op, match[1], scope)
    given, values = clauses(op, parts[1:], scope)
    op.gap(
        GapReason.UNKNOWN_TARGET,
        op.node.text("Arguments"),
        "Hudi's MERGE does not print its table; the jobs of its commit name it, unless the log was cut",
    )
    return Flow(outputs=tuple(values), conditions=(*conditions, *given), command="MergeIntoHoodieTableCommand")


@operator("CallProcedureHoodieCommand")
def call_procedure(op: Operation) -> Flow:
    """Maintain a table: `RunCompactionProcedure@…, ProcedureArgs(true,{op=0, table=1},[scheduleAndExecute,shop.t])`.

    Procedures that show, help or validate change nothing.
    """
    if _READ_ONLY.search(op.node.text("Arguments")):
        return Flow(command=op.node.operator)
    match = _PROCEDURE_ARGUMENTS.search(op.node.text("Arguments"))
    values = match["values"].split(",") if match else []
    for name, _, index in (item.strip().partition("=") for item in (match["indexes"].split(",") if match else [])):
        if name == "table" and index.isdigit() and int(index) < len(values):
            target = naming.table(values[int(index)].strip(), format="hudi")
            return op.writes(Write(target, "maintenance"))
    return Flow(command=op.node.operator)


@operator("CompactionHoodiePathCommand")
def compact_path(op: Operation) -> Flow:
    """Maintain the table of a path: `Arguments: /data/shop/orders, RUN`, of `RUN COMPACTION ON '/data/shop/orders'`."""
    parts = op.node.arguments
    if not parts:
        return Flow(command=op.node.operator)
    return op.writes(Write(naming.path(parts[0], format="hudi"), "maintenance"))


operator(
    "CompactionShowHoodiePathCommand",
    "CompactionShowHoodieTableCommand",
    "ShowHoodieTablePartitionsCommand",
    "ShowIndexesCommand",
)(no_lineage)
operator(*(each.name for each in DEFINITIONS))(definition)
operator("CreateHoodieTableAsSelectCommand")(create_table_as_select)


def save_options(options: Mapping[str, str]) -> SaveOptions | None:
    """Return mode and table from the options of a save; Hudi's options begin with `hoodie.`."""
    if not any(name.startswith("hoodie.") for name in options):
        return None
    fields = (field.partition(":")[0].strip() for field in options.get(_PARTITIONS, "").split(","))
    return SaveOptions(
        _OPERATIONS.get(options.get("hoodie.datasource.write.operation", ""), ""),
        options.get("hoodie.table.name", ""),
        tuple(field for field in fields if field),
    )


def name_scan(scan: str, _: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the table of `Scan HudiFileGroup spark_catalog.shop.updates`, the name of a scan in a job's RDD."""
    kind, table = table_of_scan(scan)
    return (naming.table_name(table), "hudi") if kind.lower().startswith("hudi") else None


COMMAND = "MergeIntoHoodieTableCommand"


def bind_merge(trace: StatementTrace) -> StatementTrace:
    """Bind the attributes of Hudi's MERGE, and add its write."""
    if trace.root.command != COMMAND:
        return trace
    location, settings = trace.statement.context.hidden.commit_location, trace.statement.catalog_settings
    evidence = merge_evidence(trace)
    flow, unbound = committed(trace.root, location, evidence, trace.id_offsets(), settings.managed_location)
    if evidence.parsed is None and (view := _filtered_view(trace)):
        flow = flow.with_gaps(_hidden_query(f"of the view {view}, or of the table below it"))
    return trace.with_root(with_gap(flow, unbound))


def _filtered_view(trace: StatementTrace) -> str:
    """Return the temporary view with filters or keys that has attributes of the source; empty if there is none.

    The command prints the attributes of the source, which a view that only selects has in common with its table.
    """
    for each in trace.plans[trace.statement.size :]:
        write = each.resolution.flow.write
        if write is not None and write.target.kind == "temp_view" and each.resolution.flow.conditions:
            return write.target.name
    return ""


def complete_merge(trace: StatementTrace) -> StatementTrace:
    """Complete the clauses of a wide MERGE with the columns of the table that its jobs scan."""
    stars = truncated_star_clauses(trace.texts[0].text) if COMMAND in trace.texts[0].text else []
    scanned = trace.statement.context.hidden.scanned if stars else ()
    listed = {columns for table in scanned for columns in (*table.column_lists, table.columns)}
    fitting = [
        each for each in listed if any((list(each[: len(names)]), len(each)) == (names, n) for names, n in stars)
    ]
    return complete_star_clauses(trace, [(name, 0) for name in fitting[0]]) if len(fitting) == 1 else trace


def committed(
    flow: Flow,
    location: str,
    evidence: MergeEvidence,
    id_offsets: Mapping[int, int],
    default_location: Callable[[str], str],
) -> tuple[Flow, tuple[str, ...]]:
    """Return the command's flow over columns, with its write.

    The target's attributes are those that the clauses assign, and those of the ON condition that are compared with the
    source's: the connector only supports `target.key = source.key`.

    Args:
        flow: The flow of the command: per assignment an output with the id of the target's attribute; attributes are
            unbound.
        location: The target's location; empty if no job shows it.
        id_offsets: As in `match_by_name.bind_by_name`.
        default_location: Returns the default location of a table by its name; empty if unknown.

    Returns:
        The flow, and the names of the attributes that remain unbound.
    """
    bindings, scanned = evidence.bindings, evidence.scanned
    if not location:
        return bind_by_name(flow, bindings, scanned, id_offsets)
    short = location.rstrip("/").rpartition("/")[2]  # 0.14 and 0.15 join the source with the target's keys
    scanned = [table for table in scanned if table.name.rpartition(".")[2] != short] or scanned
    target = _table_at(location, default_location)
    ids = _target_ids(flow, evidence, target, default_location)
    known = {**bindings, **source_columns(target.name, ids.items())}
    parsed = bind_by_parsed_source(flow, known, evidence.parsed)
    bound, unbound = (parsed, ()) if parsed is not None else bind_by_name(flow, known, scanned, id_offsets)
    return _written(bound, target, is_parsed=parsed is not None), unbound


def _target_ids(
    flow: Flow, evidence: MergeEvidence, target: Dataset, default_location: Callable[[str], str]
) -> dict[int, str]:
    ids = {output.expr_id: output.name for output in flow.outputs}
    if evidence.target_attributes:
        return {**ids, **evidence.target_attributes}
    ids |= _own_attributes(evidence.bindings, ids, target.name, default_location)
    return ids | dict(_keys(flow.conditions, evidence.bindings, ids))


def _written(bound: Flow, target: Dataset, *, is_parsed: bool) -> Flow:
    values = assigned(sorted(bound.outputs, key=lambda output: output.expr_id), target.name)
    origins = [origin for each in bound.values for origin, _ in each.sources]
    columns = dict.fromkeys(origin.column for origin in origins if origin.dataset == target.name)
    joined = sorted({origin.dataset for origin in origins} - {"", target.name})
    hidden = [_hidden_query(f"that joins {' and '.join(joined)}")] if not is_parsed and len(joined) > 1 else []
    known = bound.without_gaps(gaps_with(bound.gaps, GapReason.UNKNOWN_TARGET)).with_gaps(*hidden)
    return replace(
        known,
        outputs=(),
        reads=(*bound.reads, Read(target, tuple(columns), COMMAND)),
        write=Write(target, "merge", values, node_name=COMMAND),
    )


def _table_at(location: str, default_location: Callable[[str], str]) -> Dataset:
    """Return the session catalog's table with this default location; otherwise the path."""
    if name := session_table_at(location, default_location):
        return naming.table(name, format="hudi", location=naming.path_name(location))
    return naming.path(location, format="hudi")


def _hidden_query(source_query: str) -> Gap:
    return Gap(
        GapReason.UNKNOWN_SOURCE,
        COMMAND,
        f"the plan does not have the query {source_query}: its keys and filters are unknown",
        "set spark.sql.ui.explainMode=extended: the result of the MERGE then has the parsed query of its source",
    )


def _own_attributes(
    bindings: Bindings, assigned_to: Mapping[int, str], location: str, default_location: Callable[[str], str]
) -> dict[int, str]:
    """Return the target's attributes that another execution binds to the target, by a read of it.

    The session caches a table's relation (`SessionCatalog.getCachedPlan`): all queries read it with the same ids.
    """
    columns = {
        expr_id: origin for expr_id, output in bindings.items() if (origin := output.derivation.column) is not None
    }
    assigned_of = {columns[expr_id].dataset for expr_id in assigned_to if expr_id in columns}
    return {
        expr_id: origin.column
        for expr_id, origin in columns.items()
        if origin.dataset and (origin.dataset in assigned_of or default_location(origin.dataset) == location)
    }


def _keys(
    conditions: tuple[Condition, ...], bindings: Bindings, assigned_to: Container[int]
) -> Iterator[tuple[int, str]]:
    """Yield the attributes of ON that no other execution binds, if it binds one of them: those of the other side.

    If a clause assigns one of them, that one is the target's, and the others are the source's.
    """
    for condition in conditions:
        if condition.kind is Transformation.JOIN:
            attributes = {each.attribute: each.column for each, _ in condition.derivation.sources if not each.dataset}
            if not any(each in assigned_to for each in attributes) and not bindings.keys().isdisjoint(attributes):
                yield from ((each, name) for each, name in attributes.items() if each not in bindings)


INCREMENTAL = "HoodieIncrementalFileIndex"


@refines("Filter")
def filter_increment(op: Operation) -> Flow | None:
    """Remove the times of commits from the filter of an incremental read: Hudi 1.x adds them to every such scan."""
    scan = op.node.children[0] if op.node.children else None
    if scan is None or not scan.text("Location").startswith(INCREMENTAL):
        return None
    flow = filter_rows(op)
    kept = (_without_instant(each) for each in flow.conditions)
    return replace(flow, conditions=tuple(each for each in kept if each is not None))


def _without_instant(condition: Condition) -> Condition | None:
    sources = condition.derivation.sources
    kept = {key: influence for key, influence in sources.items() if key[0].column != "_hoodie_commit_time"}
    if len(kept) == len(sources):
        return condition
    return Condition(Derivation(kept, condition.derivation.parts), condition.kind) if kept else None


_METADATA = ("commit_time", "commit_seqno", "record_key", "partition_path", "file_name")
"""Hudi's columns in their order, after `_hoodie_` (`HoodieRecord.HOODIE_META_COLUMNS`, 0.x and 1.x)."""


def without_metadata(trace: StatementTrace) -> StatementTrace:
    """Remove Hudi's columns from the outputs of a query where all of them follow one another, as a star lists them."""
    root = trace.root
    if root.write is not None or root.command or trace.statement.context.stream is not None:
        return trace
    own = tuple(f"_hoodie_{name}" for name in _METADATA)
    outputs = list(root.outputs)
    names = [output.name for output in outputs]
    for start in range(len(names) - len(own), -1, -1):
        if tuple(names[start : start + len(own)]) == own:
            del outputs[start : start + len(own)]
    return trace if len(outputs) == len(root.outputs) else trace.with_root(replace(root, outputs=tuple(outputs)))
