"""Find the columns of tables in plans: Hudi's MERGE prints only the names of attributes and no relation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from eventlog_lineage.datasets import naming
from eventlog_lineage.plan.printed_operators import PrintedOperator, matches
from eventlog_lineage.plan.summary.column_facts import TRUNCATED, attribute_names, table_columns
from eventlog_lineage.plan.summary.plan_facts import (
    PlanFact,
    ScannedPath,
    SnapshotRef,
    SnapshotRole,
    TableRef,
    UnqualifiedTable,
)

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
    """Return the columns of Hudi's tables in a plan, without Hudi's metadata columns.

    Args:
        operators: The plan's operators.
    """
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

    Args:
        operators: The plan's operators.
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
    """Return the tables that incremental scans read, as in micro-batches.

    Args:
        operators: The plan's operators.
    """
    found = (TableRef(naming.path_name(each[1]), format="hudi") for each in matches(_INCREMENT, operators))
    return [SnapshotRef(SnapshotRole.STREAMED, table) for table in found]


def scanned_paths(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the paths that scans without a table's name read.

    Args:
        operators: The plan's operators.
    """
    found = matches(_PATH_SCAN, [each for each in operators if not _SCAN.fullmatch(each.name)])
    return [ScannedPath(path) for path in dict.fromkeys(naming.path_name(each[1]) for each in found)]


def empty_tables(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the tables without commits, of which a plan prints an object.

    Args:
        operators: The plan's operators.
    """
    objects = (empty_relation(operator.name) for operator in operators)
    return [UnqualifiedTable(name) for name in dict.fromkeys(filter(None, objects))]


def _of_user(columns: str) -> Iterator[str]:
    return (name for name in attribute_names(columns) if not name.startswith(OWN))
