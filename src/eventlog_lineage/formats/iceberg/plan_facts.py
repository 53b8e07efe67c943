"""Find the snapshots of Iceberg tables in plans; scans print ids from Iceberg 1.11 on Spark 4.1 on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eventlog_lineage.datasets import naming
from eventlog_lineage.plan.printed_operators import PrintedOperator, matches
from eventlog_lineage.plan.summary.plan_facts import CatalogTable, PlanFact, SnapshotRef, SnapshotRole, TableRef

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
_BRANCHED = re.compile(r"[\w$.]+Catalog@[0-9a-f]+, ([^\s,]+), ")
_BRANCH = "CreateOrReplaceBranch"
_AUDITED = "TableChange$SetProperty@648235e5"
"""The hash code of `write.wap.enabled = true`, with which a setting of the session makes writes go to a branch."""
_FILE = re.compile(r"(?:^|, )_file#\d+")


def scan_tables(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the snapshots of Iceberg tables that a plan reads and creates.

    Args:
        operators: The plan's operators.
    """
    facts: list[PlanFact] = []
    branches: set[str] = set()
    for operator in operators:
        is_stream = operator.name.startswith(_STREAM)
        for found in _READ.finditer(operator.printed):
            role = SnapshotRole.STREAMED if is_stream else SnapshotRole.READ
            version = found[2] if found[2] and found[2] != "null" and not is_stream else ""
            facts.append(SnapshotRef(role, _table(found[1]), version))
            if found[3]:
                branches.add(found[1])
    for operator in operators:
        if operator.name.startswith(_STREAM):
            streamed = (_table(found[1]) for found in _BATCH.finditer(operator.printed))
            facts += [SnapshotRef(SnapshotRole.STREAMED, table) for table in streamed]
    scans = (_SCAN.fullmatch(each.name) for each in operators if _BATCH.search(each.printed))
    facts += [CatalogTable(found[1]) for found in scans if found and found[1].count(".") > 1]
    # a row-level command reads the branch that it changes; main keeps its snapshot
    written = (found[1] for found in matches(_WRITE, operators))
    facts += [SnapshotRef(SnapshotRole.WRITTEN, _table(name)) for name in written if name not in branches]
    deletes = (_DELETE.match(each.arguments) for each in operators if each.name == _DELETE_COMMAND)
    facts += [SnapshotRef(SnapshotRole.WRITTEN, _table(found[1])) for found in deletes if found]
    if any(_DELTA_WRITE in each.printed for each in operators):
        scans = (_SCAN.fullmatch(each.name) for each in operators if _FILE.search(each.output))
        facts += [SnapshotRef(SnapshotRole.WRITTEN, _table(found[1])) for found in scans if found]
    changed = (each.arguments for each in operators if each.name == _BRANCH or _AUDITED in each.arguments)
    branched = [match[1] for match in map(_BRANCHED.match, changed) if match]
    return [*facts, *(SnapshotRef(SnapshotRole.BRANCHED, TableRef(name=name, format="iceberg")) for name in branched)]


def _table(name: str) -> TableRef:
    return TableRef(name=naming.table_name(name), format="iceberg")
