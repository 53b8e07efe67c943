"""Find the snapshots of Iceberg tables in plans; scans print ids from Iceberg 1.11 on Spark 4.1 on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from eventlog_lineage.datasets import naming
from eventlog_lineage.plan.summary.plan_facts import (
    CatalogTable,
    ImportingTable,
    PlanFact,
    SnapshotRef,
    SnapshotRole,
    TableRef,
)
from eventlog_lineage.plan.tree.printed_operators import PrintedOperator, matches

_DELETE_COMMAND = "DeleteFromTable"
_DELTA_WRITE = "SparkPositionDeltaWrite"
"""The write of changed rows as position deletes."""
_STREAM = "MicroBatchScan"
_READ = re.compile(
    r"\bIceberg\w*Scan\(table=([^,\n]+),(?:[^\n]*?\b(?:snapshotId|endSnapshotId|toSnapshotId)=(\d+|null))?"
    r"(?:, branch=(?!null\b)(\w+))?"
)
_BATCH = re.compile(r"(?:^|[\n ])([\w.-]+) \(branch=")
_WRITE = re.compile(r"\bIceberg(?:\w*Write)\(table=([^,)\n]+)")
_DELETE = re.compile(r"([\w.-]+), \[")
_SCAN = re.compile(r"BatchScan ([\w.-]+)")
_ENTRIES = re.compile(r"BatchScan ([\w.-]+)\.entries")
_IMPORTED = "iceberg.spark.SparkTableUtil$SparkPartition"
_BRANCHED = re.compile(r"[\w$.]+Catalog@[0-9a-f]+, ([^\s,]+), ")
_BRANCH = "CreateOrReplaceBranch"
_AUDITED = "TableChange$SetProperty@648235e5"
"""The hash code of `write.wap.enabled = true`, with which a setting of the session makes writes go to a branch."""
_FILE = re.compile(r"(?:^|, )_file#\d+")


def scan_tables(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the snapshots of Iceberg tables that a plan reads and creates."""
    branches = {found[1] for found in matches(_READ, operators) if found[3]}
    scans = (_SCAN.fullmatch(each.name) for each in operators if _BATCH.search(each.printed))
    return [
        *_read_snapshots(operators),
        *(CatalogTable(found[1]) for found in scans if found and found[1].count(".") > 1),
        *_importing(operators),
        *(SnapshotRef(SnapshotRole.WRITTEN, _table(name)) for name in _written(operators, branches)),
        *(SnapshotRef(SnapshotRole.BRANCHED, TableRef(name=name, format="iceberg")) for name in _branched(operators)),
    ]


def _importing(operators: Sequence[PrintedOperator]) -> Iterator[ImportingTable]:
    """Yield the table in which `SparkTableUtil.importSparkPartitions` looks for files before it adds them (1.4+)."""
    if any(_IMPORTED in each.arguments for each in operators):
        scans = (_ENTRIES.fullmatch(each.name) for each in operators)
        yield from (ImportingTable(naming.table_name(found[1]), "iceberg") for found in scans if found)


def _read_snapshots(operators: Sequence[PrintedOperator]) -> Iterator[SnapshotRef]:
    for operator in operators:
        is_stream = operator.name.startswith(_STREAM)
        for found in _READ.finditer(operator.printed):
            role = SnapshotRole.STREAMED if is_stream else SnapshotRole.READ
            version = found[2] if found[2] and found[2] != "null" and not is_stream else ""
            yield SnapshotRef(role, _table(found[1]), version)
    for found in matches(_BATCH, [each for each in operators if each.name.startswith(_STREAM)]):
        yield SnapshotRef(SnapshotRole.STREAMED, _table(found[1]))


def _written(operators: Sequence[PrintedOperator], branches: Collection[str]) -> Iterator[str]:
    """Yield the written tables. A row-level command reads the branch that it changes; main keeps its snapshot."""
    yield from (found[1] for found in matches(_WRITE, operators) if found[1] not in branches)
    deletes = (_DELETE.match(each.arguments) for each in operators if each.name == _DELETE_COMMAND)
    yield from (found[1] for found in deletes if found)
    if any(_DELTA_WRITE in each.printed for each in operators):
        scans = (_SCAN.fullmatch(each.name) for each in operators if _FILE.search(each.output))
        yield from (found[1] for found in scans if found)


def _branched(operators: Sequence[PrintedOperator]) -> Iterator[str]:
    changed = (each.arguments for each in operators if each.name == _BRANCH or _AUDITED in each.arguments)
    return (match[1] for match in map(_BRANCHED.match, changed) if match)


def _table(name: str) -> TableRef:
    return TableRef(name=naming.table_name(name), format="iceberg")
