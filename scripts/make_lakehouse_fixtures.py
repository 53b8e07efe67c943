"""Makes the operators' fixtures that stand for table formats, from the logs in tests/lakehouse_logs.

`python scripts/make_lakehouse_fixtures.py`, then `python scripts/make_goldens.py`; read the diff.
"""

from __future__ import annotations

from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs

HERE = Path(__file__).resolve().parent
LOGS = HERE.parent / "tests" / "lakehouse_logs"
FIXTURES = HERE.parent / "tests" / "operators" / "fixtures"

CASES = {
    "merge: all clauses": ("merge_rows/all_clauses", "iceberg"),
    "merge: not matched by source": ("merge_rows/by_source", "iceberg"),
    "merge: marked": ("merge_rows/delta_of_rows", "iceberg"),
    "update: orders": ("row_level/update_by_copy", "iceberg"),
    "update: marked": ("row_level/update_by_delta", "iceberg"),
    "delete: marked": ("row_level/delete_by_delta", "iceberg"),
    "delete: orders, partition": ("row_level/delete_of_files", "iceberg"),
    "rewrite: orders": ("maintenance/procedure", "iceberg"),
    "delta/merge: all clauses": ("delta/merge", "delta"),
    "delta/update: orders": ("delta/update", "delta"),
    "delta/delete: orders": ("delta/delete", "delta"),
    "delta/overwrite: orders, dynamic partition": ("delta/dynamic_overwrite", "delta"),
    "stream: copied": ("micro_batch/append", "iceberg"),
    "optimize: orders": ("delta/optimize", "delta"),
    "vacuum: orders": ("delta/vacuum", "delta"),
    "insert: totals, time travel": ("v2_write/delta_append", "delta"),
    "hudi/insert: orders, from updates": ("hudi/insert", "hudi"),
    "hudi/update: orders": ("hudi/update", "hudi"),
    "hudi/delete: orders": ("hudi/delete", "hudi"),
    "hudi/merge: all clauses": ("hudi/merge", "hudi"),
    "hudi/compact: marked": ("hudi/compaction", "hudi"),
    "hudi/ctas: totals": ("create_table_as_select/hudi", "hudi"),
    "hudi/alter: rename": ("definitions/hudi_rename", "hudi"),
    "iceberg/alter: partition field": ("definitions/partition_field", "iceberg"),
    "paimon/merge: all clauses": ("paimon/merge", "paimon"),
    "paimon/update: orders": ("paimon/update", "paimon"),
    "paimon/delete: orders": ("paimon/delete", "paimon"),
    "paimon/delete: orders, partition": ("paimon/delete_of_partition", "paimon"),
    "paimon/overwrite: orders, dynamic partition": ("paimon/dynamic_overwrite", "paimon"),
    "paimon/compact: marked": ("paimon/procedure", "paimon"),
    "paimon/insert: orders, from updates": ("v2_write/paimon_append", "paimon"),
    "paimon/overwrite: marked, version 2": ("v2_write/paimon_version_2", "paimon"),
    "paimon/update: marked, version 2": ("row_level/paimon_update", "paimon"),
    "paimon/read: orders": ("batch_scan/paimon", "paimon"),
    "lance/read: joined": ("lance/scan", "lance"),
    "lance/merge: all clauses": ("lance/merge", "lance"),
    "lance/fill: tag": ("lance/add_columns", "lance"),
    "lance/optimize: orders": ("lance/optimize", "lance"),
    "sedona/read: within": ("join/spatial_broadcast", "sedona"),
    "sedona/read: around": ("join/spatial_distance", "sedona"),
    "sedona/read: nearest, few zones": ("join/spatial_nearest", "sedona"),
    "sedona/read: clusters": ("window/of_all_rows", "sedona"),
    "table: clicked": ("relation_scan/kafka", "kafka"),
}
"""Description, after the format where both have it, to the fixture and the format that it is taken from."""


def main() -> None:
    """Writes the plan of each case's root, per log of its format."""
    written: set[Path] = set()
    for log in find_logs([str(LOGS / name.name) for name in sorted(LOGS.glob("*.zstd"))]):
        read = read_log(log)
        name = Path(read.application.log_path).stem
        version = name.partition("-")[2].replace("-", ".")
        if not version[:1].isdigit():  # the other logs of a format run other statements under some of the same names
            continue
        for execution in read.executions:
            described = execution.description.partition("\n")[0]
            for case, (fixture, format_name) in CASES.items():
                told = execution.plan.text and "CommandResult" not in execution.plan.text[:60]
                target = FIXTURES / f"{fixture}.{version}.plan"
                root = execution.root_execution_id == execution.execution_id
                first = execution.root_execution_id is None and target not in written  # before 3.4 nothing says more
                named = name.startswith(format_name) and described == case.rpartition("/")[2]
                if named and told and (root or first):
                    written.add(target)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(execution.plan.text)


if __name__ == "__main__":
    main()
