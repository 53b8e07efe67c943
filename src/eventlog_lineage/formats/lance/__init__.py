"""Lance (lance-spark 0.4 on Spark 3.5): its commands and the names of its tables.

CONTRIBUTING uses this package as the example of a new table format.
"""

from __future__ import annotations

from eventlog_lineage.extensions import TableFormat

from .commands import COMMANDS
from .rules import name_source, name_table, owns_write, scan_conditions

_ROW_COLUMNS = ("_rowid", "_rowaddr", "_fragid", "_row_created_at_version", "_row_last_updated_at_version")

FORMAT = TableFormat(
    name="lance",
    commands=COMMANDS,
    row_columns=_ROW_COLUMNS,
    added_columns=_ROW_COLUMNS,
    data_files="lance",
    name_source=name_source,
    owns_write=owns_write,
    name_table=name_table,
    scan_conditions=scan_conditions,
)
