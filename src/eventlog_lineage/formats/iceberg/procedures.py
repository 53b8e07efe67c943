"""Iceberg's procedures."""

from __future__ import annotations

import re

from eventlog_lineage.plan.expressions.attribute_ids import read_attribute

_MAINTAINING = re.compile(
    r"^(?:Rewriting|Expiring|Removing|Deleting|Computing)\b[^\n]* (?:in|from|for) ([\w-]+(?:\.[\w-]+){2,})"
    r"(?: \([^()\n]*\))?$"
)
_CALLED = re.compile(
    r"== Physical Plan ==\nCommandResult[^\n]*\n +\+- LocalTableScan[^\n]*\n\s*\(1\) CommandResult\nOutput \[\d+\]: "
    r"\[(?P<output>[^\n]*)\]\n"
)
_COUNT = re.compile(r"(?:(?:rewritten|deleted|removed|added|migrated|imported)_\w+_count|orphan_file_location)$")
_RESULTS = frozenset(
    {
        ("previous_snapshot_id", "current_snapshot_id"),
        ("source_snapshot_id", "current_snapshot_id"),
        ("branch_updated", "previous_ref", "updated_ref"),
        ("current_snapshot_id", "total_records_count", "total_data_files_count"),
        ("latest_version", "file_list_location"),
        ("statistics_file",),
        ("partition_statistics_file",),
    }
)
"""The columns of procedures that change a table's metadata only (Iceberg 1.4 to 1.12): rollbacks and
`set_current_snapshot`; `cherrypick_snapshot` and `publish_changes`; `fast_forward`; `register_table`;
`rewrite_table_path`; statistics."""
_CALL = re.compile(r"CALL\s+`?(\w+)`?\.`?system`?\.\w+\s*\((.*)\)\s*;?\s*$", re.IGNORECASE | re.DOTALL)
_TABLE_ARGUMENT = re.compile(r"^\s*'([^']+)'|\b(?:table|branch_table)\s*=>\s*'([^']+)'", re.IGNORECASE)


def is_call_result(physical: str) -> bool:
    """Return whether the rows of a plan are a procedure's result; on Spark 4 only that is an execution."""
    found = _CALLED.match(physical)
    if found is None:
        return False
    names = tuple((read_attribute(item) or (item, -1))[0] for item in found["output"].split(", "))
    return names in _RESULTS or any(map(_COUNT.match, names))


def maintained_table(description: str) -> str:
    """Return the table that a description names; empty for others.

    `Rewriting 1 files (…) in lake.shop.orders`, `Deleting orphan files (…) from lake.shop.orders` and `Computing table
    stats for lake.shop.orders (…)` are Iceberg's own. `CALL lake.system.rollback_to_snapshot('shop.orders', 1)` is the
    statement, where its SQL is the description (`spark-sql`, Thrift servers).
    """
    match = _MAINTAINING.match(description)
    if match:
        return match[1]
    call = _CALL.match(description.strip())
    argument = _TABLE_ARGUMENT.search(call[2]) if call is not None else None
    if call is None or argument is None:
        return ""
    words = (argument[1] or argument[2]).replace("`", "").split(".")
    return ".".join(words if words[0] == call[1] else (call[1], *words))
