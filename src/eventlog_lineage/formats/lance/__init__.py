"""Lance (lance-spark 0.4 on Spark 3.5): its commands and the names of its tables.

CONTRIBUTING uses this package as the example of a new table format.
"""

from __future__ import annotations

from eventlog_lineage.extensions import FormatText, OwnColumns, Storage, TableFormat, TableResolver

from .rules import COMMANDS, name_source, name_table, owns_write, scan_conditions

_ROW_COLUMNS = ("_rowid", "_rowaddr", "_fragid", "_row_created_at_version", "_row_last_updated_at_version")

FORMAT = TableFormat(
    name="lance",
    commands=COMMANDS,
    columns=OwnColumns(of_rows=_ROW_COLUMNS, added=_ROW_COLUMNS),
    tables=TableResolver(source=name_source, owns_write=owns_write, written=name_table),
    text=FormatText(scans=r"\bpushedAggregation: |\borg\.lance\.spark\."),
    scan_conditions=scan_conditions,
    storage=Storage(data_files="lance"),
)
