"""Find the tables of Hudi's commands, which print only attributes: in other plans, and in the descriptions of jobs.

Hudi's commands describe their jobs (`HoodieSparkEngineContext.setJobStatus`, 0.11+): the jobs of a commit name the
table, and jobs that delete its markers name their folder, which contains the table's location and the instant. 1.x
prints the module first; 0.x has it as the jobs' group.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from eventlog_lineage.datasets import naming
from eventlog_lineage.events.records import TableCommit
from eventlog_lineage.plan.summary.plan_facts import (
    TRUNCATED,
    PlanFact,
    ScannedPath,
    SnapshotRef,
    SnapshotRole,
    TableRef,
    UnqualifiedTable,
    attribute_names,
    table_columns,
)
from eventlog_lineage.plan.tree.printed_operators import PrintedOperator, matches

from .rules import OWN, empty_relation

_SCAN = re.compile(r"(?:BatchScan|Scan Hudi\w*) (?P<table>[\w$-]+(?:\.[\w$-]+)+)")
_CREATES = "CreateHoodieTableAsSelectCommand"
_INPUT = re.compile(r"^Input \[\d+\]: \[(.*)\]$", re.MULTILINE)
_NAME = re.compile(r"`[^`]+`(?:\.`[^`]+`)*")
_INCREMENT = re.compile(r"Location: HoodieIncrementalFileIndex(?:\(1 paths\))? ?\[([^,\]]+)\]")
_PATH_SCAN = re.compile(r"\bLocation: Hoodie\w*FileIndex(?:\(1 paths\))? ?\[([^,\]]+)\]")
_RELATION = re.compile(
    r"\bRelation(?:V2)?(?: (?P<table>[\w-]+(?:\.[\w-]+)+))?\[(?P<columns>[^\]\n]*)\] (?:Hudi|org\.apache\.hudi\.)"
)


def scan_columns(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the columns of Hudi's tables in a plan, without Hudi's metadata columns."""
    facts: list[PlanFact] = []
    for related in matches(_RELATION, operators):
        is_complete = TRUNCATED not in related["columns"]
        facts += table_columns(related["table"] or "", _of_user(related["columns"]), is_complete=is_complete)
    for operator in operators:
        if scan := _SCAN.fullmatch(operator.name):
            facts += table_columns(scan["table"], _of_user(operator.output))
    return facts


def created_columns(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the columns of the tables that statements create with rows, in the order of the rows.

    Arguments: `spark_catalog`.`stage`.`scores`, Overwrite
    """
    facts: list[PlanFact] = []
    for operator in operators:
        columns = _INPUT.search(operator.printed) if operator.name == _CREATES else None
        name = _NAME.match(operator.arguments)
        if columns and name:
            table = naming.table_name(name[0])
            facts += table_columns(table, _of_user(columns[1]), is_complete=TRUNCATED not in columns[1])
    return facts


def streamed_tables(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the tables that incremental scans read, as in micro-batches."""
    found = (TableRef(naming.path_name(each[1]), format="hudi") for each in matches(_INCREMENT, operators))
    return [SnapshotRef(SnapshotRole.STREAMED, table) for table in found]


def scanned_paths(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the paths that scans without a table's name read."""
    found = matches(_PATH_SCAN, [each for each in operators if not _SCAN.fullmatch(each.name)])
    return [ScannedPath(path) for path in dict.fromkeys(naming.path_name(each[1]) for each in found)]


def empty_tables(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the tables without commits, of which a plan prints an object."""
    objects = (empty_relation(operator.name) for operator in operators)
    return [UnqualifiedTable(name) for name in dict.fromkeys(filter(None, objects))]


def _of_user(columns: str) -> Iterator[str]:
    return (name for name in attribute_names(columns) if not name.startswith(OWN))


_COMMITTING = re.compile(r"^(?:SparkRDDWriteClient:)?Committing stats: (?P<table>\S+)$")
_MARKERS = re.compile(
    r"^(?:FSUtils:)?Parallel listing paths (?P<location>[^\n]+?)/\.hoodie/(?:metadata/\.hoodie/)?"
    r"\.temp/(?P<instant>\d{17}|\d{14})/"
)
_METADATA = "_metadata"
"""Suffix of a table's metadata table, whose creation has the same description in 0.x."""


def commit_of(known: TableCommit | None, description: str) -> TableCommit | None:
    """Return the commit of an execution after another job.

    The first commit counts: later ones in the same execution are maintenance. Markers that are deleted before it are
    those of an earlier writer that failed, or of the metadata table's creation.
    """
    match = _COMMITTING.match(description)
    if known is None or (match and known.table == f"{match['table']}{_METADATA}"):
        return TableCommit(match["table"]) if match else None
    if not known.location and (match := _MARKERS.match(description)):
        return replace(known, location=match["location"], instant=match["instant"])
    return known
