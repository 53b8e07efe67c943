"""Delta's commands (2.1 to 4.x), its internal queries, and saves by path that create a table only if there is none."""

from __future__ import annotations

import re
from dataclasses import replace

from eventlog_lineage.extensions import Command, Rows, Target
from eventlog_lineage.lineage.tracing.statement_trace import StatementTrace

COMMANDS = (
    *(
        Command(name, "merge", rows=Rows.OWN | Rows.CHILDREN, lists_all_columns=True)
        for name in ("MergeIntoCommand", "MergeIntoCommandEdge")
    ),
    *(
        Command(name, "update", rows=Rows.OWN | Rows.CHILDREN, target=Target.CHILD)
        for name in ("UpdateCommand", "UpdateCommandEdge")
    ),
    *(Command(name, "delete", rows=Rows.OWN, target=Target.CHILD) for name in ("DeleteCommand", "DeleteCommandEdge")),
    Command("DeltaDynamicPartitionOverwriteCommand", "overwrite", target=Target.OBJECT),
    Command("CreateDeltaTableCommand", "create", "cloned", target=Target.OBJECT),
    Command("CloneTableCommand", "create", target=Target.OBJECT),
    Command("ConvertToDeltaCommand", "alter"),
    Command("OptimizeTableCommand", "maintenance", target=Target.OBJECT),
    Command("RestoreTableCommand", "maintenance", target=Target.OBJECT),
    Command("DeltaReorgTableCommand", "maintenance", target=Target.OBJECT),
    Command("TruncateDeltaTableCommand", "truncate"),
    Command("VacuumTableCommand", "maintenance", target=Target.OBJECT_IF_CHANGED),
    Command("DeltaGenerateCommand", "maintenance"),
)
"""Commands with `Edge` are Databricks'. VACUUM commits its start and its end (4.x)."""


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


_SAVE = "SaveIntoDataSourceCommand"
_IGNORE = re.compile(r"\bDeltaDataSource@\w+, \[[^\n]*\], Ignore\b")


def mark_optional_save(trace: StatementTrace) -> StatementTrace:
    """Mark a save in mode `ignore`: for an existing table it runs no query, which is a nested execution (3.4+)."""
    write = trace.root.write
    if trace.root.command != _SAVE or write is None or not _IGNORE.search(trace.texts[0].text):
        return trace
    return trace.with_root(replace(trace.root, write=replace(write, is_optional=True)))
