"""Facts of Iceberg tables: snapshots in plans and metadata files, schemas.

Scans print ids from Iceberg 1.11 on Spark 4.1 on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from eventlog_lineage.datasets import naming
from eventlog_lineage.datasets.commits import Commit, json_object, json_objects
from eventlog_lineage.events.sources.files import TableFolder
from eventlog_lineage.observed_schemas import MetadataTypes, TableSchema
from eventlog_lineage.plan.printed.operator_lines import (
    PrintedOperator,
    argument_matches,
    matches,
    operators_named,
    table_of_scan,
)
from eventlog_lineage.plan.summary.plan_facts import (
    CatalogTable,
    ImportingTable,
    PlanFact,
    SnapshotRef,
    SnapshotRole,
    TableRef,
)

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
_ENTRIES = ".entries"
_IMPORTED = "iceberg.spark.SparkTableUtil$SparkPartition"
_BRANCHED = re.compile(r"[\w$.]+Catalog@[0-9a-f]+, ([^\s,]+), ")
_BRANCH = "CreateOrReplaceBranch"
_AUDITED = "TableChange$SetProperty@648235e5"
"""The hash code of `write.wap.enabled = true`, with which a setting of the session makes writes go to a branch."""
_FILE = re.compile(r"(?:^|, )_file#\d+")


def scan_tables(operators: Sequence[PrintedOperator]) -> list[PlanFact]:
    """Return the snapshots of Iceberg tables that a plan reads and creates."""
    branches = {found[1] for found in matches(_READ, operators) if found[3]}
    scans = (table_of_scan(each.name)[1] for each in operators if _BATCH.search(each.printed))
    return [
        *_read_snapshots(operators),
        *(CatalogTable(table) for table in scans if table.count(".") > 1),
        *_importing(operators),
        *(SnapshotRef(SnapshotRole.WRITTEN, _table(name)) for name in _written(operators, branches)),
        *(SnapshotRef(SnapshotRole.BRANCHED, TableRef(name=name, format="iceberg")) for name in _branched(operators)),
    ]


def _importing(operators: Sequence[PrintedOperator]) -> Iterator[ImportingTable]:
    """Yield the table in which `SparkTableUtil.importSparkPartitions` looks for files before it adds them (1.4+)."""
    if any(_IMPORTED in each.arguments for each in operators):
        tables = (table_of_scan(each.name)[1] for each in operators)
        found = (table.removesuffix(_ENTRIES) for table in tables if table.endswith(_ENTRIES))
        yield from (ImportingTable(naming.table_name(table), "iceberg") for table in found)


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
    yield from (found[1] for found in argument_matches(_DELETE, operators_named("DeleteFromTable", operators)))
    if any(_DELTA_WRITE in each.printed for each in operators):
        yield from filter(None, (table_of_scan(each.name)[1] for each in operators if _FILE.search(each.output)))


def _branched(operators: Sequence[PrintedOperator]) -> Iterator[str]:
    changed = (each.arguments for each in operators if each.name == _BRANCH or _AUDITED in each.arguments)
    return (match[1] for match in map(_BRANCHED.match, changed) if match)


def _table(name: str) -> TableRef:
    return TableRef(name=naming.table_name(name), format="iceberg")


_NAMES = {
    "long": "bigint",
    "time": "bigint",
    "timestamp": "timestamp_ntz",
    "timestamptz": "timestamp",
    "timestamp_ns": "timestamp_ntz",
    "timestamptz_ns": "timestamp",
    "uuid": "string",
    "unknown": "void",
}
"""Iceberg's types to catalog strings, where they differ (`TypeToSparkType`, Iceberg 1.12)."""

_DECIMAL = re.compile(r"^decimal\((\d+), *(\d+)\)$")


def iceberg_schemas(metadata: Mapping[str, Any]) -> Iterator[TableSchema]:
    """Yield the schemas of a table in the order of their ids; the file has no times of them.

    A change that brings an earlier schema back has that schema's id.

    Args:
        metadata: The content of a metadata file; one of format version 1 has `schema` alone, or both.
    """
    for each in sorted(json_objects(metadata.get("schemas")), key=_number):
        yield _TYPES.schema(str(_number(each)), None, each)


def _number(schema: Mapping[str, Any]) -> int:
    number = schema.get("schema-id")
    return number if isinstance(number, int) else 0


def _simple(text: str) -> str:
    decimal = _DECIMAL.match(text)
    fixed = "binary" if text.startswith("fixed[") else text
    return f"decimal({decimal[1]},{decimal[2]})" if decimal else _NAMES.get(text, fixed)


_TYPES = MetadataTypes(_simple, ("doc",), array="list")


_METADATA = re.compile(r"^(?:v?(\d+)(?:-[0-9a-f-]+)?)(?:\.gz)?\.metadata\.json$")


def read_commits(table: TableFolder) -> Iterator[Commit | TableSchema] | None:
    """Read a table's snapshots and schemas from its newest metadata file; None for a folder without `metadata`."""
    entries = table.entries("metadata")
    if not entries:
        return None
    newest = newest_metadata(each.name for each in entries)
    return (commit for each in entries if each.name == newest for commit in iceberg_commits(table.content(each)))


def newest_metadata(names: Iterable[str]) -> str | None:
    """Return the newest of Iceberg's metadata files: `v12.metadata.json`, `00012-<uuid>.metadata.json`."""
    found = [(int(match[1]), name) for name in names if (match := _METADATA.match(name))]
    return max(found)[1] if found else None


def iceberg_commits(content: bytes) -> Iterator[Commit | TableSchema]:
    """Yield the snapshots and schemas in a metadata file; summaries contain the application and a stream's epoch.

    `snapshot-log` lists the current snapshots of the main branch with their times: commits, rollbacks and
    fast-forwards, but no commits to other branches. It is optional; without it, each snapshot is current from its
    commit on.
    """
    metadata = json_object(content)
    log = metadata.get("snapshot-log") or ()
    for snapshot in metadata.get("snapshots") or ():
        summary = snapshot.get("summary") or {}
        epoch = str(summary.get("spark.sql.streaming.epochId", ""))
        yield Commit(
            str(snapshot.get("snapshot-id")),
            int(snapshot.get("timestamp-ms", 0)),
            str(summary.get("spark.app.id", "")),
            str(summary.get("spark.sql.streaming.queryId", "")),
            int(epoch) if epoch.isdigit() else None,
            is_current=not log,
            files=_count(summary.get("total-data-files")),
            size=_count(summary.get("total-files-size")),
        )
    for entry in log:
        yield Commit(str(entry.get("snapshot-id")), int(entry.get("timestamp-ms", 0)), is_commit=False)
    yield from iceberg_schemas(metadata)


def _count(text: object) -> int | None:
    return int(text) if isinstance(text, str) and text.isdigit() else None
