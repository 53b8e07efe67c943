"""Find the tables of Paimon in plans, with or without their database, and their columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from eventlog_lineage.plan.grammar.symbols import read_arguments
from eventlog_lineage.plan.summary.plan_facts import (
    TRUNCATED,
    PlanFact,
    QualifiedTable,
    SnapshotRef,
    SnapshotRole,
    TableRef,
    UnqualifiedTable,
    attribute_names,
    table_columns,
)
from eventlog_lineage.plan.tree.printed_operators import PrintedOperator, matches

_STREAM = "MicroBatchScan"
_SCAN_OBJECT = "class org.apache.paimon.spark.Paimon"
_SCAN = re.compile(r"(?:BatchScan|MicroBatchScan)(?: (?P<name>[\w.$-]+))?")
_BARE = re.compile(r"\bPaimon\w*Scan: \[([^\]\n]+)\]")
_STORE = re.compile(r"\b\w+(?:FileStore|Format|Object)Table\[([\w.$-]+)\]")
_RELATION = re.compile(
    r"RelationV2\[[^\]\n]*\] (?:[\w.$-]+ )?(?P<name>[\w.$-]+), "
    r"(?P<scan>PaimonScan\()?org\.apache\.paimon\.table\.\w+@(?P<hash>[0-9a-f]+)\b"
)
_OBJECT = re.compile(r"(?:SparkTable\()?org\.apache\.paimon\.table\.\w+@([0-9a-f]+)\b")
_NAME = re.compile(r"[\w$-]+(?:\.[\w$-]+)+")
_WRITE = re.compile(r"\bPaimon\w*Write\(table=([^,)\n]+)")
_DEFINED = re.compile(r"org\.apache\.paimon\.spark\.Spark(?:Generic)?Catalog(?:@\w+|\([\w-]+\)), ([\w.$-]+)")
_SCAN_LINE = re.compile(r"\bBatchScan (?P<table>[\w$-]+\.[\w$-]+)\[(?P<columns>[^\]\n]*)\] Paimon")
_SCAN_BLOCK = re.compile(r"BatchScan (?P<table>[\w$-]+(?:\.[\w$-]+)+)")
_RELATION_COLUMNS = re.compile(
    r"\bRelation(?:V2)?(?: (?P<first>[\w-]+(?:\.[\w-]+)+))?\[(?P<columns>[^\]\n]*)\] "
    r"[\w.$-]+ (?P<table>[\w$-]+\.[\w$-]+),"
)
_DEFINED_COLUMNS = re.compile(
    r"org\.apache\.paimon\.spark\.Spark(?:Generic)?Catalog(?:@\w+|\([\w-]+\)), (?P<table>[\w.$-]+), "
    r"\[(?P<columns>ColumnImpl\([^\n]*?)\], (?:\[|TableSpec)"
)
COLUMN = re.compile(r"\bColumnImpl\((.+?),[A-Z]\w*Type\b")
"""The name of a column, which may have spaces, before its type (Spark's `ColumnImpl`, 3.4 to 4.3)."""
_CALL = re.compile(
    r"\[[^\n]*\], [\w.]+\.(?:Compact|Rescale|Rollback\w*|FastForward)Procedure@\w+, \[([\w$-]+\.[\w.$-]+)[,\]]"
)
"""The procedures that create snapshots."""
SAME_ROWS = re.compile(r"(?:\$branch_[^$.]+)?(?:\$(?:audit_log|binlog|ro))?$")
"""Suffixes of names for the same rows: a branch of the table, or its rows with further columns."""


def scan_tables(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the tables of Paimon that a plan names.

    Hash codes distinguish objects of tables: `AbstractFileStoreTable.hashCode` depends on location and schema.
    """
    facts: list[PlanFact] = []
    for operator in operators:
        facts += _scanned(operator)
    for operator in operators:
        if related := _RELATION.match(operator.arguments):
            facts.append(QualifiedTable(related["name"], related["hash"]))
            facts += [] if related["scan"] else [_written(related["name"])]
    for operator in operators:
        if printed := _OBJECT.match(operator.arguments):
            name = relation_name(operator)
            facts += [QualifiedTable(name, printed[1])] if name else [UnqualifiedTable("", printed[1]), _written("")]
    defined = (_DEFINED.match(operator.arguments) for operator in operators)
    facts += [QualifiedTable(found[1]) for found in defined if found]
    calls = (_CALL.match(each.arguments) for each in operators if each.name == "PaimonCall")
    for found in chain(matches(_STORE, operators), matches(_WRITE, operators), filter(None, calls)):
        facts += [QualifiedTable(found[1]), _written(found[1])]
    return facts


def relation_name(operator: PrintedOperator) -> str:
    """Return the table of a relation in the query of a command; empty for other operators.

    `DataSourceV2Relation`: `SparkTable(…FileStoreTable@55bb6507), [id#1L, …], …SparkCatalog@c5e81d9, raw.ships, []`.
    """
    if operator.name != "DataSourceV2Relation":
        return ""
    parts = read_arguments(operator.arguments)
    return parts[3] if len(parts) > 3 and _NAME.fullmatch(parts[3]) else ""


def _scanned(operator: PrintedOperator) -> list[PlanFact]:
    scan = _SCAN.match(operator.name)
    printed = _BARE.search(operator.printed) if scan else None
    is_object = scan is not None and bool(scan["name"]) and _SCAN_OBJECT in operator.printed
    if scan is None or (printed is None and not is_object):
        return []
    name = SAME_ROWS.sub("", scan["name"] or (printed[1] if printed else ""))
    facts: list[PlanFact] = [QualifiedTable(name) if "." in name else UnqualifiedTable(name)]
    if operator.name.startswith(_STREAM):
        facts.append(SnapshotRef(SnapshotRole.STREAMED, _table(name)))
    return facts


def _written(name: str) -> SnapshotRef:
    return SnapshotRef(SnapshotRole.WRITTEN, _table(name))


def _table(name: str) -> TableRef:
    return TableRef(name=name, format="paimon")


def scan_columns(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the columns of Paimon's tables in a plan."""
    facts: list[PlanFact] = []
    for operator in operators:
        if defined := _DEFINED_COLUMNS.match(operator.arguments):
            is_complete = TRUNCATED not in defined["columns"]
            facts += table_columns(defined["table"], COLUMN.findall(defined["columns"]), is_complete=is_complete)
    for related in matches(_RELATION_COLUMNS, operators):
        table = related["first"] or related["table"]
        is_complete = TRUNCATED not in related["columns"]
        facts += table_columns(table, attribute_names(related["columns"]), is_complete=is_complete)
    for operator in operators:
        if scan := _SCAN_BLOCK.fullmatch(operator.name):
            facts += table_columns(scan["table"], attribute_names(operator.output))
    for line in matches(_SCAN_LINE, operators):
        facts += table_columns(line["table"], attribute_names(line["columns"]))
    return facts
